/** Photos of lots: the gallery on the page of a lot, uploads, and the pictures themselves. */

import { mayMakePhoto } from '../../../accounts/sign-in/attempt-limits.work.ts';
import { pools } from '../../../http/pools.ts';
import { Slots } from '../../../http/slots.ts';
import { cutText } from '../../../kernel/text.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import { checkPicture } from '../../../portfolio/photos/check-picture.ts';
import {
  type MadePhoto,
  type Photo,
  type PhotoOutcome,
  type PhotoSize,
  photoLimits,
  photoSides,
  photoType,
} from '../../../portfolio/photos/photos.ts';
import { ButtonForm, RowLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { FileField, PostForm } from '../../kit/fields.tsx';
import { photoFormBytesMax } from '../../kit/form.ts';
import { nounText } from '../../kit/format.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byOwnId, page, routes } from '../../page-table.ts';

const findOwnPhoto = byOwnId((accounts, accountId, id) => accounts.findPhoto(accountId, id));

export const photoRoutes = routes('own', {
  '/photos/{id}': page({ find: findOwnPhoto, get: sendPicture('content') }),
  '/photos/{id}/thumb': page({ find: findOwnPhoto, get: sendPicture('thumb') }),
  '/photos/{id}/first': page({ find: findOwnPhoto, post: postFirst }),
  '/photos/{id}/delete': deletionPage({
    find: findOwnPhoto,
    noun: 'photo',
    describe: (photo) => ({
      name: <img class="photo" src={`/photos/${photo.id}/thumb`} alt="To be deleted" />,
      outcome: 'It is deleted for good.',
      cancel: pathOf(photo),
    }),
    remove: async ({ accounts }, { who }, photo) => {
      await accounts.removePhoto(who.accountId, photo.id);
      return { goTo: `${pathOf(photo)}?did=photo-deleted#photos` };
    },
    goTo: '/inventory',
  }),
});

function sendPicture(size: PhotoSize) {
  return async (deps: WebDeps, request: OwnRequest, { id }: Photo): Promise<PageAnswer> => {
    const picture = await deps.accounts.findPicture(request.who.accountId, id, size);
    // Not cached, as others may use the browser later.
    return picture ? { picture, type: photoType, seconds: 0 } : missingPage(request);
  };
}

const pathOf = ({ lotId }: Photo) => `/lots/${lotId}`;

async function postFirst(deps: WebDeps, sent: OwnSentRequest, photo: Photo): Promise<PageAnswer> {
  await deps.accounts.putPhotoFirst(sent.who.accountId, photo.id);
  return { goTo: `${pathOf(photo)}#photos` };
}

/** Adds uploaded photos to a lot; those that cannot be added do not prevent the others. */
export async function addPhotos(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot) {
  const files = sent.form.files('file');
  if (files.length === 0) return { refused: 'Choose a photo first.' };
  if (files.length > photoLimits.atOnce) {
    return { refused: `Choose at most ${nounText(photoLimits.atOnce, 'photo')} at once.` };
  }
  const problems: string[] = [];
  let added = 0;
  const signal = AbortSignal.any([sent.signal, AbortSignal.timeout(formMsMax)]);
  for (const file of files) {
    const problem = await addPhoto(deps, { ...sent, signal }, { lot, file });
    if (problem === null) added++;
    else problems.push(files.length === 1 ? problem : `${cutText(file.name, 60)}: ${problem}`);
  }
  if (problems.length === 0) return { goTo: `/lots/${lot.id}?did=photos#photos` };
  const done = added === 0 ? [] : [`${nounText(added, 'photo')} added.`];
  return { refused: [...done, ...problems].join(' ') };
}

/** How long the photos of a form may take; the page process is given up after more. */
const formMsMax = 45_000;

/** Those of this process. */
const slots = new Slots(pools.photos);

/** Why a file was not added; null if it was. */
async function addPhoto(
  deps: WebDeps,
  sent: OwnSentRequest,
  { lot, file }: { readonly lot: OwnLot; readonly file: File },
): Promise<string | null> {
  const { who, at, signal } = sent;
  if (signal.aborted) return tooLate;
  if (file.size > photoLimits.fileBytes) return tooLarge;
  const photo = await makePhoto(deps, sent, new Uint8Array(await file.arrayBuffer()));
  if (signal.aborted) return tooLate;
  if ('problem' in photo) return photo.problem;
  const given = { photo, bytesMax: deps.pictures.photoBytesMax, at };
  return refusals[await deps.accounts.addPhoto(who.accountId, lot.id, given)];
}

/** In a slot, and with the time of the account. */
async function makePhoto(
  deps: WebDeps,
  { who: { accountId }, network, at, signal }: OwnSentRequest,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<MadePhoto> {
  const checked = await checkPicture(bytes);
  if ('problem' in checked) return checked;
  const made = await slots.take({ account: accountId, network, signal }, async () => {
    const isWithin = await mayMakePhoto(deps.accounts, { ...checked, accountId, at });
    return isWithin ? deps.pictures.makePhoto(bytes, signal) : { problem: tooMany };
  });
  return made ?? { problem: 'Too many photos are being added. Add it again in a moment.' };
}

const tooLate = 'There was no time left for it. Add it again.';
const tooMany = 'You have added very many photos in a short time. Add it again in an hour.';
const tooLarge = `The file is larger than ${photoLimits.fileBytes / 1024 / 1024} MB.`;

/** A photo that the lot already has was added by the same form. */
const refusals: Readonly<Record<PhotoOutcome, string | null>> = {
  added: null,
  same: null,
  'no lot': 'The lot was deleted meanwhile.',
  'lot full': `A lot has at most ${photoLimits.perLot} photos. Delete one to add another.`,
  'account full': 'There is no room for more photos in your account. Delete some to add others.',
};

const formats = 'image/jpeg,image/png,image/webp';

export function LotPhotos(props: {
  readonly lot: OwnLot;
  readonly photos: readonly Photo[];
  /** Whether this site takes photos. */
  readonly isOn: boolean;
}) {
  const { lot, photos, isOn } = props;
  if (photos.length === 0 && !isOn) return null;
  return (
    <Card title="Photos" id="photos">
      {photos.length > 0 && (
        <ul class="photos">
          {photos.map((photo, index) => (
            <PhotoItem key={photo.id} photo={photo} number={index + 1} />
          ))}
        </ul>
      )}
      {isOn && photos.length < photoLimits.perLot && (
        <PostForm action={`/lots/${lot.id}/photos`} isUpload>
          <FileField label="Add photos of this lot" accept={formats} isMultiple hint={hint} />
          <div class="field touch-only">
            <label for="camera">Or take one</label>
            <input id="camera" type="file" name="file" accept={formats} capture="environment" />
          </div>
          <p class="row flush">
            <button type="submit">Add photos</button>
          </p>
        </PostForm>
      )}
    </Card>
  );
}

const hint =
  `JPEG, PNG or WebP, up to ${photoLimits.fileBytes / 1024 / 1024} MB each and ` +
  `${photoFormBytesMax / 1024 / 1024} MB together. ` +
  'Only you can see them. Location and camera data are removed.';

function PhotoItem(props: { readonly photo: Photo; readonly number: number }) {
  const { photo, number: place } = props;
  const { width, height } = thumbSize(photo);
  const path = `/photos/${photo.id}`;
  const name = `photo ${place}`;
  return (
    <li>
      <a href={path}>
        <img src={`${path}/thumb`} alt={`Number ${place}`} width={width} height={height} />
      </a>
      <div class="row">
        {place === 1 ? (
          <span class="quiet">Cover</span>
        ) : (
          <ButtonForm action={`${path}/first`} look="link" of={name}>
            Make cover
          </ButtonForm>
        )}
        <RowLink href={`${path}/delete`} of={name}>
          Delete
        </RowLink>
      </div>
    </li>
  );
}

/** So that the page does not move when pictures arrive. */
function thumbSize({ width, height }: Photo) {
  const scale = Math.min(1, photoSides.thumb / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
