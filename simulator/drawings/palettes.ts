/** Brick and backdrop colors of the simulated themes. */
import { hashText, type Random } from '../market/random.ts';
import { themes } from '../market/themes.ts';
import type { Realm } from '../market/words.ts';

export interface Palette {
  readonly main: string;
  readonly second: string;
  readonly accent: string;
  readonly roof: string;
  /** The base plate. */
  readonly ground: string;
  /** The hue of the backdrop, in degrees. */
  readonly hue: number;
}

/** Colors that are the same in every theme. */
export const bricks = {
  white: '#f2f3f2',
  black: '#2b2f36',
  gray: '#9aa3a9',
  darkGray: '#656d74',
  glass: '#8fd0ea',
  wood: '#8a5a34',
  darkWood: '#5d3b22',
  leaf: '#4b9f4a',
  darkLeaf: '#2f6b3a',
  water: '#3a8fd0',
  sand: '#dcc48e',
  yellow: '#f5c518',
  red: '#c9332b',
  gold: '#d9a531',
} as const;

const { white, gray, darkGray, wood, leaf, water, sand, yellow, red, gold } = bricks;

/** The colors that palettes of a realm choose from. */
const realmColors: Readonly<
  Record<Realm, Record<'main' | 'second' | 'accent' | 'roof' | 'ground', readonly string[]>>
> = {
  fantasy: {
    main: [gray, '#b9b3a4', '#7f8a99', '#cbb994'],
    second: [darkGray, '#6d5f52', '#4d5a6b'],
    accent: [red, gold, '#3f6fb5', '#7a4a9e'],
    roof: ['#3d5a80', '#7b2d3b', '#45656b', '#5b4a82', '#394b3a'],
    ground: ['#6aa84f', '#88a06a', '#c9d6de', '#7d9c5a'],
  },
  space: {
    main: [white, '#d5dbe3', '#b9c6d6', '#e8dfcf'],
    second: ['#5a6b85', '#3c4a63', '#7c8aa0'],
    accent: ['#f08a24', '#2fb3a6', '#e0457b', '#f5c518', '#5d7cf0'],
    roof: ['#3564a8', '#46505f', '#2f8f9d', '#7d3c98'],
    ground: ['#a9a39a', '#c08a6b', '#8e97a5', '#6f7784'],
  },
  sea: {
    main: [wood, '#a56b3f', '#f2f3f2', '#e9c46a'],
    second: ['#5d3b22', '#274c6e', '#8c2f2a'],
    accent: [red, gold, white, '#2a9d8f'],
    roof: ['#b23a31', '#28527a', '#2f7d6d'],
    ground: [water, '#3fa7b5', '#2f77b4'],
  },
  town: {
    main: ['#d98b5f', '#e9d8a6', '#c56b5c', '#a7c4bc', '#e4b7a0', '#b8a9c9', '#d7c29e'],
    second: [white, '#7d4f3a', '#54667a', '#efe6d5'],
    accent: ['#2a9d8f', '#e76f51', '#457b9d', '#c9332b', '#e9c46a'],
    roof: ['#9c3d2e', '#3d4f5d', '#5a7d6c', '#7a4b3a'],
    ground: ['#b9bcb6', '#8db36b', '#c8c2b4'],
  },
  machine: {
    main: [yellow, red, '#2f6fb3', '#3a8f5c', '#e07b2a', '#7b5ea7', '#d9dde1'],
    second: [darkGray, '#3b4149', '#7a828a', '#5b4636'],
    accent: [white, '#2b2f36', '#f08a24', '#4fb3d9'],
    roof: ['#2f343b', '#8a2f2a', '#3c5a78'],
    ground: ['#9c9f9a', '#c2b280', '#7f868c', '#a08f75'],
  },
  wild: {
    main: [wood, '#a9784c', '#c7a26b', '#8f9a5b'],
    second: ['#5d3b22', '#7a6a4f', '#6b7b4a'],
    accent: ['#e4572e', '#f3a712', '#d65db1', '#5fa8d3', '#f2f3f2'],
    roof: ['#7c3f2b', '#4f6d4a', '#b0632f'],
    ground: [leaf, '#7fb069', sand, '#93b48b', '#dfe7ea'],
  },
};

const hues: Readonly<Record<Realm, number>> = {
  fantasy: 255,
  space: 218,
  sea: 192,
  town: 32,
  machine: 46,
  wild: 110,
};

/** The realm of a theme; unknown themes get one by their hash. */
function realmOf(theme: string | null): Realm {
  const known = themes.find(({ name }) => name === theme);
  const all = Object.keys(realmColors) as readonly Realm[];
  return known?.realm ?? all[hashText(theme ?? '', 1) % all.length] ?? 'town';
}

/** Themes use two or three colors of each list of their realm; the item picks among those. */
export function drawPalette(theme: string | null, random: Random): Palette {
  const realm = realmOf(theme);
  const colors = realmColors[realm];
  const turn = hashText(theme ?? '', 2);
  const ofTheme = (list: readonly string[], room: number) =>
    list[(turn + random.below(Math.min(room, list.length))) % list.length] ?? gray;
  return {
    main: ofTheme(colors.main, 3),
    second: ofTheme(colors.second, 2),
    accent: ofTheme(colors.accent, 3),
    roof: ofTheme(colors.roof, 2),
    ground: ofTheme(colors.ground, 2),
    hue: (hues[realm] + (turn % 50) - 25 + random.below(12) + 360) % 360,
  };
}
