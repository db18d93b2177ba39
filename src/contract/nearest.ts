/** Suggests the name that was probably meant, for error messages. */

import { editDistance } from '../catalog/search/typos.ts';
import { at } from '../kernel/at.ts';

/** Only this much of a name is compared. */
const typedLengthMax = 64;

/** The maximum number of names listed in a message. */
const listedMax = 30;

/** A shorter prefix would match too much. */
const beginningMin = 3;

/**
 * The candidate that was probably meant; null if none is near. In order of preference: it differs
 * only in case and separators; by a few typos; or one name is a prefix or consists of whole words
 * of the other, as `msrp` of `msrp_usd`. The last applies only if a single candidate matches.
 */
export function nearest(typed: string, candidates: readonly string[]): string | null {
  const name = wordsOf(typed.slice(0, typedLengthMax));
  if (name.joined === '') return null;
  let best: string | null = null;
  let bestTypos = Number.POSITIVE_INFINITY;
  const parts = new Set<string>();
  for (const candidate of candidates) {
    const other = wordsOf(candidate);
    const typos = typosBetween(name, other);
    if (typos !== null && typos < bestTypos) {
      best = candidate;
      bestTypos = typos;
    }
    if (isPartOf(name, other) || isContinued(other, name)) parts.add(candidate);
  }
  const [only = null] = parts;
  return best ?? (parts.size === 1 ? only : null);
}

/**
 * The end of a message about an unknown name: a suggestion, or the list of names. Empty if none is
 * near and there are too many to list.
 */
export function nameHint(typed: string, names: readonly string[]): string {
  const near = nearest(typed, names);
  if (near !== null) return `did you mean '${near}'?`;
  if (names.length === 0 || names.length > listedMax) return '';
  return `use ${names.length === 1 ? '' : 'one of '}${names.join(', ')}`;
}

/** The same as the end of a sentence. */
export function nameHintEnd(typed: string, names: readonly string[]): string {
  const hint = nameHint(typed, names);
  if (hint === '') return '.';
  return hint.endsWith('?') ? `; ${hint}` : `; ${hint}.`;
}

interface Name {
  readonly words: readonly string[];
  readonly joined: string;
}

/** `changedWithin`, `changed-within` and `changed_within` have the same words. */
function wordsOf(name: string): Name {
  const spaced = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  const words = spaced.split(/[\s_.-]+/).filter((word) => word !== '');
  return { words, joined: words.join('') };
}

/** The number of typos between two names; null if there are too many. */
function typosBetween(typed: Name, other: Name): number | null {
  if (typed.joined === other.joined) return 0;
  if (typed.words.length !== other.words.length) {
    return typosInWord(typed.joined, other.joined, 1);
  }
  // Word by word: `min_price` is not a misspelled `max_price`.
  let typos = 0;
  for (const [index, word] of typed.words.entries()) {
    const inWord = typosInWord(word, at(other.words, index), 2);
    if (inWord === null) return null;
    typos += inWord;
  }
  return typos;
}

function typosInWord(word: string, other: string, most: number): number | null {
  if (word === other) return 0;
  const allowed = Math.min(typosAllowed(Math.min(word.length, other.length)), most);
  const typos = editDistance(word, other, allowed);
  return typos > allowed ? null : typos;
}

/** None in words of one or two letters, where a typo makes another word. */
function typosAllowed(length: number): number {
  if (length < 3) return 0;
  return length < 8 ? 1 : 2;
}

/** Whether the typed name is a prefix of a name, or whole words of it in order. */
function isPartOf(typed: Name, other: Name): boolean {
  if (typed.joined.length >= beginningMin && other.joined.startsWith(typed.joined)) return true;
  return (
    typed.words.length > 0 && ` ${other.words.join(' ')} `.includes(` ${typed.words.join(' ')} `)
  );
}

/** Whether the typed name is a name with more words appended: `set_number` for `set`. */
function isContinued(other: Name, typed: Name): boolean {
  return (
    typed.words.length > other.words.length &&
    ` ${typed.words.join(' ')} `.startsWith(` ${other.words.join(' ')} `)
  );
}
