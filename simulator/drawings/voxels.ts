/**
 * Brick models in isometric projection. Every visible face consists of two triangles of one
 * lattice, so hidden surfaces are removed triangle by triangle.
 */

interface Brick {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly color: string;
  /** Without a stud. */
  readonly isSmooth: boolean;
}

/** Bricks on a grid, seen from above the corner where x and y are largest. */
export class Model {
  private readonly bricks = new Map<string, Brick>();

  put(brick: Brick): void {
    const { x, y, z } = brick;
    this.bricks.set(`${x},${y},${z}`, brick);
  }

  list(): readonly Brick[] {
    return [...this.bricks.values()];
  }
}

/** Half the width and a quarter of the height of a drawn brick. */
const unit = { x: 10, y: 5 };

type Side = 'top' | 'left' | 'right';

/** Brightness of each side. */
const light: Readonly<Record<Side, number>> = { top: 1.06, left: 0.84, right: 0.68 };

interface Face {
  readonly brick: Brick;
  readonly side: Side;
  /** Where the path starts, in lattice units. */
  readonly from: readonly [u: number, v: number];
  /** Keyed by column, side of the vertical edge (L or R) and the row where that edge starts. */
  readonly triangles: readonly [string, string];
}

/** SVG paths of a whole face and of its two triangles. */
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
    const visible = face.triangles.map((triangle) => nearest.get(triangle) === face);
    const [whole, first, second] = outlines[face.side];
    const outline = visible[0] ? (visible[1] ? whole : first) : visible[1] ? second : null;
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

/** One path per color: first the sides of all studs, then their tops. */
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

/** Projects a corner of the grid. */
export function pointOf(x: number, y: number, z: number): readonly [x: number, y: number] {
  return [(x - y) * unit.x, (x + y - 2 * z) * unit.y];
}

/** Makes a hex color lighter (above 1) or darker (below 1). */
export function shade(hex: string, factor: number): string {
  const parts = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  const lit = parts.map((part) => Math.max(0, Math.min(255, Math.round(part * factor))));
  return `#${lit.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
