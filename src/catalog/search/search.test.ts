/** Search: which items match, and in which order they are shown. */
import { describe, expect, test } from 'bun:test';
import type { ItemKind } from '../items/numbers.ts';
import { findMatches } from './search.ts';
import { SearchCatalog } from './search-catalog.ts';
import type { SearchEntry } from './search-entry.ts';
import { isSearchable, searchTerms } from './search-terms.ts';
import { segmentOf } from './segment-builder.ts';

/** The fields of an entry that a test sets. */
type Named = Pick<SearchEntry, 'key' | 'name'> & Partial<SearchEntry>;

function entryOf(named: Named): SearchEntry {
  const bare = {
    otherNames: [],
    subthemes: [],
    themes: [],
    year: null,
    ranksLast: false,
    interest: 0,
  };
  return { ...bare, ...named };
}

/** The numbers that a search finds, in order. */
function search(
  catalog: readonly Named[],
  term: string,
  kind: ItemKind = 'set',
): readonly string[] {
  const segment = segmentOf(catalog.map(entryOf));
  return findMatches([segment], searchTerms(kind, term), { limit: 100, offset: 0 }).keys;
}

const castles: readonly Named[] = [
  { key: '6085', name: 'Black Monarch’s Castle' },
  { key: '375', name: 'Castle' },
  { key: '10305', name: 'Lion Knights’ Castle' },
  { key: '40567', name: 'Forest Hideout' },
  { key: '31120', name: 'Medieval Castle' },
  { key: '5001', name: 'Sandcastle' },
  { key: '6074', name: 'Castle of the Black Falcon' },
  { key: '75192', name: 'Millennium Falcon' },
  { key: '75192-2', name: 'Millennium Falcon, second edition' },
];

test('matches are ranked: exact number and name, number prefix, name prefix, word prefix, substring', () => {
  const catalog = [
    { key: '5', name: '100' },
    { key: '1', name: 'Year 2000100' },
    { key: '2', name: 'Model 100 of 500' },
    { key: '3', name: '100 Pirates' },
    { key: '10099', name: 'Tower' },
    { key: '100', name: 'Gate' },
    { key: '4', name: 'Nothing of the kind' },
  ];
  expect(search(catalog, '100')).toEqual(['100', '5', '10099', '3', '2', '1']);
});

test('a query without letters and digits finds nothing', () => {
  expect([search(castles, '--'), search(castles, '')]).toEqual([[], []]);
});

test('with five matches, no similar items follow', () => {
  const towers = [1, 2, 3, 4, 5].map((key) => ({ key: `${key}`, name: 'Tower' }));
  const catalog = [...towers, { key: '6', name: 'Gate', themes: ['Tower'] }];
  expect(search(catalog, 'tower')).toEqual(['1', '2', '3', '4', '5']);
  expect(search(catalog, 'towr')).toEqual(['1', '2', '3', '4', '5']);
  expect(search(catalog.slice(1), 'tower')).toEqual(['2', '3', '4', '5', '6']);
  expect(search(catalog.slice(1), 'towr')).toEqual(['2', '3', '4', '5', '6']);
});

test('similar items follow the plain matches, and count in every page', () => {
  expect(search(castles, 'the castle')).toEqual(['6074', '375', '10305', '31120', '6085', '5001']);
  const segments = [segmentOf(castles.map(entryOf))];
  const pages = [0, 2, 4, 6].map((offset) =>
    findMatches(segments, searchTerms('set', 'the castle'), { limit: 2, offset }),
  );
  expect(pages.flatMap(({ keys }) => keys)).toEqual([...search(castles, 'the castle')]);
  expect(pages.map(({ total }) => total)).toEqual([6, 6, 6, 6]);
});

test('at most 250 similar items follow, the same on every page', () => {
  const catalog = Array.from({ length: 300 }, (_, index) => ({ key: `${index}`, name: 'Tower' }));
  const segments = [segmentOf(catalog.map(entryOf))];
  const find = (offset: number) =>
    findMatches(segments, searchTerms('set', 'towr gate'), { limit: 200, offset });
  const [first, second] = [find(0), find(200)];
  expect([first.total, second.total]).toEqual([250, 250]);
  expect(new Set([...first.keys, ...second.keys]).size).toBe(250);
});

describe('a release year', () => {
  const catalog: readonly Named[] = [
    { key: '75301', name: 'Luke’s X-wing', year: 2021 },
    { key: '9493', name: 'X-wing', year: 2012 },
    { key: '75313', name: 'AT-AT', year: 2021, subthemes: ['Ultimate Collector Series'] },
    { key: '20211', name: 'X-wing Poster', year: 1999 },
    { key: '1', name: 'X-wing 2021', year: 2020 },
  ];

  test('is found beside a word of the name', () => {
    expect(search(catalog, 'x-wing 2021')).toEqual(['1', '75301', '20211']);
    expect(search(catalog, '2012 x-wing')).toEqual(['9493']);
    expect(search(catalog, 'ucs at-at 2021')).toEqual(['75313']);
  });

  test('is a word like others if it is alone', () => {
    expect(search(catalog, '2021')).toEqual(['20211', '1']);
    expect(search(catalog, '2012')).toEqual([]);
    expect(search(catalog, '2012 2021')).toEqual([]);
  });
});

test('items with the most words are found if none has all, with an exact number first', () => {
  expect(search(castles, 'black castle dragon')).toEqual(['6074', '6085']);
  expect(search(castles, '75192 castle')[0]).toBe('75192');
  expect(search(castles, 'dragon')).toEqual([]);
});

test('a name that has the query as a word precedes one that has it as part of a word', () => {
  const catalog = [
    { key: '1', name: 'Falconer', interest: 900 },
    { key: '2', name: 'Millennium Falcon' },
    { key: '3', name: 'Black Falconry', interest: 900 },
    { key: '4', name: 'Falcon of the North' },
    { key: '5', name: 'Superfalcon', interest: 900 },
  ];
  expect(search(catalog, 'falcon')).toEqual(['4', '2', '1', '3', '5']);
  expect(search(catalog, 'falc')).toEqual(['1', '4', '3', '2', '5']);
});

test('a misspelled word has up to four corrections', () => {
  const names = ['Bastle', 'Castle', 'Dastle', 'Eastle', 'Fastle'];
  const catalog = names.map((name, index) => ({ key: String(index), name }));
  expect(search(catalog, 'zastle')).toEqual(['0', '1', '2', '3']);
});

test('the most words are counted over all segments', () => {
  const segments = ['Castle', 'Cattle Tower', 'Castle Tower'].map((name, index) =>
    segmentOf([entryOf({ key: String(index), name })]),
  );
  const found = findMatches(segments, searchTerms('set', 'castle twoer'), { limit: 9, offset: 0 });
  expect(found).toEqual({ keys: ['2'], total: 1, hasPlain: false });
  expect(findMatches(segments, searchTerms('set', '--'), { limit: 9, offset: 0 }).total).toBe(0);
});

test('a name as typed precedes the same name with other punctuation or spelling', () => {
  const catalog = [
    { key: '1', name: 'Sea Plane', interest: 900 },
    { key: '2', name: 'Seaplane' },
    { key: '3', name: 'Harbour', interest: 900 },
    { key: '4', name: 'Harbor' },
    { key: '5', name: 'Café+', interest: 900 },
    { key: '6', name: 'CAFE' },
  ];
  expect(search(catalog, 'seaplane')).toEqual(['2', '1']);
  expect(search(catalog, 'Sea  Plane')).toEqual(['1', '2']);
  expect(search(catalog, 'harbor')).toEqual(['4', '3']);
  expect(search(catalog, 'Harbour')).toEqual(['3', '4']);
  expect(search(catalog, 'Café')).toEqual(['6', '5']);
});

test('an exact number comes first, even if it is a word in other names', () => {
  const catalog = [
    { key: 'berlin', name: 'Grand Opening Set' },
    { key: '21027', name: 'Berlin' },
    { key: '40001', name: 'Berlin Wall' },
  ];
  expect(search(catalog, 'berlin')).toEqual(['berlin', '21027', '40001']);
});

test('equal matches are ordered by number, regardless of the input order', () => {
  expect(search(castles, 'castle')).toEqual([
    // The name starts with it.
    '375',
    '6074',
    // A word starts with it.
    '10305',
    '31120',
    '6085',
    // It occurs inside a word.
    '5001',
  ]);
  expect(search([...castles].reverse(), 'castle')).toEqual(search(castles, 'castle'));
});

test('a number with variant 1, as in other catalogs, finds the set first', () => {
  expect(search(castles, '75192-1')[0]).toBe('75192');
  expect(search(castles, '75192-2')).toEqual(['75192-2']);
});

test('a number with variant 1 also finds the set together with words of its name', () => {
  expect(search(castles, '75192-1 falcon')).toContain('75192');
  expect(search(castles, 'falcon 75192-1')).toContain('75192');
});

test('all words may occur in the number or in the name, in any order', () => {
  expect(search(castles, 'black castle')).toEqual(['6074', '6085']);
  expect(search(castles, 'castle BLACK')).toEqual(['6074', '6085']);
  expect(search(castles, 'falcon 6074')).toEqual(['6074']);
});

test('a phrase at the start of a name precedes its words found elsewhere', () => {
  const catalog = [
    { key: '1', name: 'Castle Black' },
    { key: '2', name: 'Black Castle' },
  ];
  expect(search(catalog, 'black castle')).toEqual(['2', '1']);
});

test('a word does not match across the number and the name', () => {
  expect(search([{ key: '375', name: 'castle' }], '75cas')).toEqual([]);
});

test.each([
  ['CAFE', ['10001', '10002']],
  ['café', ['10001', '10002']],
  ['Cafe\u0301', ['10001', '10002']],
  ['blabaer', ['10003']],
  ['ØRE', ['10004']],
])('%s is found whatever its case and accents', (term, found) => {
  const catalog = [
    { key: '10001', name: 'Café Corner' },
    { key: '10002', name: 'CAFE DE PARIS' },
    { key: '10003', name: 'Blåbær' },
    { key: '10004', name: 'Oresund Bridge' },
  ];
  expect(search(catalog, term)).toEqual(found);
});

test('spaces around and between words do not matter', () => {
  const catalog = [
    { key: '1', name: 'Gate and Castle of Stone' },
    { key: '2', name: 'Castle of Stone' },
  ];
  expect(search(catalog, 'castle of')).toEqual(['2', '1']);
  expect(search(catalog, '  castle \t  of ')).toEqual(['2', '1']);
});

test('a word starts after anything but a letter or a digit', () => {
  const catalog = [
    { key: '1', name: 'Starwing' },
    { key: '2', name: 'Big (Wing)' },
    { key: '3', name: 'X-wing' },
    { key: '4', name: 'Ewing, wing' },
  ];
  expect(search(catalog, 'wing')).toEqual(['2', '3', '4', '1']);
});

test('minifig numbers have no variants, and ignore case', () => {
  const minifigs = [
    { key: 'sw0001', name: 'Pilot' },
    { key: 'sw0001a', name: 'Pilot, red' },
    { key: 'sw0001-1', name: 'Pilot, other' },
  ];
  expect(search(minifigs, 'SW0001', 'minifig')).toEqual(['sw0001', 'sw0001-1', 'sw0001a']);
  expect(search(minifigs, 'sw0001-1', 'minifig')).toEqual(['sw0001-1']);
});

test.each([
  ['ab', true],
  ['  ab  ', true],
  ['a', false],
  [' a ', false],
  ['  ', false],
  ['á', false],
  ['a\u0301', false],
  ['a\u0301\u0323', false],
  ['a\u0301e\u0301', true],
  ['a\u200b', false],
  ['\ufeffa', false],
  ['\u3000a\u00a0', false],
  ['a b', true],
  ['ß', false],
  ['--', true],
  ['🧱', false],
  ['👩‍🚀', false],
  ['🇩🇰', false],
  ['🧱🧱', true],
  ['忍', false],
  ['忍者', true],
])('whether %j has two characters as perceived by a reader', (term, isLongEnough) => {
  expect(isSearchable(term, 2)).toBe(isLongEnough);
});

describe('folding', () => {
  const fighters: readonly Named[] = [
    { key: '1', name: 'X-wing Starfighter' },
    { key: '2', name: 'Luke’s X-Wing' },
    { key: '3', name: 'AT-AT' },
    { key: '4', name: 'R2-D2' },
    { key: '5', name: 'Batman Cave' },
    { key: '6', name: 'S.H.I.E.L.D. Helicarrier' },
    { key: '7', name: 'Wing of the Xenon' },
    { key: '8', name: 'King’s Castle & Tower' },
    { key: '9', name: 'Magic Attack' },
  ];

  test.each([
    ['x-wing', ['1', '2']],
    ['xwing', ['1', '2']],
    ['X WING', ['1', '2', '7']],
    ['at-at', ['3']],
    ['atat', ['3']],
    ['r2d2', ['4']],
    ['r2-d2', ['4']],
    ['R2 D2', ['4']],
    ['bat man', ['5']],
    ['shield', ['6']],
    ['kings castle', ['8']],
    ["king's castle and tower", ['8']],
    ['lukes xwing', ['2']],
  ])('%s is found whatever separates its parts', (term, found) => {
    expect(search(fighters, term)).toEqual(found);
  });

  test('a word matches across two others only if it starts with the first', () => {
    expect(search(fighters, 'cat')).toEqual([]);
    expect(search(fighters, 'magicatt')).toEqual(['9']);
  });

  test.each([
    ['colour', ['1', '2']],
    ['color', ['1', '2']],
    ['grey', ['3', '4']],
    ['gray castle', ['3']],
    ['gre', ['3']],
    ['harbour', ['5']],
  ])('%s is found in British and American spelling', (term, found) => {
    const catalog = [
      { key: '1', name: 'Color Wheel' },
      { key: '2', name: 'Colour Wheel' },
      { key: '3', name: 'Grey Castle' },
      { key: '4', name: 'Gray Tower' },
      { key: '5', name: 'Harbor' },
    ];
    expect(search(catalog, term)).toEqual(found);
  });
});

describe('names of other sources', () => {
  const catalog = [
    { key: '1', name: 'Space Cruiser', otherNames: ['Galaxy Explorer', 'LL 928'] },
    { key: '2', name: 'Galaxy Explorer' },
    { key: '3', name: 'The Galaxy Explorer' },
  ];

  test('find the item, but its own name ranks higher', () => {
    expect(search(catalog, 'galaxy explorer')).toEqual(['2', '1', '3']);
    expect(search(catalog, 'll928')).toEqual(['1']);
  });

  test('are separate: words of two names match, but no phrase across them', () => {
    expect(search(catalog, 'cruiser galaxy')).toEqual(['1']);
    expect(search(catalog, 'cruisergalaxy')).toEqual([]);
  });
});

describe('within matches', () => {
  const catalog = [
    { key: '1', name: 'Falcon Mug', ranksLast: true, interest: 9_000 },
    { key: '2', name: 'Falcon', interest: 100, ranksLast: true },
    { key: '3', name: 'Falcon Small', interest: 10 },
    { key: '5', name: 'Falcon Large', interest: 2_000 },
    { key: '4', name: 'Falcon Large', interest: 2_000 },
  ];

  test('gear and the like come last, then interest decides, then the number', () => {
    expect(search(catalog, 'falcon')).toEqual(['4', '5', '3', '2', '1']);
    expect(search([...catalog].reverse(), 'falcon')).toEqual(['4', '5', '3', '2', '1']);
  });
});

describe('without plain matches', () => {
  const catalog: readonly Named[] = [
    { key: '1', name: 'Millennium Falcon', subthemes: ['Ultimate Collector Series'] },
    { key: '2', name: 'Falcon Mill', themes: ['Star Wars'] },
    { key: '3', name: 'Bugatti Chiron', themes: ['Technic'] },
    { key: '4', name: 'Crane', themes: ['Technic'] },
    { key: '5', name: 'Technic Idea Book', themes: ['Books'] },
    { key: '6', name: 'Cast of Many' },
  ];

  test.each([
    // Two letters are missing in a word of eight.
    ['milenium falcon', ['1']],
    ['flacon', ['2', '1']],
    ['bugati', ['3']],
    // Two edits are too many below eight letters, one below four.
    ['bugtt', []],
    ['falxxn', []],
    ['crn', []],
    // Numbers are not corrected.
    ['75193', []],
  ])('an unknown word is corrected: %s', (term, found) => {
    expect(search(catalog, term)).toEqual(found);
  });

  test('a known word is corrected only if a similar one is ten times as common', () => {
    const falcons = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `${100 + index}`, name: 'Falcon' }));
    const rare = { key: '7', name: 'Falcom' };
    expect(search([rare, ...falcons(9)], 'falcom')).toEqual(['7']);
    expect(search([rare, ...falcons(10)], 'falcom')).toHaveLength(11);
    expect(search([rare, ...falcons(10)], 'falcom')[0]).toBe('7');
  });

  test('words may match themes, and names rank higher than themes', () => {
    expect(search(catalog, 'technic bugatti')).toEqual(['3']);
    expect(search(catalog, 'technic')).toEqual(['5', '3', '4']);
    expect(search(catalog, 'star wars')).toEqual(['2']);
    expect(search(catalog, 'starwars falcon')).toEqual(['2']);
    expect(search(catalog, 'ucs falcon')).toEqual(['1']);
    expect(search(catalog, 'tecnic bugati')).toEqual(['3']);
  });

  test('filler words may be missing', () => {
    expect(search(catalog, 'lego falcon')).toEqual(['2', '1']);
    expect(search(catalog, 'the bugatti set')).toEqual(['3']);
    expect(search(catalog, 'lego')).toEqual([]);
  });
});

describe('a catalog that changes', () => {
  const find = (catalog: SearchCatalog, term: string) =>
    findMatches(catalog.segments, searchTerms('set', term), { limit: 9, offset: 0 });

  test('finds the same as a rebuilt one', () => {
    const before = Array.from({ length: 40 }, (_, index) =>
      entryOf({ key: `${100 + index}`, name: `Castle ${index % 7}`, interest: index % 5 }),
    );
    const changes = [
      entryOf({ key: '103', name: 'Tower' }),
      entryOf({ key: '105', name: 'Castle 5', interest: 7 }),
      entryOf({ key: '1000', name: 'Castle of Glass', ranksLast: true }),
      entryOf({ key: '101', name: 'Castle 1', interest: 1 }),
    ];
    const catalog = new SearchCatalog(segmentOf(before));
    for (const change of changes) catalog.change([change]);
    const after = new Map([...before, ...changes].map((entry) => [entry.key, entry]));
    const rebuilt = new SearchCatalog(segmentOf(after.values()));
    for (const term of ['castle', 'tower', 'castle 3', '10', 'glass', 'castel', 'gla']) {
      expect(find(catalog, term)).toEqual(find(rebuilt, term));
    }
    // Unchanged entries are not moved.
    expect(catalog.changedCount).toBe(3);
    catalog.change(changes);
    expect(catalog.changedCount).toBe(3);
  });

  test('returns consecutive pages', () => {
    const entries = Array.from({ length: 30 }, (_, index) =>
      entryOf({ key: `${100 + index}`, name: `Castle ${index}`, interest: (index * 7) % 11 }),
    );
    const catalog = new SearchCatalog(segmentOf(entries));
    catalog.change([entryOf({ key: '115', name: 'My Castle', interest: 3 })]);
    const terms = searchTerms('set', 'castle');
    const pages = [0, 7, 14, 21, 28].map((offset) =>
      findMatches(catalog.segments, terms, { limit: 7, offset }),
    );
    expect(pages.flatMap(({ keys }) => keys)).toEqual([
      ...findMatches(catalog.segments, terms, { limit: 99, offset: 0 }).keys,
    ]);
    expect(pages.map(({ total }) => total)).toEqual([30, 30, 30, 30, 30]);
  });
});

test('a known word is not corrected along with a misspelled one', () => {
  const catalog = [
    { key: '1', name: 'Horse Castle' },
    { key: '2', name: 'House Castle' },
  ];
  expect(search(catalog, 'horse casttle')).toEqual(['1']);
});
