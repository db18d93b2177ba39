/** Money is integer cents everywhere inside; dollars exist only on the wire. */

/** The most that any single amount may be; more is a mistake in the source. */
export const centsMax = 100_000_000;

/** Dollars, as the wire writes them. */
export function toUsd(cents: number): number {
  return cents / 100;
}

/** Dollars, or null where the amount is not known. */
export function toUsdOrNull(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** How far from a whole cent an amount may be: what sums of binary fractions are off by. */
const centTolerance = 1e-6;

/** Cents of a decimal with two places, as programs add them up; null when it has more. */
export function toCents(amount: number): number | null {
  if (!Number.isFinite(amount)) return null;
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) <= centTolerance ? cents : null;
}

/** A percentage with two places, half up; 0 when there is nothing to compare with. */
export function percentOf(part: number, whole: number): number {
  // Adding 0 turns a negative zero into a plain one.
  return whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100 + 0;
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** An amount as people write it, such as $1,234.50. */
export function dollarText(cents: number): string {
  return dollars.format(cents / 100);
}
