/** One spelling per theme: catalogs differ in capitalization, word order, and former names. */

const noTheme = 'Other';

/** The canonical spellings, each with other catalogs' names for the same theme. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  Art: [],
  Bionicle: [],
  Boats: ['Boat'],
  'BrickLink Designer Program': ['BrickLink'],
  BrickHeadz: [],
  'Collectible Minifigures': ['Collectable Minifigures'],
  'DC Super Heroes': ['DC Comics Super Heroes', 'Super Heroes DC'],
  DOTS: [],
  DREAMZzz: [],
  Duplo: [],
  'Educational and Dacta': ['Education', 'Dacta'],
  'Exo-Force': [],
  FORMA: [],
  Freestyle: [],
  Games: ['Game'],
  'Hero Factory': [],
  'Hobby Sets': ['Hobby Set'],
  Horizon: ['Horizon Adventures'],
  Ideas: ['Ideas and CUUSOO', 'Ideas (CUUSOO)'],
  'Legends of Chima': [],
  LEGOLAND: [],
  'Make and Create': [],
  'Marvel Super Heroes': ['Super Heroes Marvel'],
  Mindstorms: [],
  Mixels: [],
  'Nexo Knights': [],
  Ninjago: [],
  [noTheme]: ['tbd', 'To be determined', 'Unknown', 'Various'],
  Promotional: [],
  Seasonal: ['Holiday & Event'],
  'Sonic the Hedgehog': [],
  'Speed Champions': [],
  'The Angry Birds Movie': ['Angry Birds'],
  'The Hobbit and The Lord of the Rings': [
    'The Hobbit',
    'The Lord of the Rings',
    'The Hobbit and Lord of the Rings',
  ],
  Trains: ['Train'],
  'Trolls World Tour': [],
  'Unikitty!': [],
  VIDIYO: [],
  Xtra: [],
};

const byKey: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([theme, others]) =>
    [theme, ...others].map((spelling): [string, string] => [themeKey(spelling), theme]),
  ),
);

export function canonicalTheme(theme: string): string {
  return byKey.get(themeKey(theme)) ?? theme.trim();
}

/** For comparison: letters and digits only, without a leading "LEGO". */
function themeKey(theme: string): string {
  return theme
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/^\s*lego\s+/, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The top-level theme of a minifig: "Town / City / Police" is in Town. */
export function minifigTheme(category: string): string {
  return canonicalTheme(category.split(' / ')[0] ?? '');
}
