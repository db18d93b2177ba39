/** Compares the name of a set in a file with those of sets in the catalog. */
import { itemKey, variantBase } from '../items/numbers.ts';
import { fillerWords } from './search.ts';
import { americanWords, searchWords } from './search-words.ts';
import { editDistance, typosAllowed } from './typos.ts';

export interface NamedSet {
  readonly number: string;
  readonly title: string;
}

/** Up to this share of common words, a variant of the same number may fit clearly better. */
const variantShareMax = 0.5;

/** Whether a name has so little in common with a title that another set may be meant. */
export function mayBeOther(name: string, title: string): boolean {
  const words = wordsOf(name);
  return words.length > 0 && sharedPart(words, wordsOf(title)) <= variantShareMax;
}

/**
 * The set that a name clearly fits better than `own`, the set with the number beside it; null if
 * there is none. `found` are the sets that a search for the name finds: other sources may give
 * `own` this name, and it is then among them.
 *
 * Services name sets differently ("Chopper" and "Motorcycle"), and many sets have the same name. So
 * another set fits only if it has the same words, no other set has them, and `own` has none of
 * them. A variant of the same number fits if it has the same words, and `own` at most half of them.
 */
export function findBetterFit(
  name: string,
  own: NamedSet,
  found: readonly NamedSet[],
): NamedSet | null {
  const words = wordsOf(name);
  const key = itemKey('set', own.number);
  const isOwn = ({ number }: NamedSet) => itemKey('set', number) === key;
  const same = found.filter((set) => !isOwn(set) && isSameName(words, wordsOf(set.title)));
  const base = variantBase(key);
  const variant = same.find(({ number }) => variantBase(itemKey('set', number)) === base);
  const share = sharedPart(words, wordsOf(own.title));
  if (variant) return share <= variantShareMax ? variant : null;
  const [only = null, ...others] = same;
  return share === 0 && others.length === 0 && !found.some(isOwn) ? only : null;
}

/** Without filler words, and numbers of sets. */
function wordsOf(name: string): readonly string[] {
  const words = [...new Set(americanWords(searchWords(name)))].filter(
    (word) => !/^\d{4,}$/.test(word),
  );
  const significant = words.filter((word) => !fillerWords.has(word));
  return significant.length > 0 ? significant : words;
}

/** In any order; `Play-Box` and `Playbox` are the same. */
function isSameName(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0) return false;
  const isSame = a.length === b.length && a.every((word) => b.includes(word));
  return isSame || a.join('') === b.join('');
}

/** From 0, if no word of one is in the other, to 1, if all are. */
function sharedPart(a: readonly string[], b: readonly string[]): number {
  if (isSameName(a, b)) return 1;
  const shared =
    a.filter((word) => b.some((other) => isAlike(word, other))).length +
    b.filter((word) => a.some((other) => isAlike(word, other))).length;
  return shared / Math.max(1, a.length + b.length);
}

/** The same but for typos and endings. */
function isAlike(a: string, b: string): boolean {
  const most = Math.min(typosAllowed(a), typosAllowed(b));
  if (a === b || (most > 0 && editDistance(a, b, most) <= most)) return true;
  return Math.min(a.length, b.length) >= stemMin && (a.startsWith(b) || b.startsWith(a));
}

/** Shorter words are not compared by their beginning. */
const stemMin = 4;
