/** Set and minifig numbers: how they are shown, and how they are looked up. */

/** What an item of the catalog is. */
export type ItemKind = 'set' | 'minifig';

/** Both kinds. */
export const itemKinds: readonly ItemKind[] = ['set', 'minifig'];

/** A variant at the end of a number. The longer one of `ISBN978-0241506271` is a part of it. */
const variantPattern = /-[1-9]\d?$/;

/**
 * The form in which a set number is shown: bare for variant 1, `N-k` for the others. The catalog's
 * own spelling is kept; only looking up ignores case. What is left of `A-1-1` would look like a
 * variant and lose its end the next time, so that it stays: a canonical number is one for good.
 */
export function canonicalSetNumber(number: string): string {
  const bare = number.endsWith('-1') ? number.slice(0, -2) : '';
  return bare === '' || variantPattern.test(bare) ? number : bare;
}

/** The key that all variants of a set begin with: that of variant 1. */
export function variantBase(setKey: string): string {
  return setKey.replace(variantPattern, '');
}

/** Which variant of a set a key is; null when it is none of that set. */
export function variantOf(setKey: string, base: string): number | null {
  if (setKey === base) return 1;
  const end = setKey.startsWith(base) ? setKey.slice(base.length) : '';
  return variantPattern.exec(end)?.[0] === end && end !== '' ? Number(end.slice(1)) : null;
}

/** Whether something can be a number: what addresses take for a folder names nothing. */
export function isItemNumber(text: string): boolean {
  return text !== '.' && text !== '..';
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
