/** Money is integer cents in code, and dollars only on the wire. */
import { at } from './at.ts';
import { usLocale } from './formats.ts';
import { numberFormat } from './intl.ts';
import { shortValue } from './text.ts';

/** The maximum of a single amount; more is an error of the source. */
export const centsMax = 100_000_000;

export function toUsd(cents: number): number {
  return cents / 100;
}

export function toUsdOrNull(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** Tolerance for sums of binary fractions. */
const centTolerance = 1e-6;

/** Cents of dollars with two decimals; null if there are more, or if the amount is not finite. */
export function toCents(amount: number): number | null {
  const cents = Math.round(amount * 100);
  return Math.abs(amount * 100 - cents) <= centTolerance ? cents : null;
}

export function toCentsOrNull(amount: number | null): number | null {
  return amount === null ? null : toCents(amount);
}

/** A percentage with two decimals, rounded half up; 0 if the base is 0. */
export function percentOf(part: number, whole: number): number {
  // Adding 0 turns -0 into 0.
  return whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100 + 0;
}

/**
 * Splits an integer in proportion to weights, evenly if all are 0. Rounded by the largest remainder
 * method, so the parts add up exactly. BigInt, because products of amounts exceed doubles.
 */
export function shareOut(whole: number, weights: readonly number[]): number[] {
  // Subtracting from 0 makes 0 of 0, not -0.
  if (whole < 0) return shareOut(-whole, weights).map((share) => 0 - share);
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (sum === 0n) {
    return weights.length === 0 ? [] : shareOut(whole, Array(weights.length).fill(1));
  }
  const products = weights.map((weight) => BigInt(whole) * BigInt(weight));
  const shares = products.map((product) => Number(product / sum));
  const left = whole - shares.reduce((total, share) => total + share, 0);
  const byRemainder = products
    .map((product, index) => ({ index, remainder: product % sum }))
    .sort((a, b) => Number(b.remainder - a.remainder));
  for (const { index } of byRemainder.slice(0, left)) shares[index] = at(shares, index) + 1;
  return shares;
}

/** An amount as people write it, such as $1,234.50. */
export function dollarText(cents: number): string {
  return numberFormat('money', usLocale).format(cents / 100);
}

/** A value that was read; or why not, as a phrase that follows the name of the field. */
export type Reading<Value> = { readonly value: Value } | { readonly problem: string };

/** Reads a decimal number as hundredths, from 0 to `max`. */
export function readCents(value: unknown, max: number): Reading<number> {
  const cents = typeof value === 'number' ? toCents(value) : null;
  if (cents === null) {
    const shown = shortValue(value);
    return { problem: `must be a number with at most two decimal places, not ${shown}` };
  }
  return cents < 0 || cents > max
    ? { problem: `must be from 0 to ${max / 100}, not ${value}` }
    : { value: cents };
}
