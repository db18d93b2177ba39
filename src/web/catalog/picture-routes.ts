/** Pictures of items, from here alone. */

import { type ItemKind, itemKey } from '../../domain/catalog/numbers.ts';
import type { WebDeps } from '../deps.ts';
import noMinifig from '../kit/assets/no-minifig.svg' with { type: 'text' };
import noSet from '../kit/assets/no-set.svg' with { type: 'text' };
import { svgType } from '../kit/assets.ts';
import type { PageAnswer, PageRoute } from '../page.ts';
import { type FindPicture, pictureFinder } from './pictures.ts';

const drawings: Readonly<Record<ItemKind, string>> = { set: noSet, minifig: noMinifig };

/** How long browsers keep a picture, and a drawing that stands for one. */
const pictureSeconds = 86_400;
const drawingSeconds = 600;

/** One address per item; the drawing where no picture may be shown. */
export function pictureRoutes(deps: WebDeps): readonly PageRoute[] {
  const { pictureHosts: hosts, fetchOutside, clock: now } = deps;
  const find = pictureFinder({ hosts, fetchOutside, now });
  return (['set', 'minifig'] as const).map((kind) => ({
    access: 'open',
    path: `/pictures/${kind}/{number}`,
    get: ({ params }) => showPicture(deps, find, { kind, number: params.number ?? '' }),
  }));
}

async function showPicture(
  deps: WebDeps,
  find: FindPicture,
  { kind, number }: { readonly kind: ItemKind; readonly number: string },
): Promise<PageAnswer> {
  const body = await deps.findDocument(kind, itemKey(kind, number));
  const url: string | null = body === null ? null : JSON.parse(body).image_url;
  const picture = url === null ? null : await find(url);
  return picture
    ? { picture: picture.bytes, type: picture.type, seconds: pictureSeconds }
    : { picture: drawings[kind], type: svgType, seconds: drawingSeconds };
}
