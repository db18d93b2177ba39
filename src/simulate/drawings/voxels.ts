/**
 * Models built of bricks on a grid, drawn from above a corner. Seen from there every face consists
 * of two triangles of one lattice, so that what hides what is decided triangle by triangle.
 */

/** A brick of a model. */
interface Brick {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly color: string;
  readonly isSmooth: boolean;
}

/** Where a box of bricks begins, and how large it is. */
export interface BrickBox {
  readonly at: readonly [x: number, y: number, z: number];
  readonly size: readonly [x: number, y: number, z: number];
}

/** A model: bricks on a grid. The viewer sees the sides where x and y are largest, and the top. */
export class Model {
  private readonly bricks = new Map<string, Brick>();

  /** Puts a brick; smooth ones have no stud. */
  put(x: number, y: number, z: number, color: string, isSmooth = false): void {
    this.bricks.set(`${x},${y},${z}`, { x, y, z, color, isSmooth });
  }

  /** Fills a box with bricks. */
  fill({ at: [x, y, z], size: [w, d, h] }: BrickBox, color: string, isSmooth = false): void {
    for (let i = 0; i < w; i++)
      for (let j = 0; j < d; j++)
        for (let k = 0; k < h; k++) this.put(x + i, y + j, z + k, color, isSmooth);
  }

  /** Fills a ball, stretched along each axis, around a point. */
  ball({ at: [x, y, z], size: [rx, ry, rz] }: BrickBox, color: string): void {
    for (let i = Math.floor(x - rx); i <= x + rx; i++)
      for (let j = Math.floor(y - ry); j <= y + ry; j++)
        for (let k = Math.floor(z - rz); k <= z + rz; k++) {
          const far = ((i - x) / rx) ** 2 + ((j - y) / ry) ** 2 + ((k - z) / rz) ** 2;
          if (far <= 1 && k >= 0) this.put(i, j, k, color);
        }
  }

  /** A roof of steps that ends in a ridge along x, or in a point. */
  roof({ at: [x, y, z], size: [w, d] }: BrickBox, color: string, isPointed: boolean): void {
    for (let step = 0; 2 * step < d && (!isPointed || 2 * step < w); step++) {
      const inset = isPointed ? step : 0;
      const size = [w - 2 * inset, d - 2 * step, 1] as const;
      this.fill({ at: [x + inset, y + step, z + step], size }, color, true);
    }
  }

  /** Takes bricks out of a box. */
  clear({ at: [x, y, z], size: [w, d, h] }: BrickBox): void {
    for (let i = 0; i < w; i++)
      for (let j = 0; j < d; j++)
        for (let k = 0; k < h; k++) this.bricks.delete(`${x + i},${y + j},${z + k}`);
  }

  list(): readonly Brick[] {
    return [...this.bricks.values()];
  }
}

/** Half the width of a brick as it is drawn, and a quarter of its height. */
const unit = { x: 10, y: 5 };

type Side = 'top' | 'left' | 'right';

/** How light falls on each side. */
const light: Readonly<Record<Side, number>> = { top: 1.06, left: 0.84, right: 0.68 };

/** A triangle is named by its column, the side of its upright edge, and where that begins. */
interface Face {
  readonly brick: Brick;
  readonly side: Side;
  /** The corner that the path begins at, in units. */
  readonly from: readonly [u: number, v: number];
  readonly triangles: readonly [string, string];
}

/** The paths of a whole face, of its first triangle and of its second. */
const outlines: Readonly<Record<Side, readonly [whole: string, first: string, second: string]>> = {
  top: ['l10 5-10 5-10-5z', 'v10l-10-5z', 'v10l10-5z'],
  left: ['l10 5v10l-10-5z', 'l10 5-10 5z', 'm10 5v10l-10-5z'],
  right: ['l10-5v10l-10 5z', 'v10l10-5z', 'l10-5v10z'],
};

function facesOf(brick: Brick): readonly Face[] {
  const { x, y, z } = brick;
  const u = x - y;
  const v = x + y - 2 * (z + 1);
  return [
    { brick, side: 'top', from: [u, v], triangles: [`${u - 1}R${v}`, `${u}L${v}`] },
    {
      brick,
      side: 'left',
      from: [u - 1, v + 1],
      triangles: [`${u - 1}L${v + 1}`, `${u - 1}R${v + 2}`],
    },
    { brick, side: 'right', from: [u, v + 2], triangles: [`${u}L${v + 2}`, `${u}R${v + 1}`] },
  ];
}

/** Draws a model; without studs where it is small. */
export function drawModel(model: Model, hasStuds: boolean): string {
  const faces = model.list().flatMap(facesOf);
  const nearest = new Map<string, Face>();
  for (const face of faces) {
    for (const triangle of face.triangles) {
      const before = nearest.get(triangle);
      if (!before || depth(before) < depth(face)) nearest.set(triangle, face);
    }
  }
  const paths = new Map<string, string>();
  const studs: Face[] = [];
  for (const face of faces) {
    const seen = face.triangles.map((triangle) => nearest.get(triangle) === face);
    const [whole, first, second] = outlines[face.side];
    const outline = seen[0] ? (seen[1] ? whole : first) : seen[1] ? second : null;
    if (outline === null) continue;
    const fill = shade(face.brick.color, light[face.side]);
    paths.set(fill, `${paths.get(fill) ?? ''}M${place(face.from)}${outline}`);
    if (face.side === 'top' && outline === whole && !face.brick.isSmooth) studs.push(face);
  }
  const svg = [...paths].map(([fill, d]) => `<path fill="${fill}" stroke="${fill}" d="${d}"/>`);
  return `<g stroke-width=".4">${svg.join('')}</g>${hasStuds ? drawStuds(studs) : ''}`;
}

function depth({ brick: { x, y, z } }: Face): number {
  return x + y + z;
}

function place([u, v]: readonly [number, number]): string {
  return `${u * unit.x} ${v * unit.y}`;
}

/** Studs stand on whole tops: their sides in one path for each color, then their tops. */
function drawStuds(faces: readonly Face[]): string {
  const paths = new Map<string, string>();
  const add = (fill: string, d: string) => paths.set(fill, (paths.get(fill) ?? '') + d);
  for (const { brick, from } of faces) {
    const [x, y] = [from[0] * unit.x - 5, (from[1] + 1) * unit.y];
    add(shade(brick.color, 0.72), `M${x} ${y}v-3h10v3a5 2.5 0 0 1-10 0`);
  }
  for (const { brick, from } of faces) {
    const [x, y] = [from[0] * unit.x - 5, (from[1] + 1) * unit.y - 3];
    add(shade(brick.color, 1.16), `M${x} ${y}a5 2.5 0 0 1 10 0 5 2.5 0 0 1-10 0`);
  }
  return [...paths].map(([fill, d]) => `<path fill="${fill}" d="${d}"/>`).join('');
}

/** Where a corner of the grid is drawn. */
export function pointOf(x: number, y: number, z: number): readonly [x: number, y: number] {
  return [(x - y) * unit.x, (x + y - 2 * z) * unit.y];
}

/** A color, lighter or darker by a factor. */
export function shade(hex: string, factor: number): string {
  const parts = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  const lit = parts.map((part) => Math.max(0, Math.min(255, Math.round(part * factor))));
  return `#${lit.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
