/**
 * A sample of common searches, with the numbers that must be in the top five of the real catalogs.
 */
import { type ItemKind, itemKey } from '../../src/catalog/items/numbers.ts';
import { findMatches } from '../../src/catalog/search/search.ts';
import type { SearchSegment } from '../../src/catalog/search/search-segment.ts';
import { searchTerms } from '../../src/catalog/search/search-terms.ts';
import { spelledName } from '../../src/catalog/search/search-words.ts';

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

/**
 * Searches as people type them, with the sets they mean. They were written down before they were
 * tried, so some are not found.
 */
const meantSets: Readonly<Record<string, readonly string[]>> = {
  'x-wing 2023': ['75355'],
  'ucs at-at 2021': ['75313'],
  'millenium falcon': ['75192', '10179', '75257'],
  'x-wing 2021 big one': ['75301'],
  'x-wing': ['75355', '7191'],
  falcon: ['75192', '10179'],
  pokemon: ['72152', '72153', '72151'],
  'ucs millennium falcon': ['75192', '10179'],
  'millennium falcon 2019': ['75257'],
  'ucs star destroyer': ['75252', '10030'],
  'star destroyer 2019': ['75252'],
  'lego titanic': ['10294'],
  'eifel tower': ['10307', '10181'],
  rivendel: ['10316'],
  'barad dur': ['10333'],
  'hogwarts express 2022': ['76405'],
  'hogwarts castle 2018': ['71043'],
  'diagon alley': ['75978', '10217'],
  gringotts: ['76417', '10217'],
  'the burrow': ['75980', '4840'],
  tumbler: ['76023', '76240'],
  'batcave 2023': ['76252'],
  'ucs batmobile': ['76139', '7784', '76023'],
  'daily bugle': ['76178'],
  'avengers tower 2023': ['76269'],
  'sanctum sanctorum': ['76218', '76108'],
  'hulkbuster 2022': ['76210'],
  'guardians ship': ['76193'],
  'modular bookshop': ['10270'],
  'police station modular': ['10278'],
  'jazz club': ['10312'],
  'corner garage': ['10264'],
  'parisian restaurant': ['10243'],
  'pet shop': ['10218'],
  'fire brigade': ['10197'],
  'grand emporium': ['10211'],
  'town hall modular': ['10224'],
  'boutique hotel': ['10297'],
  'museum modular 2023': ['10326'],
  'technic porsche': ['42056', '42096'],
  'bugatti chiron': ['42083'],
  'lamborghini sian': ['42115'],
  liebherr: ['42100', '42146'],
  'technic unimog': ['8110'],
  'ferrari daytona': ['42143'],
  'technic bucket wheel': ['42055'],
  'nintendo nes': ['71374'],
  'super mario bowser': ['71411', '71369'],
  'zelda deku tree': ['77092'],
  'pirates ship creator 3in1': ['31109'],
  'barracuda bay': ['21322'],
  'black seas barracuda': ['6285'],
  'home alone house': ['21330'],
  seinfeld: ['21328'],
  'friends central perk': ['21319'],
  'the office ideas': ['21336'],
  'old fishing store': ['21310'],
  'tree house ideas': ['21318'],
  typewriter: ['21327'],
  'saturn v rocket': ['21309', '92176'],
  'space shuttle discovery': ['10283'],
  'nasa rover perseverance': ['42158'],
  'monorail airport': ['6399'],
  'galaxy explorer 2022': ['10497'],
  'blacktron renegade': ['10355'],
  'lion knights castle': ['10305'],
  'kings castle 1984': ['6080'],
  'medieval town square': ['10332', '10193'],
  'market village': ['10193'],
  'orient express': ['21344'],
  'emerald night': ['10194'],
  'horizon express': ['10233'],
  'r2-d2 2021': ['75308'],
  'slave one ucs': ['75060'],
  'boba fett starship': ['75312'],
  'razor crest ucs': ['75331'],
  'razor crest': ['75292', '75331'],
  venator: ['75367', '8039'],
  'jabba sail barge': ['75397', '75020', '6210'],
  'gunship republic ucs': ['75309'],
  'cantina mos eisley': ['75290'],
  'death star 2': ['10143'],
  executor: ['75356', '10221'],
  'ninjago city gardens': ['71741'],
  'ninjago docks': ['70657'],
  'temple of airjitzu': ['70751'],
  'winter village fire station': ['10263'],
  'gingerbread house': ['10267'],
  'advent calendar star wars 2023': ['75366'],
  'harry poter advent': ['76404', '76390'],
  bonsai: ['10281'],
  orchid: ['10311'],
  'flower bouquet': ['10280'],
  'colosseum rome': ['10276'],
  'taj mahal 2021': ['21056'],
  'statue of liberty': ['21042', '3450'],
  'great pyramid': ['21058'],
  'notre dame': ['21061'],
  'white house': ['21054', '21006'],
  'vw beetle': ['10252', '10187'],
  'vw bus': ['10220', '10279'],
  delorean: ['10300', '21103'],
  'ghostbusters car': ['10274', '21108'],
  'ecto 1 big': ['10274'],
  'f1 mclaren': ['42141', '76919'],
  'mini cooper': ['10242'],
  'london bus': ['10258'],
  'ferris wheel': ['10247', '4957'],
  'loop coaster': ['10303'],
  'carousel creator': ['10257', '10196'],
  'haunted mansion disney': ['40521'],
  'disney castle 2023': ['43222'],
  'disney castle 2016': ['71040'],
  'simpsons house': ['71006'],
  'kwik e mart': ['71016'],
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

/** The share of typed searches with a set that was meant in the top three, and the others. */
export function meantSearches(segment: SearchSegment): {
  readonly share: number;
  readonly missed: readonly string[];
} {
  const searches = Object.entries(meantSets);
  const missed = searches.flatMap(([term, numbers]) => {
    const range = { limit: 3, offset: 0 };
    const { keys } = findMatches([segment], searchTerms('set', term), range);
    return numbers.some((number) => keys.includes(number)) ? [] : [`${term}: ${keys.join(', ')}`];
  });
  return { share: 1 - missed.length / searches.length, missed };
}

/** A sample: a search for a whole name takes 14 ms, and there are tens of thousands of names. */
const namesTried = 120;

/**
 * Sampled names for which the first result has neither that name nor that number. Without items
 * that rank last, since their names are behind those that contain them.
 */
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
