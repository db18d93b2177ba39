/** Pictures of items, served from this site only. */

import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import type { PictureItem } from '../../catalog/pictures/picture-item.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import type { SetRecord } from '../../contract/set.ts';
import { svgType } from '../assets.ts';
import type { PictureSize } from '../kit/item-picture.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { readPictureSize } from './picture-sizes.ts';
import { type FindPicture, pictureFinder } from './pictures.ts';
import { drawPlaceholder } from './placeholder.ts';

/** How long browsers cache pictures and placeholders. */
const pictureSeconds = 86_400;
const placeholderSeconds = 600;

/** The pictures, or placeholders for missing ones. */
export function pictureRoutes(deps: WebDeps) {
  const find = pictureFinder({ ...deps.pictures, now: deps.clock });
  const show = (kind: ItemKind) => ({
    get: (_: WebDeps, { params, query }: PageRequest) => {
      const size = readPictureSize(query.get('size'));
      return showPicture(deps, find, { kind, number: params.number ?? '', size });
    },
  });
  return routes('open', {
    '/pictures/set/{number}': show('set'),
    '/pictures/minifig/{number}': show('minifig'),
  });
}

async function showPicture(
  deps: WebDeps,
  find: FindPicture,
  picture: { readonly kind: ItemKind; readonly number: string; readonly size: PictureSize },
): Promise<PageAnswer> {
  const { kind, number, size } = picture;
  const body = await deps.cache.findDocument(kind, itemKey(kind, number));
  if (body === null) return drawing(drawPlaceholder(kind, null), placeholderSeconds);
  const { item, url } = readItem(kind, JSON.parse(body));
  if (deps.pictures.draw) {
    return drawing(await deps.pictures.draw(item, size === 'thumb'), pictureSeconds);
  }
  const found = url === null ? null : await find(url, size);
  // Not cached, so that the next page shows the picture.
  if (found === 'pending') return drawing(drawPlaceholder(kind, item), 0);
  if (found === null) return drawing(drawPlaceholder(kind, item), placeholderSeconds);
  return { picture: found.bytes, type: found.type, seconds: pictureSeconds };
}

function drawing(picture: string, seconds: number): PageAnswer {
  return { picture, type: svgType, seconds };
}

/** Reads what a picture needs from the record of an item. */
function readItem(
  kind: ItemKind,
  record: SetRecord | MinifigRecord,
): { readonly item: PictureItem; readonly url: string | null } {
  const facts =
    'set_number' in record
      ? { number: record.set_number, name: record.title, theme: record.theme }
      : { number: record.minifig_number, name: record.name, theme: record.category };
  return { item: { kind, ...facts }, url: record.image_url };
}
