/**
 * One spelling for each theme. Catalogs write the same theme in other capitals, with another order
 * of words, or under a name that it had for a while; a collector sees one theme.
 */

/** The theme of sets that no catalog puts anywhere. */
const noTheme = 'Other';

/** Spellings that are kept, each with what other catalogs call the same theme. */
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

/** The theme in the spelling that is shown. */
export function canonicalTheme(theme: string): string {
  return byKey.get(themeKey(theme)) ?? theme.trim();
}

/** What is compared: letters and digits, without the maker's name before them. */
function themeKey(theme: string): string {
  return theme
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/^\s*lego\s+/, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
