/** Money is integer cents everywhere inside; dollars exist only on the wire. */
import { lazy } from './lazy.ts';

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

/** Cents, or null where the amount is not known. */
export function toCentsOrNull(amount: number | null): number | null {
  return amount === null ? null : toCents(amount);
}

/** A percentage with two places, half up; 0 when there is nothing to compare with. */
export function percentOf(part: number, whole: number): number {
  // Adding 0 turns a negative zero into a plain one.
  return whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100 + 0;
}

/**
 * Whole parts of a whole in proportion to whole weights; all alike where no weight counts. They are
 * rounded by the largest remainder, so that they add up exactly. In whole numbers of any size:
 * products of amounts are more than fractions can hold exactly.
 */
export function shareOut(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (sum === 0n) {
    return weights.length === 0 ? [] : shareOut(whole, Array(weights.length).fill(1));
  }
  const products = weights.map((weight) => BigInt(whole) * BigInt(weight));
  const shares = products.map((product) => Number(product / sum));
  const left = whole - shares.reduce((total, share) => total + share, 0);
  const byRemainder = products
    .map((product, index) => ({ index, remainder: product % sum }))
    .sort((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

const dollars = lazy(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));

/** An amount as people write it, such as $1,234.50. */
export function dollarText(cents: number): string {
  return dollars().format(cents / 100);
}
