/**
 * Parses the contents of a box as people type or paste them: one item per line, or several
 * separated by commas, each a number with an optional quantity and condition in any order.
 */
import { countText } from '../kernel/format.ts';
import type { Condition } from '../market/source-rows.ts';
import { boxUnitsMax } from './box-worth.ts';

/** An item that has not been looked up yet. */
export interface TypedItem {
  /** Starts at 1. */
  readonly line: number;
  /** A set or minifig number, or a barcode. */
  readonly number: string;
  readonly quantity: number;
  /** Null if not stated. */
  readonly condition: Condition | null;
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

/** Common terms and abbreviations for conditions. */
const conditionWords = new Map<string, Condition>([
  ['sealed', 'sealed'],
  ['new', 'sealed'],
  ['n', 'sealed'],
  ['nisb', 'sealed'],
  ['misb', 'sealed'],
  ['bnib', 'sealed'],
  ['bnisb', 'sealed'],
  ['used', 'used'],
  ['u', 'used'],
  ['cib', 'used'],
  ['opened', 'used'],
]);

export function readBoxText(text: string): BoxText {
  const items: TypedItem[] = [];
  const problems: TextProblem[] = [];
  text.split(/\r\n|\r|\n/).forEach((content, index) => {
    for (const entry of content.split(/[,;]/).map((each) => each.trim())) {
      if (entry === '') continue;
      const read = readEntry(entry);
      const line = index + 1;
      if ('problem' in read) problems.push({ line, text: entry, problem: read.problem });
      else items.push({ line, ...read });
    }
  });
  return { items, problems };
}

/** Formats an item in the form that `readBoxText` reads. */
export function boxLine(item: Omit<TypedItem, 'line'>): string {
  const { number, quantity, condition } = item;
  return [number, quantity === 1 ? null : `x${quantity}`, condition]
    .filter((word) => word !== null)
    .join(' ');
}

/** Contains a digit, and only characters that occur in numbers; words of titles may match, too. */
const numberPattern = /^(?=.*\d)[a-z\d][a-z\d.-]*$/i;

function readEntry(entry: string): Omit<TypedItem, 'line'> | { readonly problem: string } {
  const { words, quantities } = takeQuantities(wordsOf(entry));
  const conditions = new Set(words.flatMap((word) => conditionOf(word) ?? []));
  const [number, ...others] = words.filter((word) => numberPattern.test(word));
  if (number === undefined) {
    return { problem: 'No set or minifig number found. Enter one like 75192 used x2.' };
  }
  const stray = others.find(isWhole);
  if (stray !== undefined) {
    const right = `${number} x${stray}`;
    return { problem: `Is ${stray} a quantity? Enter ${right}, or put each set on its own line.` };
  }
  if (conditions.size > 1) {
    return { problem: `Is it new or used? Enter ${number} used or ${number} sealed.` };
  }
  const quantity = Number(quantities[0] ?? 1);
  if (quantities.length > 1 || quantity < 1 || quantity > boxUnitsMax) {
    return {
      problem: `Enter one quantity from 1 to ${countText(boxUnitsMax)}, such as ${number} x2.`,
    };
  }
  const [condition = null] = conditions;
  return { number, quantity, condition };
}

/** A multiplication sign between two numbers becomes a separate word. */
function wordsOf(entry: string): string[] {
  return entry
    .replace(/[×*]/g, 'x')
    .split(/\s+/)
    .flatMap((word) => {
      const [, before, after] = /^(\d+)x(\d+)$/i.exec(word) ?? [];
      return before === undefined || after === undefined ? [word] : [before, 'x', after];
    });
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

function conditionOf(word: string): Condition | undefined {
  return conditionWords.get(word.toLowerCase().replace(/[().:]/g, ''));
}
