/** Set and minifig numbers: how they are shown, and how they are looked up. */

/** What an item of the catalog is. */
export type ItemKind = 'set' | 'minifig';

/**
 * The form in which a set number is shown: bare for variant 1, `N-k` for the others. The catalog's
 * own spelling is kept; only looking up ignores case.
 */
export function canonicalSetNumber(number: string): string {
  return number.length > 2 && number.endsWith('-1') ? number.slice(0, -2) : number;
}

/** The key under which a number of either kind is stored and looked up. */
export function itemKey(kind: ItemKind, number: string): string {
  const trimmed = number.trim();
  return (kind === 'set' ? canonicalSetNumber(trimmed) : trimmed).toLowerCase();
}

/** Orders text by its code units: the same on every engine, whatever its collation. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
