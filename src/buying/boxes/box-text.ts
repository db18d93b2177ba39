/**
 * Parses the contents of a box as people type or paste them: one item per line, or several
 * separated by commas, each a number with an optional quantity, condition and price in any order.
 */
import { countText } from '../../kernel/format.ts';
import { centsMax } from '../../kernel/money.ts';
import type { Grade } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { boxUnitsMax } from './box-worth.ts';
import { readCondition } from './condition-words.ts';

/** An item that has not been looked up yet. */
export interface TypedItem {
  /** Starts at 1. */
  readonly line: number;
  /** A set or minifig number, or a barcode. */
  readonly number: string;
  readonly quantity: number;
  /** Null if not stated. */
  readonly condition: Condition | null;
  /** Null if not stated. */
  readonly grade: Grade | null;
  /** The asking price of one unit; null if not stated. */
  readonly priceCents: number | null;
  /** Words that were not used, such as a name; empty if there are none. */
  readonly ignored: string;
  readonly text: string;
}

/** Text that is not understood, and what to enter instead. */
export interface TextProblem {
  /** Starts at 1. */
  readonly line: number;
  readonly text: string;
  readonly problem: string;
}

export interface BoxText {
  readonly items: readonly TypedItem[];
  readonly problems: readonly TextProblem[];
}

/** A box that someone offers. */
export interface BoxForSale {
  /** Its contents, in the form that `readBoxText` reads. */
  readonly text: string;
  readonly askCents: number;
}

export function readBoxText(text: string): BoxText {
  const items: TypedItem[] = [];
  const problems: TextProblem[] = [];
  text.split(/\r\n|\r|\n/).forEach((content, index) => {
    for (const entry of entriesOf(content)) {
      const read = readEntry(entry);
      const line = index + 1;
      if ('problem' in read) problems.push({ line, text: entry, problem: read.problem });
      else items.push({ line, text: entry, ...read });
    }
  });
  return { items, problems };
}

/** The items of a line. A part without a number belongs to the one before: "75192, no box". */
function entriesOf(line: string): string[] {
  const entries: string[] = [];
  const parts = line.replace(thousands, (amount) => amount.replaceAll(',', '')).split(/[,;]/);
  for (const part of parts.map((each) => each.trim()).filter(Boolean)) {
    const last = entries.length - 1;
    if (last < 0 || hasNumber(part)) entries.push(part);
    else entries[last] += `, ${part}`;
  }
  return entries;
}

/** An amount with commas: $1,200. */
const thousands = /\$\s?\d{1,3}(?:,\d{3})+(?!\d)/g;

function hasNumber(part: string): boolean {
  return partsOf(part).rest.some((word) => numberPattern.test(word));
}

/** The condition in a text; `stated` is null if words contradict each other, `rest` the others. */
function partsOf(text: string) {
  const { words: unpriced, prices } = takePrices(wordsOf(text));
  const { words, quantities } = takeQuantities(unpriced);
  const stated = readCondition(words);
  return { prices, quantities, stated, rest: stated?.rest ?? words };
}

/** Formats an item in the form that `readBoxText` reads. */
export function boxLine(item: Pick<TypedItem, 'number' | 'quantity' | 'condition'>): string {
  const { number, quantity, condition } = item;
  return [number, quantity === 1 ? null : `x${quantity}`, condition]
    .filter((word) => word !== null)
    .join(' ');
}

/** Contains a digit, and only characters that occur in numbers; words of titles may match, too. */
const numberPattern = /^(?=.*\d)[a-z\d][a-z\d.-]*$/i;

/** Words that say nothing. */
const fillers = new Set(['lego', 'set', 'sets', 'no', 'nr', 'num', 'and', 'with', 'in', 'item']);

const things = '(?:box(?:es)?|instructions?|manuals?|booklets?|mini-?fig(?:ure)?s?|figs|stickers)';

/** Says that the set itself is not there: "box only", "only the instructions", "empty box". */
const notASet = new RegExp(
  String.raw`\b(?:${things} only|only (?:the )?${things}(?=\W*(?:\d|$))|empty box(?:es)?)\b`,
  'i',
);

type ReadEntry = Omit<TypedItem, 'line' | 'text'> | { readonly problem: string };

function readEntry(entry: string): ReadEntry {
  const { prices, quantities, stated, rest } = partsOf(entry);
  const [number, ...others] = rest.filter((word) => numberPattern.test(word));
  if (number === undefined) {
    return { problem: 'No set or minifig number found. Enter one like 75192 used x2.' };
  }
  const stray = others.find(isWhole);
  if (stray !== undefined) {
    const right = `${number} x${stray}`;
    return { problem: `Is ${stray} a quantity? Enter ${right}, or put each set on its own line.` };
  }
  const quantity = Number(quantities[0] ?? 1);
  if (quantities.length > 1 || quantity < 1 || quantity > boxUnitsMax) {
    return {
      problem: `Enter one quantity from 1 to ${countText(boxUnitsMax)}, such as ${number} x2.`,
    };
  }
  const [price = null, ...more] = prices;
  if (more.length > 0 || (price ?? 0) > centsMax) {
    return { problem: `Enter one price for each, such as ${number} $50.` };
  }
  if (notASet.test(entry)) {
    const right = `Remove this row, or enter ${number} used if the set is included.`;
    return { problem: `A box, instructions or minifigs alone are not the set. ${right}` };
  }
  // Words that contradict each other say nothing.
  const { condition, grade } = stated ?? { condition: null, grade: null };
  return {
    number,
    quantity,
    condition,
    grade,
    priceCents: price,
    ignored: ignoredIn(rest, number),
  };
}

/** The condition, quantity and price of a text without a usable number. */
export function readUnread(
  text: string,
): Pick<TypedItem, 'quantity' | 'condition' | 'grade' | 'priceCents' | 'ignored'> {
  const { prices, quantities, stated, rest } = partsOf(text);
  const quantity = Number(quantities[0] ?? 1);
  const [price = 0] = prices;
  return {
    quantity: quantity >= 1 && quantity <= boxUnitsMax ? quantity : 1,
    condition: stated?.condition ?? null,
    grade: stated?.grade ?? null,
    // Of several prices, none is known to be the right one.
    priceCents: prices.length === 1 && price <= centsMax ? price : null,
    ignored: ignoredIn(rest, ''),
  };
}

function ignoredIn(rest: readonly string[], number: string): string {
  const numberAt = rest.indexOf(number);
  return rest
    .filter((_, index) => index !== numberAt)
    .filter((word) => !fillers.has(word.toLowerCase().replace(/[^a-z]/gi, '')))
    .filter((word) => /[\p{L}\d]/u.test(word))
    .join(' ');
}

/**
 * The words, without punctuation around them. A multiplication sign between two numbers becomes a
 * separate word, a percentage is one word, and a number of pieces is none of the words.
 */
function wordsOf(entry: string): string[] {
  return entry
    .replace(/[×*]/g, 'x')
    .replace(/(\d)\s+%/g, '$1%')
    .replace(/\b\d[\d,]*\s*(?:pcs|pieces|pc)\b/gi, ' ')
    .replace(/\b(?:qty|quantity)[\s:=]*(\d+)\b/gi, ' x$1 ')
    .split(/[\s,]+/)
    .map((word) => word.replace(/^[#([{"']+|[)\]}"':!?.]+$/g, ''))
    .filter((word) => /[^–—-]/.test(word))
    .flatMap((word) => {
      const [, before, after] = /^(\d+)x(\d+)$/i.exec(word) ?? [];
      return before === undefined || after === undefined ? [word] : [before, 'x', after];
    });
}

/** Extracts amounts with a dollar sign, which are for one unit, in cents. */
function takePrices(all: readonly string[]): { words: string[]; prices: number[] } {
  const words: string[] = [];
  const prices: number[] = [];
  for (const word of all) {
    const [, dollars] = /^(?:us)?\$(\d{1,9}(?:\.\d{1,2})?)(?:\/?(?:ea|each))?$/i.exec(word) ?? [];
    if (dollars !== undefined) prices.push(Math.round(Number(dollars) * 100));
    else if (prices.length === 0 || !/^(each|ea|obo)$/i.test(word)) words.push(word);
  }
  return { words, prices };
}

/** Extracts quantities that are joined to or next to a multiplication sign. */
function takeQuantities(all: readonly string[]): { words: string[]; quantities: string[] } {
  const words: string[] = [];
  const quantities: string[] = [];
  for (let i = 0; i < all.length; i++) {
    const [word = '', next = ''] = [all[i], all[i + 1]];
    const [, joined] = /^x?(\d+)x?$/i.exec(word) ?? [];
    const before = words.at(-1) ?? '';
    if (joined !== undefined && joined !== word) quantities.push(joined);
    else if (word.toLowerCase() !== 'x') words.push(word);
    // Of two integers, the shorter one is the quantity.
    else if (isWhole(next) && !(isWhole(before) && before.length < next.length)) {
      quantities.push(next);
      i++;
    } else if (isWhole(before) && all.slice(i + 1).some((each) => numberPattern.test(each))) {
      quantities.push(words.pop() ?? '');
    } else words.push(word);
  }
  return { words, quantities };
}

function isWhole(word: string): boolean {
  return /^\d+$/.test(word);
}
