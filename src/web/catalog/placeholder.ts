/** Placeholders for missing pictures: a brick or a figure in the color of the theme. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { PictureItem } from '../../catalog/pictures/picture-item.ts';

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
export function drawPlaceholder(kind: ItemKind, item: PictureItem | null): string {
  const color = item?.theme ? themeColor(item.theme) : neutral;
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

/** A color derived from the name of the theme. */
function themeColor(theme: string): string {
  return `hsl(${Bun.hash.crc32(theme) % 360} 40% 52%)`;
}
