/** Finds what words say about the condition of units: "no box", "NISB", "95% complete". */
import {
  type Grade,
  gradeRank,
  incompleteGrade,
  percentMax,
  percentMin,
} from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';

/**
 * `boxed`: with its box, if it is used. `intact`: lacks nothing, which is also said of sealed sets.
 * `undamaged`: says nothing about the condition. `title`: words that only look like a condition. A
 * grade of sealed units only counts if they are said to be sealed.
 */
type Meaning = Condition | Grade | 'boxed' | 'intact' | 'undamaged' | 'title';

const lacking = ['no', 'without', 'w/o', 'wo', 'missing', 'lacks', 'minus'];

/** Phrases that are separated by semicolons. */
function phrases(text: string): string[] {
  return text.split('; ');
}

function lacks(words: string): string[] {
  return lacking.flatMap((lack) => phrases(words).map((word) => `${lack} ${word}`));
}

const phrasesByMeaning: Readonly<Partial<Record<Meaning, readonly string[]>>> = {
  title: [
    ...phrases('new york; new hope; new republic'),
    // Sets in open boxes are never built, too.
    ...phrases('not built; never built; not assembled; never assembled; not displayed'),
    ...phrases('never displayed; not played with; never played with'),
  ],
  sealed: [
    ...phrases('sealed; new; n; unopened; never opened; not opened; brand new; nib; mib'),
    ...phrases('nisb; misb; bnib; bnisb; new in box; mint in box; factory sealed'),
    ...phrases('new sealed; sealed in box; sealed box; new in sealed box; mint in sealed box'),
    ...phrases('unused; not used; never used'),
  ],
  used: [
    ...phrases('used; u; opened; open; open box; opened box; box opened; box open; built'),
    ...phrases('unsealed; not sealed; not new; like new; preowned; pre-owned; pre owned'),
    ...phrases('secondhand; second hand; assembled; displayed; played with'),
    // The value of a sealed set is that of a sealed box.
    ...phrases('sealed bags; bags sealed; bags still sealed; sealed inside'),
  ],
  light_wear: ['shelf wear', 'light wear', 'box wear', 'light box wear'],
  damaged_box: [
    ...phrases('damaged box; box damage; box damaged; dented; dented box; box dented'),
    ...phrases('crushed box; box crushed; torn box; box torn'),
  ],
  undamaged: [
    ...phrases('undamaged; undamaged box; box undamaged; not damaged; box not damaged; no damage'),
    ...phrases('no box damage; no damage to box; no dents; no tears; no wear; no box wear'),
    ...phrases('no shelf wear'),
  ],
  complete_boxed: ['cib', 'complete in box', 'complete with box', 'complete w/ box'],
  boxed: ['with box', 'w/ box', 'w/box', 'box included', 'incl box', 'with original box'],
  intact: [
    ...phrases('complete; nothing missing; none missing'),
    ...phrases('missing nothing; not missing anything; no missing pieces; no missing parts'),
    ...phrases('no pieces missing; no parts missing'),
  ],
  complete: [
    ...phrases('boxless; nobox; loose; set only'),
    ...lacks('box; boxes; original box; instructions; instruction; manual; manuals'),
    ...lacks('box or instructions; box or manual; box/instructions; box/manual'),
  ],
  incomplete: [
    ...phrases('incomplete; partial; not complete; missing; minifigs missing; figs missing'),
    ...phrases('pieces missing; parts missing; bag missing; bags missing'),
    ...lacks('minifigs; minifig; minifigures; minifigure; figs; fig; minis'),
    ...lacks('figures; figure; pieces; piece; parts; stickers; bag; bags'),
  ],
  parts: ['for parts', 'parts only', 'only parts', 'bulk parts'],
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(phrasesByMeaning).flatMap(([meaning, phrases]) =>
    (phrases ?? []).map((phrase) => [phrase, meaning as Meaning] as const),
  ),
);

const phraseWordsMax = 4;

export interface SaidCondition {
  /** Null if the words do not say it. */
  readonly condition: Condition | null;
  readonly grade: Grade | null;
  /** The words that say nothing about the condition, or nothing that counts. */
  readonly rest: readonly string[];
}

/** Null if the words contradict each other. */
export function readCondition(words: readonly string[]): SaidCondition | null {
  const found: Found[] = [];
  const rest: string[] = [];
  for (let i = 0; i < words.length; ) {
    const phrase = phraseAt(words, i);
    const length = phrase?.words.length ?? 1;
    if (phrase && phrase.meaning !== 'title') found.push(phrase);
    else rest.push(...words.slice(i, i + length));
    i += length;
  }
  return combine(found, rest);
}

interface Found {
  readonly meaning: Meaning;
  readonly words: readonly string[];
}

/** The longest phrase at a place. */
function phraseAt(words: readonly string[], from: number): Found | null {
  for (let length = phraseWordsMax; length > 0; length--) {
    const some = words.slice(from, from + length);
    const text = some.map(plainWord).join(' ');
    const meaning =
      some.length < length
        ? null
        : (meanings.get(text) ?? percentComplete(text, wordsAround(words, from, length)));
    if (meaning) return { meaning, words: some };
  }
  return null;
}

function plainWord(word: string): string {
  return word.toLowerCase().replace(/^[([{"'*-]+|[)\]}"'*.:!?-]+$/g, '');
}

interface Around {
  readonly isAfterNumber: boolean;
  readonly next: string;
}

function wordsAround(words: readonly string[], from: number, length: number): Around {
  return {
    isAfterNumber: words.slice(0, from).some((word) => /\d/.test(word)),
    next: plainWord(words[from + length] ?? ''),
  };
}

/** After a number, "50%" says how complete it is, unless it is a discount: "50% off". */
function percentComplete(text: string, { isAfterNumber, next }: Around): Meaning | null {
  const said = /^(?:(\d{1,3})% complete|complete (\d{1,3})%|(\d{1,3})%)$/.exec(text);
  const [, before, after, alone] = said ?? [];
  if (discounts.has(next) || (alone !== undefined && !isAfterNumber)) return null;
  const percent = Number(before ?? after ?? alone ?? 0);
  if (percent === percentMax + 1) return 'intact';
  return percent >= percentMin && percent <= percentMax ? incompleteGrade(percent) : null;
}

const discounts: ReadonlySet<string> = new Set(['off', 'discount', 'less', 'below', 'under', 'of']);

const ofSealedBox: readonly Meaning[] = ['light_wear', 'damaged_box', 'undamaged'];

const lackingNothing: readonly Meaning[] = ['intact', 'complete_boxed'];

/** Missing parts take precedence: a new set without its box is not a sealed one. */
function combine(found: readonly Found[], rest: readonly string[]): SaidCondition | null {
  const meanings = new Set(found.map(({ meaning }) => meaning));
  if (meanings.has('sealed') && meanings.has('used')) return null;
  const counted = meanings.has('sealed')
    ? found.filter(({ meaning }) => !lackingNothing.includes(meaning))
    : found;
  const grades = counted.flatMap(({ meaning }) => gradeOf(meaning));
  const [worst = null] = grades.sort((a, b) => gradeRank(b) - gradeRank(a));
  const isUsed = meanings.has('used') || worst !== null;
  if (isUsed) {
    // Boxed, but without instructions, is no better than complete.
    const isBoxed = meanings.has('boxed') && (worst === null || worst === 'complete');
    const ignored = unread(found, ofSealedBox);
    return {
      condition: 'used',
      grade: isBoxed && !meanings.has('complete') ? 'complete_boxed' : worst,
      rest: [...rest, ...ignored],
    };
  }
  if (!meanings.has('sealed')) {
    return { condition: null, grade: null, rest: [...rest, ...unread(found, [...meanings])] };
  }
  const grade = meanings.has('damaged_box')
    ? 'damaged_box'
    : meanings.has('light_wear')
      ? 'light_wear'
      : null;
  return { condition: 'sealed', grade, rest };
}

function gradeOf(meaning: Meaning): Grade[] {
  switch (meaning) {
    case 'sealed':
    case 'used':
    case 'boxed':
    case 'undamaged':
    case 'title':
    case 'perfect':
    case 'light_wear':
    case 'damaged_box':
      return [];
    case 'intact':
      return ['complete'];
    default:
      return [meaning];
  }
}

function unread(found: readonly Found[], without: readonly Meaning[]): string[] {
  return found.filter(({ meaning }) => without.includes(meaning)).flatMap(({ words }) => words);
}
