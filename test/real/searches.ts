/**
 * A sample of common searches, with the numbers that must be in the top five of the real catalogs.
 */
import { type ItemKind, itemKey } from '../../src/domain/catalog/numbers.ts';
import { findMatches } from '../../src/domain/search/search.ts';
import type { SearchSegment } from '../../src/domain/search/search-segment.ts';
import { searchTerms } from '../../src/domain/search/search-terms.ts';
import { spelledName } from '../../src/domain/search/search-words.ts';

export interface ExpectedSearch {
  readonly kind: ItemKind;
  readonly term: string;
  readonly numbers: readonly string[];
}

const sets: Readonly<Record<string, readonly string[]>> = {
  'millennium falcon': ['75192', '10179', '75257'],
  'milenium falcon': ['75192', '10179'],
  'lego titanic': ['10294'],
  'ucs falcon': ['75192', '10179'],
  'x wing': ['75355'],
  'x-wing starfighter': ['75355', '9493'],
  'at-at': ['75313', '75288', '75054'],
  'at at': ['75313', '75288'],
  atat: ['75313', '75288'],
  r2d2: ['75308', '10225'],
  'r2-d2': ['75308', '10225'],
  'death star': ['75159', '10188', '10143'],
  'tie fighter': ['75095', '9492'],
  'slave 1': ['7153', '7144'],
  'hogwarts castle': ['71043', '4842', '4709'],
  'hogwart castel': ['71043'],
  'harry poter': ['76393'],
  rivendell: ['10316'],
  'lord of the rings': ['10316'],
  'taj mahal': ['10189', '10256', '21056'],
  'eiffel tower': ['10307', '10181', '21019'],
  'tower bridge': ['10214'],
  colosseum: ['10276'],
  titanic: ['10294'],
  'orient express': ['21344'],
  'cafe corner': ['10182'],
  'Café Corner': ['10182'],
  'green grocer': ['10185'],
  'assembly square': ['10255'],
  'creator expert': ['10256', '10299'],
  'winter village': ['10263', '10229'],
  'haunted house': ['10273', '10228'],
  'ninjago city': ['70620', '71741', '71799'],
  'daily bugle': ['76178'],
  hulkbuster: ['76210', '76105'],
  spiderman: ['76226'],
  'lion knights castle': ['10305'],
  'kings castle': ['6080'],
  "king's castle": ['6080'],
  blacktron: ['10355', '40580'],
  'galaxy explorer': ['10497', '497', '928'],
  monorail: ['6990', '6991'],
  'saturn v': ['21309', '92176'],
  'technic bugatti': ['42083', '42151'],
  'porsche 911': ['10295', '42056'],
  'darth vader': ['75304', '8010'],
  batman: ['50003', '40386', '41585'],
  '10179': ['10179'],
  '75192-1': ['75192'],
  'medieval blacksmith': ['21325'],
};

const minifigs: Readonly<Record<string, readonly string[]>> = {
  sw0107: ['sw0107'],
  'cloud city boba fett': ['sw0107'],
};

export const expectedSearches: readonly ExpectedSearch[] = [
  ...entriesOf('set', sets),
  ...entriesOf('minifig', minifigs),
];

function entriesOf(
  kind: ItemKind,
  searches: Readonly<Record<string, readonly string[]>>,
): ExpectedSearch[] {
  return Object.entries(searches).map(([term, numbers]) => ({ kind, term, numbers }));
}

/** The searches without an expected result in the top five, and their results. */
export function missedSearches(segments: Readonly<Record<ItemKind, SearchSegment>>): string[] {
  return expectedSearches.flatMap(({ kind, term, numbers }) => {
    const range = { limit: 5, offset: 0 };
    const { keys } = findMatches([segments[kind]], searchTerms(kind, term), range);
    const missed = numbers.filter((number) => !keys.includes(itemKey(kind, number)));
    return missed.length === 0 ? [] : [`${term}: ${missed.join(', ')} not in ${keys.join(', ')}`];
  });
}

/** A sample: a search takes about a millisecond, and there are tens of thousands of names. */
const namesTried = 500;

/** Sampled names for which the first result has neither that name nor that number. */
export function missedNames(segment: SearchSegment, names: ReadonlyMap<string, string>): string[] {
  const step = Math.ceil(names.size / namesTried);
  return [...names.values()].flatMap((name, index) => {
    if (index % step !== 0) return [];
    // The kind only affects how numbers are parsed.
    const terms = searchTerms('minifig', name);
    const [first = ''] = findMatches([segment], terms, { limit: 1, offset: 0 }).keys;
    const found = names.get(first) ?? '';
    const isExact = first === terms.number || spelledName(found) === spelledName(name);
    return isExact ? [] : [`${name}: ${found}`];
  });
}
