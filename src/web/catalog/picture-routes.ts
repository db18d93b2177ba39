/** Pictures of items, served from this site only, and placeholders for missing ones. */

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

/** How long browsers cache pictures and placeholders. */
const pictureSeconds = 86_400;
const placeholderSeconds = 600;

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

/** The color if the theme is unknown. */
const neutral = '#8a96a6';

const shapes: Readonly<Record<ItemKind, string>> = {
  set:
    '<rect x="62" y="76" width="116" height="52" rx="6"/>' +
    '<rect x="78" y="58" width="26" height="24" rx="5"/>' +
    '<rect x="136" y="58" width="26" height="24" rx="5"/>',
  minifig:
    '<rect x="109" y="14" width="22" height="10" rx="3"/>' +
    '<rect x="100" y="24" width="40" height="35" rx="10"/>' +
    '<path d="M98 63h44l9 39H89z"/>' +
    '<rect x="91" y="106" width="27" height="26" rx="3"/>' +
    '<rect x="122" y="106" width="27" height="26" rx="3"/>',
};

/** Draws the placeholder of an item; null if the item is unknown. */
function drawPlaceholder(kind: ItemKind, item: PictureItem | null): string {
  const color = item?.theme ? `hsl(${Bun.hash.crc32(item.theme) % 360} 40% 52%)` : neutral;
  const number = item
    ? `<text x="120" y="162" font-family="system-ui,sans-serif" font-size="20" ` +
      `text-anchor="middle" fill="${neutral}">${Bun.escapeHTML(item.number)}</text>`
    : '';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 180"><title>No picture</title>' +
    `<rect width="240" height="180" fill="${color}" fill-opacity="0.12"/>` +
    `<g fill="${color}" opacity="0.6">${shapes[kind]}</g>${number}</svg>`
  );
}
