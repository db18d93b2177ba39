/** What the sets of the made-up market show: one builder for each kind of thing. */
import type { Random } from '../random.ts';
import { bricks, type Palette } from './palettes.ts';
import { Model } from './voxels.ts';

/** Builds a model around the middle of its plate. */
type Builder = (model: Model, random: Random, palette: Palette) => void;

const { white, black, gray, darkGray, glass, wood, darkWood, leaf, darkLeaf, water } = bricks;

/** Windows on the sides that are seen, every other brick. */
function windows(
  m: Model,
  [x, y, z]: readonly [number, number, number],
  size: readonly [number, number],
  color: string = glass,
): void {
  const [w, d] = size;
  for (let i = 1; i < w - 1; i += 2) m.put(x + i, y + d - 1, z, color, true);
  for (let j = 1; j < d - 1; j += 2) m.put(x + w - 1, y + j, z, color, true);
}

function crenels(
  m: Model,
  [x, y, z]: readonly [number, number, number],
  [w, d]: readonly [number, number],
  color: string,
): void {
  for (let i = 0; i < w; i++)
    for (let j = 0; j < d; j++) {
      const isEdge = i === 0 || j === 0 || i === w - 1 || j === d - 1;
      if (isEdge && (i + j) % 2 === 0) m.put(x + i, y + j, z, color);
    }
}

function flag(m: Model, x: number, y: number, z: number, color: string): void {
  m.fill({ at: [x, y, z], size: [1, 1, 2] }, darkGray, true);
  m.put(x, y, z + 2, color, true);
  m.put(x + 1, y, z + 2, color, true);
}

const castle: Builder = (m, r, p) => {
  const wide = 6 + r.below(3);
  const high = 2 + r.below(2);
  m.fill({ at: [0, 0, 0], size: [wide, wide, high] }, p.main);
  m.clear({ at: [1, 1, 1], size: [wide - 2, wide - 2, high] });
  crenels(m, [0, 0, high], [wide, wide], p.main);
  const gate = Math.floor(wide / 2) - 1;
  m.fill({ at: [gate, wide - 1, 0], size: [2, 1, 2] }, darkWood, true);
  const tall = high + 2 + r.below(3);
  const isPointed = r.chance(0.6);
  for (const [x, y] of [
    [-1, -1],
    [wide - 1, -1],
    [-1, wide - 1],
    [wide - 1, wide - 1],
  ] as const) {
    m.fill({ at: [x, y, 0], size: [2, 2, tall] }, p.second);
    if (isPointed) m.roof({ at: [x, y, tall], size: [2, 2, 1] }, p.roof, true);
    else crenels(m, [x, y, tall], [2, 2], p.second);
  }
  const keep = tall + 1 + r.below(3);
  m.fill({ at: [2, 1, 0], size: [3, 3, keep] }, p.main);
  windows(m, [2, 1, keep - 2], [3, 3]);
  m.roof({ at: [2, 1, keep], size: [3, 3, 1] }, p.roof, true);
  flag(m, 3, 2, keep + 2, p.accent);
};

const tower: Builder = (m, r, p) => {
  const wide = 4 + r.below(2);
  const high = 7 + r.below(4);
  m.fill({ at: [-1, -1, 0], size: [wide + 2, wide + 2, 1] }, p.second);
  m.fill({ at: [0, 0, 1], size: [wide, wide, high] }, p.main);
  for (let z = 3; z < high; z += 3) windows(m, [0, 0, z], [wide, wide]);
  m.fill({ at: [1, wide - 1, 1], size: [1, 1, 2] }, darkWood, true);
  m.fill({ at: [-1, -1, high + 1], size: [wide + 2, wide + 2, 1] }, p.second);
  if (r.chance(0.6))
    m.roof({ at: [-1, -1, high + 2], size: [wide + 2, wide + 2, 1] }, p.roof, true);
  else crenels(m, [-1, -1, high + 2], [wide + 2, wide + 2], p.second);
  if (r.chance(0.5)) {
    m.fill({ at: [wide, 0, 1], size: [3, 3, 3] }, p.main);
    m.roof({ at: [wide, 0, 4], size: [3, 3, 1] }, p.roof, false);
  }
};

const house: Builder = (m, r, p) => {
  const [w, d] = [6 + r.below(3), 5 + r.below(2)];
  const storeys = 1 + r.below(3);
  for (let storey = 0; storey < storeys; storey++) {
    const z = 3 * storey;
    m.fill({ at: [0, 0, z], size: [w, d, 3] }, storey % 2 === 0 ? p.main : p.second);
    windows(m, [0, 0, z + 1], [w, d]);
    m.fill({ at: [0, 0, z + 2], size: [w, d, 1] }, storey % 2 === 0 ? p.second : p.main, true);
  }
  const door = 1 + r.below(w - 2);
  m.fill({ at: [door, d - 1, 0], size: [1, 1, 2] }, darkWood, true);
  if (r.chance(0.7)) {
    for (let i = 0; i < w; i++) m.put(i, d, 2, i % 2 === 0 ? p.accent : white, true);
  }
  const top = 3 * storeys;
  if (r.chance(0.6)) {
    m.roof({ at: [-1, -1, top], size: [w + 2, d + 2, 1] }, p.roof, false);
    m.fill({ at: [1, 1, top + 1], size: [1, 1, 3] }, darkGray);
  } else {
    crenels(m, [0, 0, top], [w, d], p.second);
    m.fill({ at: [2, 1, top], size: [2, 2, 1 + r.below(2)] }, p.accent);
  }
};

const ship: Builder = (m, r, p) => {
  const long = 10 + r.below(3);
  for (let z = 0; z < 3; z++) {
    const from = 2 - z;
    m.fill(
      { at: [from, 1, z], size: [long - 2 * from + (z === 2 ? 1 : 0), 4, 1] },
      z === 1 ? p.accent : p.main,
    );
  }
  m.fill({ at: [-1, 1, 3], size: [3, 4, 2] }, p.second);
  windows(m, [-1, 1, 3], [3, 4], bricks.gold);
  m.fill({ at: [long, 2, 3], size: [2, 2, 1] }, p.main);
  const sail = r.chance(0.5) ? white : p.roof;
  const masts = 1 + r.below(3);
  for (let mast = 0; mast < masts; mast++) {
    const x = 3 + Math.floor((mast * (long - 3)) / masts);
    const high = 7 + r.below(3);
    m.fill({ at: [x, 2, 3], size: [1, 1, high] }, darkWood, true);
    m.fill({ at: [x, 0, 5], size: [1, 6, 2] }, sail, true);
    m.fill({ at: [x, 1, 8], size: [1, 4, high - 6] }, sail, true);
    m.put(x, 2, high + 3, p.accent, true);
  }
};

const submarine: Builder = (m, r, p) => {
  const long = 4 + r.below(2);
  m.ball({ at: [4, 3, 2], size: [long + 0.4, 2.6, 2.4] }, p.main);
  m.fill({ at: [3, 2, 4], size: [3, 2, 2] }, p.accent);
  m.fill({ at: [4, 2, 6], size: [1, 1, 2] }, darkGray, true);
  for (let x = 1; x < 8; x += 2) m.put(x, 5, 2, glass, true);
  m.fill({ at: [-2, 1, 2], size: [1, 5, 1] }, p.second);
  m.fill({ at: [-2, 3, 1], size: [1, 1, 3] }, p.second);
};

function wheels(
  m: Model,
  xs: readonly number[],
  [near, far]: readonly [number, number],
  size = 2,
): void {
  for (const x of xs) {
    for (const y of [near, far]) m.fill({ at: [x, y, 0], size: [size, 1, size] }, black, true);
    m.put(x, near, size - 1, darkGray, true);
  }
}

const car: Builder = (m, r, p) => {
  const long = 8 + r.below(3);
  wheels(m, [1, long - 3], [4, -1]);
  m.fill({ at: [0, 0, 1], size: [long, 4, 1] }, p.second);
  m.fill({ at: [0, 0, 2], size: [long, 4, 1] }, p.main);
  const cabin = 2 + r.below(2);
  m.fill({ at: [cabin, 0, 3], size: [long - cabin - 3, 4, 1] }, glass, true);
  m.fill({ at: [cabin, 0, 4], size: [long - cabin - 3, 4, 1] }, p.main, true);
  if (r.chance(0.5)) m.fill({ at: [0, 1, 2], size: [long, 1, 1] }, p.accent, true);
  if (r.chance(0.4)) {
    m.put(0, 1, 3, p.second, true);
    m.fill({ at: [0, 0, 4], size: [1, 4, 1] }, p.accent, true);
  }
  m.put(long - 1, 0, 2, bricks.yellow, true);
  m.put(long - 1, 3, 2, bricks.yellow, true);
};

const truck: Builder = (m, r, p) => {
  const long = 11;
  wheels(m, [0, 3, long - 3], [4, -1]);
  m.fill({ at: [-1, 0, 1], size: [long, 4, 1] }, p.second);
  m.fill({ at: [7, 0, 2], size: [3, 4, 4] }, p.main);
  m.fill({ at: [9, 0, 4], size: [1, 4, 1] }, glass, true);
  m.put(8, 3, 4, glass, true);
  if (r.chance(0.5)) {
    m.fill({ at: [-1, 0, 2], size: [7, 4, 4] }, p.accent);
    m.fill({ at: [-1, 0, 4], size: [7, 4, 1] }, p.roof);
    return;
  }
  const reach = 5 + r.below(3);
  m.fill({ at: [1, 1, 2], size: [3, 2, 2] }, p.accent);
  for (let step = 0; step < reach; step++)
    m.fill({ at: [2 - Math.floor(step / 2), 1, 4 + step], size: [1, 2, 1] }, p.main);
  m.fill({ at: [2 - Math.floor(reach / 2), 1, 4 + reach], size: [5, 2, 1] }, p.main);
  m.fill({ at: [6 - Math.floor(reach / 2), 1, 2 + reach], size: [1, 1, 2] }, black, true);
};

const train: Builder = (m, r, p) => {
  const isSteam = r.chance(0.6);
  for (let x = -2; x < 12; x += 2) m.fill({ at: [x, -1, 0], size: [1, 6, 1] }, darkWood, true);
  m.fill({ at: [-2, 0, 1], size: [14, 1, 1] }, gray, true);
  m.fill({ at: [-2, 3, 1], size: [14, 1, 1] }, gray, true);
  m.fill({ at: [-1, 0, 2], size: [11, 4, 1] }, black, true);
  if (isSteam) {
    m.fill({ at: [2, 0, 3], size: [8, 4, 2] }, p.main, true);
    m.fill({ at: [2, 1, 5], size: [8, 2, 1] }, p.main, true);
    m.fill({ at: [5, 0, 3], size: [1, 4, 2] }, p.accent, true);
    m.fill({ at: [8, 1, 6], size: [2, 2, 2] }, black);
    m.fill({ at: [-1, 0, 3], size: [3, 4, 4] }, p.second);
    windows(m, [-1, 0, 5], [3, 4]);
    m.fill({ at: [-2, -1, 7], size: [5, 6, 1] }, p.roof, true);
    return;
  }
  m.fill({ at: [-1, 0, 3], size: [11, 4, 3] }, p.main);
  m.fill({ at: [-1, 0, 3], size: [11, 4, 1] }, p.accent);
  for (let x = 0; x < 10; x += 2) m.put(x, 3, 4, glass, true);
  m.fill({ at: [9, 1, 4], size: [1, 2, 1] }, glass, true);
  m.fill({ at: [-1, 0, 6], size: [11, 4, 1] }, p.roof, true);
};

const rocket: Builder = (m, r, p) => {
  const high = 8 + r.below(4);
  for (const [x, y] of [
    [-1, 1],
    [4, 1],
    [1, 4],
    [1, -1],
  ] as const)
    m.fill({ at: [x, y, 0], size: [1, 1, 3] }, p.accent);
  m.fill({ at: [0, 0, 1], size: [4, 4, high] }, p.main);
  m.fill({ at: [0, 0, 3], size: [4, 4, 1] }, p.roof);
  m.fill({ at: [0, 0, high - 1], size: [4, 4, 1] }, p.roof);
  for (let z = 5; z < high - 1; z += 2) windows(m, [0, 0, z], [4, 4]);
  m.fill({ at: [0, 0, high + 1], size: [4, 4, 1] }, p.accent, true);
  m.fill({ at: [1, 1, high + 2], size: [2, 2, 2] }, p.accent, true);
};

const shuttle: Builder = (m, r, p) => {
  const long = 9 + r.below(3);
  m.fill({ at: [0, 2, 1], size: [long, 3, 2] }, p.main);
  m.fill({ at: [long, 2, 1], size: [1, 3, 1] }, p.main, true);
  m.fill({ at: [long - 3, 2, 3], size: [2, 3, 1] }, glass, true);
  for (let step = 0; step < 4; step++) {
    m.fill({ at: [step, 5 + step, 1], size: [5 - step, 1, 1] }, p.roof);
    m.fill({ at: [step, 1 - step, 1], size: [5 - step, 1, 1] }, p.roof);
  }
  m.fill({ at: [0, 3, 3], size: [2, 1, 1 + r.below(3)] }, p.accent);
  m.fill({ at: [-1, 2, 1], size: [1, 3, 2] }, p.second);
  m.fill({ at: [3, 2, 2], size: [2, 3, 1] }, p.accent);
};

const rover: Builder = (m, r, p) => {
  wheels(m, [0, 3, 6], [5, -1]);
  m.fill({ at: [0, 0, 2], size: [8, 5, 1] }, p.second);
  m.fill({ at: [1, 1, 3], size: [5 + r.below(2), 3, 2] }, p.main);
  windows(m, [1, 1, 3], [6, 3]);
  m.fill({ at: [2, 2, 5], size: [1, 1, 2 + r.below(3)] }, gray, true);
  m.fill({ at: [1, 1, 7 + r.below(2)], size: [3, 3, 1] }, p.accent);
  m.fill({ at: [7, 1, 3], size: [1, 3, 1] }, p.roof);
};

const station: Builder = (m, r, p) => {
  const round = 3 + r.below(2);
  m.fill({ at: [-1, -1, 0], size: [2 * round + 3, 2 * round + 3, 1] }, p.second);
  m.ball(
    { at: [round, round, 1], size: [round + 0.3, round + 0.3, round + 0.6] },
    r.chance(0.5) ? glass : p.main,
  );
  m.fill({ at: [0, 2 * round, 1], size: [3, 2, 2] }, p.main);
  m.put(1, 2 * round + 1, 1, darkGray, true);
  m.fill({ at: [2 * round, 0, 1], size: [2, 3, 3 + r.below(3)] }, p.main);
  m.fill({ at: [2 * round, 0, 4], size: [2, 3, 1] }, p.accent);
  flag(m, round, round, round + 1, p.accent);
};

const robot: Builder = (m, r, p) => {
  const legs = 3 + r.below(2);
  for (const x of [0, 4]) {
    m.fill({ at: [x, 0, 0], size: [2, 3, 1] }, p.second);
    m.fill({ at: [x, 0, 1], size: [2, 2, legs] }, p.main);
  }
  m.fill({ at: [0, 0, legs], size: [6, 3, 1] }, p.second);
  m.fill({ at: [-1, 0, legs + 1], size: [8, 3, 3] }, p.main);
  m.fill({ at: [2, 2, legs + 2], size: [2, 1, 1] }, p.accent, true);
  for (const x of [-3, 7]) {
    m.fill({ at: [x, 0, legs - 1], size: [2, 2, 4 + r.below(2)] }, p.roof);
    m.fill({ at: [x, 1, legs - 1], size: [2, 2, 1] }, p.second);
  }
  m.fill({ at: [1, 0, legs + 4], size: [4, 3, 3] }, p.second);
  m.put(2, 2, legs + 5, p.accent, true);
  m.put(4, 2, legs + 5, p.accent, true);
  if (r.chance(0.6)) m.fill({ at: [2, 1, legs + 7], size: [1, 1, 2] }, p.accent, true);
};

const creature: Builder = (m, r, p) => {
  const body = r.pick([p.main, p.accent, p.roof]);
  const legs = 1 + r.below(3);
  const long = 5 + r.below(3);
  for (const x of [0, long - 2])
    for (const y of [0, 3]) m.fill({ at: [x, y, 0], size: [2, 1, legs] }, p.second);
  m.fill({ at: [0, 0, legs], size: [long, 4, 3] }, body);
  m.fill({ at: [1, 1, legs], size: [long - 1, 3, 1] }, p.second);
  const neck = r.below(4);
  m.fill({ at: [long - 1, 1, legs + 3], size: [2, 2, neck] }, body);
  const head = legs + 2 + neck;
  m.fill({ at: [long - 1, 0, head], size: [4, 4, 3] }, body);
  m.put(long + 1, 3, head + 1, black, true);
  m.put(long + 2, 1, head, black, true);
  for (const y of [0, 3])
    m.fill({ at: [long - 1, y, head + 3], size: [1, 1, 1 + r.below(2)] }, p.accent);
  const tail = 2 + r.below(4);
  for (let step = 0; step < tail; step++)
    m.fill({ at: [-1 - step, 1, legs + 1 + Math.floor(step / 2)], size: [1, 2, 2] }, body);
  if (r.chance(0.4)) for (let x = 0; x < long; x += 2) m.put(x, 1, legs + 3, p.accent);
};

const dragon: Builder = (m, r, p) => {
  const span = 3 + r.below(3);
  creature(m, r, { ...p, main: p.roof, accent: p.roof });
  for (let step = 0; step < span; step++) {
    m.fill({ at: [1, 4 + step, 5 + step], size: [4 - Math.floor(step / 2), 1, 1] }, p.accent);
    m.fill({ at: [1, -1 - step, 5 + step], size: [4 - Math.floor(step / 2), 1, 1] }, p.accent);
  }
};

const tree: Builder = (m, r, p) => {
  const high = 4 + r.below(3);
  const crown = 3 + r.below(2);
  const green = r.pick([leaf, darkLeaf, '#d98fb3', '#d9822b']);
  m.fill({ at: [2, 2, 0], size: [2, 2, high] }, wood);
  m.ball({ at: [2.5, 2.5, high + crown - 1], size: [crown + 0.3, crown + 0.3, crown] }, green);
  if (r.chance(0.6)) {
    m.fill({ at: [-1, 1, high - 1], size: [8, 6, 1] }, p.second);
    m.fill({ at: [3, 3, high], size: [4, 4, 3] }, p.main);
    windows(m, [3, 3, high + 1], [4, 4]);
    m.roof({ at: [2, 2, high + 3], size: [6, 6, 1] }, p.roof, false);
    for (let z = 0; z < high; z++) m.put(6, 7, z, darkWood, true);
  }
};

const flowers: Builder = (m, r, p) => {
  const wide = 6 + r.below(2);
  m.fill({ at: [0, 0, 0], size: [wide, wide, 2] }, p.main);
  m.fill({ at: [1, 1, 1], size: [wide - 2, wide - 2, 1] }, darkWood);
  for (let stem = 0; stem < 6; stem++) {
    const [x, y] = [1 + r.below(wide - 2), 1 + r.below(wide - 2)];
    const high = 2 + r.below(6);
    m.fill({ at: [x, y, 2], size: [1, 1, high] }, leaf, true);
    const bloom = r.pick([p.accent, white, '#e4572e', '#f3a712', '#d65db1', '#7a6fd0']);
    for (const [i, j] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const)
      m.put(x + i, y + j, 2 + high, bloom);
    m.put(x, y, 2 + high, bricks.yellow);
  }
};

const bridge: Builder = (m, r, p) => {
  const long = 12;
  const high = 3 + r.below(2);
  m.fill({ at: [-1, -2, 0], size: [long + 2, 8, 1] }, water, true);
  m.fill({ at: [-1, 0, high], size: [long + 2, 4, 1] }, p.second);
  for (const x of [0, long - 2, Math.floor(long / 2) - 1])
    m.fill({ at: [x, 0, 0], size: [2, 4, high] }, p.main);
  const rise = 4 + r.below(4);
  for (const x of [1, long - 2]) {
    for (const y of [0, 3]) m.fill({ at: [x, y, high + 1], size: [1, 1, rise] }, p.accent);
    m.fill({ at: [x, 0, high + rise], size: [1, 4, 1] }, p.accent);
  }
  for (let x = -1; x <= long; x += 2) m.put(x, 3, high + 1, p.main);
};

const temple: Builder = (m, r, p) => {
  const steps = 3 + r.below(2);
  const wide = 2 * steps + 4;
  for (let step = 0; step < steps; step++) {
    const size = wide - 2 * step;
    m.fill(
      { at: [step, step, 2 * step], size: [size, size, 2] },
      step % 2 === 0 ? p.main : p.second,
    );
  }
  const middle = Math.floor(wide / 2) - 1;
  for (let step = 0; step < 2 * steps; step++) {
    m.fill(
      { at: [middle, wide - 1 - Math.floor(step / 2), 0], size: [2, 1, step + 1] },
      p.accent,
      true,
    );
  }
  m.fill({ at: [steps + 1, steps + 1, 2 * steps], size: [2, 2, 2] }, p.main);
  m.fill({ at: [steps, steps, 2 * steps + 2], size: [4, 4, 1] }, p.roof);
  if (r.chance(0.5)) m.fill({ at: [0, 1, 2], size: [1, 2, 4] }, leaf);
};

const lighthouse: Builder = (m, r, p) => {
  const high = 8 + r.below(3);
  const other = r.chance(0.5) ? bricks.red : p.roof;
  m.fill({ at: [-2, -2, 0], size: [8, 8, 1] }, gray);
  for (let z = 0; z < high; z++) {
    const inset = z < high / 2 ? 0 : 0.5;
    m.ball(
      { at: [1.5, 1.5, z + 1], size: [2.4 - inset, 2.4 - inset, 0.5] },
      Math.floor(z / 2) % 2 === 0 ? white : other,
    );
  }
  m.fill({ at: [0, 0, high + 1], size: [4, 4, 1] }, darkGray, true);
  m.fill({ at: [1, 1, high + 2], size: [2, 2, 2] }, bricks.yellow, true);
  m.roof({ at: [0, 0, high + 4], size: [4, 4, 1] }, other, true);
  m.fill({ at: [3, 3, 1], size: [3, 3, 2] }, p.main);
  m.roof({ at: [3, 3, 3], size: [3, 3, 1] }, p.roof, false);
};

const windmill: Builder = (m, r, p) => {
  const high = 7 + r.below(2);
  m.fill({ at: [0, 0, 0], size: [5, 5, 3] }, p.second);
  m.fill({ at: [0, 0, 3], size: [5, 5, high - 3] }, p.main);
  windows(m, [0, 0, 4], [5, 5]);
  m.roof({ at: [-1, -1, high], size: [7, 7, 1] }, p.roof, true);
  const [x, z] = [2, high - 1];
  for (let step = -5; step <= 5; step++) {
    m.put(x + step, 5, z, white, true);
    m.put(x, 5, z + step, white, true);
    if (step > 0) m.put(x + step, 5, z + 1, p.accent, true);
    if (step < 0) m.put(x + step, 5, z - 1, p.accent, true);
  }
  m.put(x, 6, z, black);
};

const balloon: Builder = (m, r, p) => {
  const round = 4 + r.below(2);
  m.fill({ at: [2, 2, 0], size: [3, 3, 2] }, wood);
  for (const [x, y] of [
    [2, 4],
    [4, 4],
    [4, 2],
  ] as const)
    m.fill({ at: [x, y, 2], size: [1, 1, 3] }, darkWood, true);
  const stripes = [p.accent, white, p.roof];
  for (let x = -round; x <= round; x++) {
    const side = Math.sqrt(Math.max(0, (round + 0.3) ** 2 - x ** 2));
    m.ball(
      { at: [3 + x, 3, 5 + round], size: [0.4, side, side] },
      stripes[Math.floor((x + 9) / 2) % 3] ?? white,
    );
  }
};

const carousel: Builder = (m, r, p) => {
  m.ball({ at: [3, 3, 0], size: [5.2, 5.2, 0.6] }, p.second);
  m.ball({ at: [3, 3, 1], size: [3.6, 3.6, 0.6] }, r.chance(0.5) ? water : p.main);
  const high = 4 + r.below(3);
  m.fill({ at: [3, 3, 1], size: [1, 1, high] }, p.accent);
  for (const [x, y] of [
    [0, 3],
    [6, 3],
    [3, 0],
    [3, 6],
  ] as const)
    m.fill({ at: [x, y, 2], size: [1, 1, high - 1] }, white, true);
  for (let step = 0; step < 4; step++) {
    m.ball(
      { at: [3, 3, high + 1 + step], size: [4.4 - step, 4.4 - step, 0.5] },
      step % 2 === 0 ? p.roof : white,
    );
  }
};

const rocks: Builder = (m, r, p) => {
  const stone = r.pick([gray, darkGray, p.second]);
  for (let x = 0; x < 8; x++)
    for (let y = 0; y < 8; y++) {
      const high = Math.max(1, 9 - x - y + r.below(3));
      m.fill({ at: [x, y, 0], size: [1, 1, high] }, r.chance(0.15) ? darkLeaf : stone);
    }
  for (let step = 0; step < 8; step++)
    m.fill({ at: [3, step, 0], size: [2, 1, Math.max(1, 8 - step)] }, water, true);
  m.fill({ at: [6, 1, 3], size: [2, 2, 2] }, p.main);
  m.roof({ at: [5, 0, 5], size: [4, 4, 1] }, p.roof, false);
};

/** What each word of a title is built as. */
const byWord: Readonly<Record<string, Builder>> = Object.fromEntries(
  (
    [
      [castle, 'Castle,Keep,Citadel,Gatehouse,Fort,Throne Room,Gate,Siege Engine'],
      [tower, 'Tower,Watchtower,Chapel,Observatory,Forge,Town Hall,Signal Box'],
      [
        house,
        'Tavern,Library,Market,Bakery,Bookshop,Cinema,Fire House,Clinic,School,Café,Hotel,' +
          'Post Office,Corner Shop,Pâtisserie,Workshop,Cabin,Barn,Outpost,Camp',
      ],
      [ship, 'Galleon,Schooner,Raft,Trawler,Shipwreck'],
      [submarine, 'Submarine,Diving Bell,Whale,Kraken'],
      [car, 'Roadster,Racer,Buggy,Motorbike,Wagon'],
      [truck, 'Crane,Excavator,Truck,Loader,Hauler,Turbine'],
      [train, 'Locomotive,Tram,Engine'],
      [rocket, 'Lander,Probe,Reactor,Satellite'],
      [shuttle, 'Shuttle,Cruiser'],
      [rover, 'Rover'],
      [station, 'Station,Habitat,Dock,Hangar,Greenhouse,Harbor'],
      [robot, 'Mech'],
      [creature, 'Griffin,Raptor,Mammoth,Owl,Fox Den'],
      [dragon, 'Dragon'],
      [tree, 'Treehouse'],
      [flowers, 'Garden,Orchid'],
      [bridge, 'Bridge'],
      [temple, 'Temple'],
      [lighthouse, 'Lighthouse'],
      [windmill, 'Windmill'],
      [balloon, 'Balloon'],
      [carousel, 'Carousel,Fountain'],
      [rocks, 'Grotto,Lagoon,Reef,Cove,Waterfall,Canyon'],
    ] as const
  ).flatMap(([builder, words]) => words.split(',').map((word) => [word, builder])),
);

const words = Object.keys(byWord).sort((a, b) => b.length - a.length);
const builders = [...new Set(Object.values(byWord))];

/** Builds what a title names; what names nothing is something all the same. */
export function buildModel(title: string, random: Random, palette: Palette): Model {
  const word = words.find((known) => title.includes(known));
  const builder = (word === undefined ? null : byWord[word]) ?? random.pick(builders);
  const model = new Model();
  builder(model, random, palette);
  return model;
}
