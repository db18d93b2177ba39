/** Set and minifig numbers: their canonical form and their lookup keys. */
import { figureOfSeries } from './collectible-series.ts';

export type ItemKind = 'set' | 'minifig';

export const itemKinds: readonly ItemKind[] = ['set', 'minifig'];

/** An item by its lookup key. */
export interface ItemRef {
  readonly kind: ItemKind;
  readonly key: string;
}

/** For maps: sets and minifigs can have the same key. */
export function refText({ kind, key }: ItemRef): string {
  return `${kind} ${key}`;
}

export function distinctKeys(items: readonly ItemRef[]): Readonly<Record<ItemKind, Set<string>>> {
  const keys = { set: new Set<string>(), minifig: new Set<string>() };
  for (const item of items) keys[item.kind].add(item.key);
  return keys;
}

/** A variant at the end of a number, but not the longer suffix of `ISBN978-0241506271`. */
const variantPattern = /-[1-9]\d?$/;

/**
 * The canonical form of a set number: bare for variant 1, `N-k` for others. Case is kept; only
 * lookups ignore it. `A-1-1` stays as it is, because `A-1` would be shortened again: the function
 * is idempotent.
 */
export function canonicalSetNumber(given: string): string {
  const number = figureOfSeries(given) ?? given;
  const bare = number.endsWith('-1') ? number.slice(0, -2) : '';
  return bare === '' || variantPattern.test(bare) ? number : bare;
}

/** The common prefix of the keys of all variants, which is the key of variant 1. */
export function variantBase(setKey: string): string {
  return setKey.replace(variantPattern, '');
}

/** The variant that a key denotes; null if it is not a variant of that set. */
export function variantOf(setKey: string, base: string): number | null {
  if (setKey === base) return 1;
  const end = setKey.startsWith(base) ? setKey.slice(base.length) : '';
  return variantPattern.exec(end)?.[0] === end && end !== '' ? Number(end.slice(1)) : null;
}

/** `.` and `..` are rejected, because URLs resolve them. */
export function isItemNumber(text: string): boolean {
  return text !== '.' && text !== '..';
}

/**
 * Whether a number has the form of BrickLink's or Rebrickable's minifig numbers. `LEGO6080` and
 * `No1234` are set numbers after a word.
 */
export function looksLikeMinifig(number: string): boolean {
  return /^((?!(?:lego|set|no|nr)\d)[a-z]{2,4}\d{2,4}[a-z]?|fig-\d+)$/i.test(number);
}

export function itemKey(kind: ItemKind, number: string): string {
  const trimmed = number.trim();
  return (kind === 'set' ? canonicalSetNumber(trimmed) : trimmed).toLowerCase();
}

/** Orders by code units, independently of any database collation. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
