/** Pictures of the simulated market: every set and minifig has its own. */
import type { PictureItem } from '../../src/catalog/pictures/picture-item.ts';
import { Random } from '../market/random.ts';
import { drawMinifig } from './minifig-drawing.ts';
import { drawPalette } from './palettes.ts';
import { drawSet, frame } from './set-drawing.ts';

/** The SVG picture of an item, which depends on nothing but the item. */
export function drawItem({ kind, number, name, theme }: PictureItem, isSmall: boolean): string {
  const random = new Random(0, 'drawing', number);
  const palette = drawPalette(theme, random);
  const draw = kind === 'set' ? drawSet : drawMinifig;
  const content = draw(name, { random, palette, isSmall });
  const { width, height } = frame;
  const viewBox = isSmall ? [(width - height) / 2, 0, height, height] : [0, 0, width, height];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox.join(' ')}"><defs>` +
    `<linearGradient id="b" x2="0" y2="1"><stop stop-color="hsl(${palette.hue} 48% 94%)"/>` +
    `<stop offset="1" stop-color="hsl(${palette.hue} 38% 82%)"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#b)"/>${content}</svg>`
  );
}
