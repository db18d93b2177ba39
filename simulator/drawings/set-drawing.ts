/** Draws a simulated set: its brick model on a base plate. */
import type { Random } from '../market/random.ts';
import { buildModel } from './models.ts';
import { bricks, type Palette } from './palettes.ts';
import { drawModel, type Model, pointOf, shade } from './voxels.ts';

/** Size of all pictures; thumbnails show the square in the middle. */
export const frame = { width: 240, height: 180 };
const margin = 10;
const thumbnailMargin = 4;

/** How far the plate extends beyond the model, in bricks. */
const plateMargin = 1;

/** Bushes, stones and flowers on the plate. */
const decorationCount = 7;

export interface DrawingStyle {
  readonly random: Random;
  readonly palette: Palette;
  readonly isSmall: boolean;
}

/** SVG elements; thumbnails have no studs. */
export function drawSet(title: string, { random, palette, isSmall }: DrawingStyle): string {
  const model = buildModel(title, random, palette);
  const plate = plateOf(model);
  decorate(model, random, { plate, palette });
  const content = drawPlate(plate, palette.ground) + drawModel(model, !isSmall);
  return `<g transform="${fit(model, plate, isSmall)}">${content}</g>`;
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

/** Decorates the visible edges at random, so that no two sets look alike. */
function decorate(
  model: Model,
  random: Random,
  { plate, palette }: { readonly plate: Plate; readonly palette: Palette },
): void {
  const { from, to } = plate;
  const colors = [bricks.leaf, bricks.darkLeaf, bricks.gray, palette.accent, bricks.yellow];
  for (let count = 0; count < decorationCount; count++) {
    const isLeft = random.chance(0.5);
    const x = isLeft ? from[0] + random.below(to[0] - from[0]) : to[0] - 1;
    const y = isLeft ? to[1] - 1 : from[1] + random.below(to[1] - from[1]);
    model.put({ x, y, z: 0, color: random.pick(colors), isSmooth: false });
  }
}

/** Thickness of the plate in the drawing. */
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

/** The transform that fits model and plate into the frame. */
function fit(model: Model, { from, to }: Plate, isSmall: boolean): string {
  const tops = model.list().map(({ x, y, z }) => pointOf(x, y, z + 1)[1]);
  const left = pointOf(from[0], to[1], 0)[0];
  const right = pointOf(to[0], from[1], 0)[0];
  const top = Math.min(...tops, pointOf(from[0], from[1], 0)[1]) - 3;
  const bottom = pointOf(to[0], to[1], 0)[1] + plateEdge;
  const { width, height } = frame;
  const space = 2 * (isSmall ? thumbnailMargin : margin);
  const scale = Math.min(
    ((isSmall ? height : width) - space) / (right - left),
    (height - space) / (bottom - top),
  );
  const x = width / 2 - (scale * (left + right)) / 2;
  const y = height / 2 - (scale * (top + bottom)) / 2;
  return `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`;
}
