/** Splits amounts of an order over its items, to the cent. */
import { at } from '../../kernel/at.ts';

/**
 * Splits in proportion to weights with the largest remainder method, so that parts add up. Without
 * weights, parts are equal.
 */
export function splitByWeight(amount: number, weights: readonly number[]): number[] {
  // Products of cents and weights may exceed the safe integer range.
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) {
    return weights.length === 0 ? [] : splitByWeight(amount, Array(weights.length).fill(1));
  }
  const sign = amount < 0 ? -1 : 1;
  const whole = BigInt(Math.abs(amount));
  const portions = weights.map((weight, index) => {
    const product = whole * BigInt(weight);
    return {
      index,
      part: Number(product / total),
      rest: Number(product % total),
    };
  });
  let left = Math.abs(amount) - portions.reduce((sum, { part }) => sum + part, 0);
  const parts = portions.map(({ part }) => part);
  for (const { index } of [...portions].sort((a, b) => b.rest - a.rest || a.index - b.index)) {
    if (left-- <= 0) break;
    parts[index] = at(parts, index) + 1;
  }
  // Adding 0 turns -0 into 0.
  return parts.map((part) => sign * part + 0);
}
