/**
 * Makes a stored photo of an uploaded file, in a process of its own. The result is encoded anew, so
 * that nothing of the file but its pixels is kept: no position, no camera, no other content.
 */

import { checkPicture, maxPixels, orProblem, tooCostly } from './check-picture.ts';
import { type MadePhoto, type NewPhoto, photoLimits, photoSides } from './photos.ts';

/** A photo, or a sentence that says why the file cannot be one. */
export async function makePhoto(bytes: Uint8Array<ArrayBuffer>): Promise<MadePhoto> {
  const checked = await checkPicture(bytes);
  if ('problem' in checked) return checked;
  return orProblem(() => encode(bytes));
}

const quality = 78;

/** For pictures that are too large with the usual quality, such as noise. */
const lowQuality = 50;
const triesMax = 4;

async function encode(bytes: Uint8Array<ArrayBuffer>): Promise<MadePhoto> {
  const first = await resized(bytes, { side: photoSides.content, quality });
  let photo = await withThumb(first);
  for (let tries = 0; sizeOf(photo) > photoLimits.storedBytes; tries++) {
    if (tries === triesMax) return { problem: tooCostly };
    // As many pixels fewer as it is too large, because transparency has only one quality.
    const scale = Math.sqrt(photoLimits.storedBytes / sizeOf(photo));
    const side = Math.floor(Math.max(photo.width, photo.height) * scale);
    photo = await withThumb(await resized(first, { side, quality: lowQuality }));
  }
  return photo;
}

const sizeOf = ({ content, thumb }: NewPhoto) => content.length + thumb.length;

async function withThumb(content: Uint8Array<ArrayBuffer>): Promise<NewPhoto> {
  const thumb = await resized(content, { side: photoSides.thumb, quality });
  const { width, height } = await new Bun.Image(content).metadata();
  return { content, thumb, width, height };
}

/** Scales a picture down, never up, after turning it as its camera was held. */
async function resized(
  bytes: Uint8Array<ArrayBuffer>,
  { side, quality }: { readonly side: number; readonly quality: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Bun.Image(bytes, { maxPixels })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality });
  return new Uint8Array(await image.bytes());
}
