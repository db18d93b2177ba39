/**
 * Reads the title of a sold listing: whether one whole set was sold, and in which condition.
 * Sellers write titles to be found, so a set's number also appears in listings of its minifigs,
 * instructions and imitations. Doubtful listings are rejected: no sale is better than a wrong one.
 */
import { foldText } from '../../kernel/text.ts';
import type { Completeness, Condition } from '../source-rows/source-rows.ts';

export interface SoldListing {
  readonly title: string;
  /** eBay's ID of the condition that the seller chose, such as `1000`; null if not reported. */
  readonly conditionId: string | null;
}

/** The items sold, or why they are uncertain. */
export type ListingReading =
  | { readonly condition: Condition; readonly completeness: Completeness }
  | { readonly problem: string };

/** Limits the work on absurd titles. */
const titleNumbersMax = 20;

/** Numbers that may be set numbers: 4 to 7 digits, and not a count of pieces. */
export function setNumbersIn(title: string): string[] {
  const pattern =
    /(?<![\d.,$])\d{4,7}(?:-\d{1,2})?(?![\d]|[.,]\d|[\s-]*(?:pieces?|pcs?|parts)\b)/gi;
  return [...title.matchAll(pattern)].slice(0, titleNumbersMax).map(([number]) => number);
}

/**
 * Whether a number that matches no known set may belong to another set, so that the title names
 * two. Shorter numbers are counts or years; longer ones are codes on boxes.
 */
export function mayBeAnotherSet(number: string): boolean {
  return /^\d{5,6}(-\d+)?$/.test(number);
}

/** The state of the sold set, if the title names this set and no other. */
export function readListing(
  { title, conditionId }: SoldListing,
  set: { readonly title: string },
): ListingReading {
  const whole = withoutPhrase(tidy(title), tidy(set.title));
  if (!/\blegos?\b/.test(whole)) return { problem: 'the title does not say LEGO' };
  const absent = readAbsent(whole);
  const refused =
    refusals.find(({ pattern }) => has(absent.rest, pattern)) ??
    accessories.find((accessory) => standsAlone(absent.rest, accessory));
  if (refused) return { problem: refused.problem };
  const condition = conditionOf(absent.rest, conditionId);
  if (typeof condition === 'object') return condition;
  if (condition === 'used' && !has(absent.rest, wholeWords)) {
    return { problem: 'the title does not say that it is complete' };
  }
  return { condition, completeness: completenessOf(absent, condition) };
}

/** Lower case without accents, with single spaces. */
function tidy(title: string): string {
  return foldText(title).replace(/[’‘`]/g, "'").replace(/\s+/g, ' ').trim();
}

/** A set's name may contain any word: a Custom Car Garage is not custom. */
function withoutPhrase(title: string, phrase: string): string {
  return phrase === '' ? title : title.replaceAll(phrase, ' ').replace(/\s+/g, ' ');
}

/** Matches any of these as whole words; each may contain alternatives separated by `|`. */
function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(`(?<!\\w)(?:${words.join('|')})(?!\\w)`, 'g');
}

const boxed = '(?:original )?(?:box(?:es)?|packaging|instructions?|manuals?|booklets?)';
const and = '(?:,| or| and| &|/|,? no) ?';
const without = '(?:no|without|w/o|missing|lacks|minus|less|excludes?)';
const absentWords = anyOf(`${without} (?:the |any )?${boxed}(?:${and}${boxed})*`);

interface Absent {
  /** The title without the phrases that say what is missing. */
  readonly rest: string;
  readonly hasNoBox: boolean;
  readonly hasNoInstructions: boolean;
}

/** A set may lack its box or instructions: it is then sold as such, at a lower price. */
function readAbsent(title: string): Absent {
  const absent = title.match(absentWords)?.join(' ') ?? '';
  return {
    rest: title.replace(absentWords, ' '),
    hasNoBox: /\b(box|packaging)/.test(absent),
    hasNoInstructions: /\b(instruction|manual|booklet)/.test(absent),
  };
}

/** Words that make it uncertain that one whole set was sold. */
interface Refusal {
  readonly problem: string;
  readonly pattern: RegExp;
}

const fig = '(?:(?:mini|micro) ?-?)?fig(?:ure)?s?';
const number = '(?:[2-9]|[1-9]\\d|two|three|four|five|six)';

/** The first match counts. */
const refusals: readonly Refusal[] = [
  {
    problem: 'it may be for several sets',
    pattern: anyOf(
      '(?:job ?)?lots?|bundles?|bulk|choose|pick|select|variations?',
      `x ?${number}`,
      `${number} ?x(?!-)`,
      `qty\\.? ?:? ?\\(?${number}`,
      `(?:set|pair|case|box|pack) of ${number}`,
      `${number}[ -](?:sets?|boxes|copies|packs?)`,
      'pair of|case of|case pack|collection of|quantity',
    ),
  },
  { problem: 'it may be for several sets', pattern: /\( ?[2-9] ?\)/ },
  {
    problem: 'the minifigs are not included',
    pattern: anyOf(`${without} (?:the |any |all )?(?:${fig}|people)`),
  },
  {
    problem: 'it may be only a minifig',
    pattern: anyOf(
      `${fig} (?:only|from|lot)`,
      `only (?:the )?${fig}`,
      `complete ${fig}`,
      'series ?\\d+',
      // Minifig numbers, such as sw0937.
      '(?!set|lego|item|no)[a-z]{2,4}\\d{3,4}[a-z]?',
    ),
  },
  {
    problem: 'it may be only a part of the set',
    pattern: anyOf(
      '(?<!(?:display|displayed|once|pickup|us|usa|uk) )only|no (?:bricks|pieces|set|model)',
      'empty|pdf|digital|replacements?|spares?|decals?|stickers?(?! (?:un)?applied| unused)',
      'torsos?|heads?|legs|hair|sections?|stages?|sails|hull|motors?|wagons?|base ?plates?',
      '(?:for|extra|loose|spare) parts|(?:part|piece|brick)s? (?:from|of|for|lot)',
      'bag ?#? ?\\d+|from (?:lego |the |set |sets |#)*\\d{4,7}',
    ),
  },
  {
    problem: 'something may be missing',
    pattern: anyOf(
      'incomplete|not (?:100 ?% ?)?complete|(?:almost|near|nearly|mostly) complete',
      'complete,? (?:except|but|minus|other than|apart from)|(?:un|in)finished',
      'partial|partially|as[ -]is|\\d{1,2}(?:\\.\\d+)? ?%',
      'please read|read (?:desc\\w*|below|all|full|listing)|see desc\\w*',
      '(?:un|not )verified|untested|broken|yellowed|damaged (?:set|pieces|parts)',
    ),
  },
  {
    problem: 'something may be missing',
    pattern: /(?<!\b(?:no|nothing|none) )\bmissing\b(?! nothing)/,
  },
  {
    problem: 'it may not be by LEGO',
    pattern: anyOf(
      'custom|mocs?|alternate|alternative|3d[ -]print\\w*|generic|unbranded',
      'compatible|knock ?-?offs?|clone (?:bricks?|blocks?|sets?)|replicas?|bootlegs?|fakes?',
      '(?:non|not)[ -]?(?:a )?lego|lepin|mou?ld king|cada|cobi|sluban|qman',
      'enlighten|mega ?blo(?:k|ck)s?|construx|bela|decool|king \\d+',
    ),
  },
  {
    problem: 'it may be an accessory of the set',
    pattern: anyOf(
      'light(?:ing)? (?:kit|set)|led|acrylic|dust ?-?(?:cover|proof)|wall mount',
      'display (?:case|stand|box|cabinet)|plaque|nameplate|posters?|plush',
      '(?:for|fits|suits) (?:the )?lego|key ?(?:chain|ring)s?|magnets?|t-?shirts?',
      'dvd|blu-?ray|ps[345]|xbox|costume|backpack',
    ),
  },
];

/**
 * Something that comes with a set but is also sold alone; `isWith` matches text that precedes it
 * when it comes with the set.
 */
interface Accessory extends Refusal {
  readonly isWith: RegExp;
}

const isWith = '(?:with|w|includes?|including|incl|inc|all|and|has|have|plus)(?![\\w])|w/|[&+]';

const accessories: readonly Accessory[] = [
  {
    problem: 'it may be only a minifig',
    pattern: anyOf(fig),
    isWith: new RegExp(`(?<!\\w)(?:${isWith})[^|]{0,30}$|(?<!\\w)[1-9]\\d?[ x]*$`),
  },
  {
    problem: 'it may be only a part of the set',
    pattern: anyOf('instructions?', '(?:instruction )?(?:manual|booklet|book)s?'),
    isWith: new RegExp(`(?<!\\w)(?:${isWith}|complete|original|box)[^|]{0,30}$`),
  },
];
const isIncluded = /^[\s,]*(?:are |is )?(?:included|incl\b|inc\b|intact|present|[&+]|and box|box)/;

function standsAlone(title: string, { pattern, isWith }: Accessory): boolean {
  return [...title.matchAll(pattern)].some(({ index, 0: found }) => {
    const before = title.slice(0, index).replace(/\d{4,7}(-\d+)?/g, '');
    return !isWith.test(before) && !isIncluded.test(title.slice(index + found.length));
  });
}

const sealedWords = anyOf(
  'sealed|unopened|nisb|misb|bnisb|bnib|nib|mib|brand[ -]?new',
  'new in (?:box|package)|(?:never|not) (?:been )?opened',
);
const unusedWords = anyOf('(?:never|not) (?:been )?(?:used|opened|built|assembled|displayed)');
const usedWords = anyOf('used|pre[ -]?owned|opened|open box|built|assembled|displayed');

/** Combines eBay's condition ID with the words of the title. */
function conditionOf(title: string, conditionId: string | null): Condition | { problem: string } {
  if (/\bbags?\b/.test(title.replace(/\bpoly ?bags?\b/g, ''))) {
    return { problem: 'it may be bags without their box' };
  }
  const isSealed = has(title, sealedWords);
  const isUsed = has(title.replace(unusedWords, ' '), usedWords);
  if (isSealed && isUsed) return { problem: 'it may be sealed or used' };
  const id = Number(conditionId ?? Number.NaN);
  if (id === 7000) return { problem: 'it is sold for parts' };
  if (id >= 1000 && id < 2000) {
    return isSealed ? 'sealed' : { problem: 'the title does not say that it is sealed' };
  }
  if (id >= 2000 && id <= 6000) {
    return isSealed ? { problem: 'its title says sealed, but its condition is used' } : 'used';
  }
  if (isSealed === isUsed) return { problem: 'its condition is not stated' };
  return isSealed ? 'sealed' : 'used';
}

/** Used listings must say that the set is complete: too many of the others are parts of sets. */
const wholeWords = anyOf(
  `complete(?! (?:instruction|${boxed}|${fig}))|100 ?%|all (?:the )?(?:pieces|parts|bricks)`,
  `(?:with|w/?|includes?|including|incl) .{0,25}${boxed}`,
);

/** Unlike `RegExp.test`, this ignores `lastIndex` of global patterns. */
function has(text: string, pattern: RegExp): boolean {
  return text.search(pattern) >= 0;
}

const worn = '(?:damag\\w*|dent\\w*|crush\\w*|torn|tears?|worn|wear|creas\\w*|ding\\w*|rough|poor)';
const damagedBox = anyOf(`${worn}.{0,15} box`, `box .{0,15}${worn}`, 'shelf ?wear');

function completenessOf(
  { rest, hasNoBox, hasNoInstructions }: Absent,
  condition: Condition,
): Completeness {
  if (hasNoBox) return 'no_box';
  if (hasNoInstructions) return 'no_instructions';
  if (condition === 'sealed') return has(rest, damagedBox) ? 'damaged_box' : 'complete';
  return /\bcomplete\b|\b100 ?%|\ball (the )?(pieces|parts|bricks)\b/.test(rest)
    ? 'complete'
    : 'unknown';
}
