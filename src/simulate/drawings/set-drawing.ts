/** Draws a set of the made-up market: its model on a plate, before a backdrop. */
import type { PictureItem } from '../../domain/catalog/picture-item.ts';
import { Random } from '../random.ts';
import { buildModel } from './models.ts';
import { bricks, drawPalette, type Palette } from './palettes.ts';
import { drawModel, type Model, pointOf, shade } from './voxels.ts';

/** The picture, as pages lay it out; a small one is a square in its middle. */
const frame = { width: 240, height: 180, margin: 10 };
const smallMargin = 4;

/** The plate reaches this far beyond the model. */
const plateMargin = 1;

/** Small things beside the model. */
const thingsCount = 7;

/** The drawing as SVG; a small one has no studs. */
export function drawSet(item: PictureItem, isSmall: boolean): string {
  const random = new Random(0, 'drawing', item.number);
  const palette = drawPalette(item.theme, random);
  const model = buildModel(item.name, random, palette);
  const plate = plateOf(model);
  scatter(model, random, { plate, palette });
  const content = drawPlate(plate, palette.ground) + drawModel(model, !isSmall);
  const { hue } = palette;
  return onBackdrop(`<g transform="${fit(model, plate, isSmall)}">${content}</g>`, {
    hue,
    isSmall,
  });
}

/** Puts a drawing before a backdrop in a soft color. */
export function onBackdrop(
  content: string,
  { hue, isSmall }: { readonly hue: number; readonly isSmall: boolean },
): string {
  const { width, height } = frame;
  const box = isSmall ? [(width - height) / 2, 0, height, height] : [0, 0, width, height];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}"><defs>` +
    `<linearGradient id="b" x2="0" y2="1"><stop stop-color="hsl(${hue} 48% 94%)"/>` +
    `<stop offset="1" stop-color="hsl(${hue} 38% 82%)"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#b)"/>${content}</svg>`
  );
}

interface Plate {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

function plateOf(model: Model): Plate {
  const bricksOfModel = model.list();
  const xs = bricksOfModel.map(({ x }) => x);
  const ys = bricksOfModel.map(({ y }) => y);
  return {
    from: [Math.min(...xs) - plateMargin, Math.min(...ys) - plateMargin],
    to: [Math.max(...xs) + 1 + plateMargin, Math.max(...ys) + 1 + plateMargin],
  };
}

/** Bushes, stones and flowers along the edges that are seen, so that no two sets look alike. */
function scatter(
  model: Model,
  random: Random,
  { plate, palette }: { readonly plate: Plate; readonly palette: Palette },
): void {
  const { from, to } = plate;
  const colors = [bricks.leaf, bricks.darkLeaf, bricks.gray, palette.accent, bricks.yellow];
  for (let thing = 0; thing < thingsCount; thing++) {
    const isLeft = random.chance(0.5);
    const x = isLeft ? from[0] + random.below(to[0] - from[0]) : to[0] - 1;
    const y = isLeft ? to[1] - 1 : from[1] + random.below(to[1] - from[1]);
    model.put(x, y, 0, random.pick(colors));
  }
}

/** How thick the plate is drawn. */
const plateEdge = 5;

function drawPlate({ from: [left, back], to: [right, front] }: Plate, color: string): string {
  const corner = (x: number, y: number) => pointOf(x, y, 0);
  const [west, north, east, south] = [
    corner(left, front),
    corner(left, back),
    corner(right, back),
    corner(right, front),
  ];
  const side = ([x = 0, y = 0]: readonly number[], factor: number) =>
    `<path fill="${shade(color, factor)}" ` +
    `d="M${x} ${y}L${south}v${plateEdge}L${x} ${y + plateEdge}z"/>`;
  const top = `<path fill="${color}" d="M${west}L${north}L${east}L${south}z"/>`;
  return top + side(west, 0.8) + side(east, 0.64);
}

/** Moves and scales what is drawn into the frame. */
function fit(model: Model, { from, to }: Plate, isSmall: boolean): string {
  const tops = model.list().map(({ x, y, z }) => pointOf(x, y, z + 1)[1]);
  const left = pointOf(from[0], to[1], 0)[0];
  const right = pointOf(to[0], from[1], 0)[0];
  const top = Math.min(...tops, pointOf(from[0], from[1], 0)[1]) - 3;
  const bottom = pointOf(to[0], to[1], 0)[1] + plateEdge;
  const { width, height } = frame;
  const margin = isSmall ? smallMargin : frame.margin;
  const scale = Math.min(
    ((isSmall ? height : width) - 2 * margin) / (right - left),
    (height - 2 * margin) / (bottom - top),
  );
  const x = width / 2 - (scale * (left + right)) / 2;
  const y = height / 2 - (scale * (top + bottom)) / 2;
  return `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`;
}
