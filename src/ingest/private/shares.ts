/** Splits what was paid for a whole order over its items, to the cent. */

/**
 * Parts of an amount in proportion to weights, which add up to it exactly: what is left after
 * rounding down goes to those that lost most, the first of them first. Without any weight, the
 * parts are even.
 */
export function splitByWeight(amount: number, weights: readonly number[]): number[] {
  // Products of cents and weights may exceed what numbers hold exactly.
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) {
    return weights.length === 0 ? [] : splitByWeight(amount, Array(weights.length).fill(1));
  }
  const sign = amount < 0 ? -1 : 1;
  const whole = BigInt(Math.abs(amount));
  const lost = weights.map((weight, index) => {
    const product = whole * BigInt(weight);
    return {
      index,
      part: Number(product / total),
      rest: Number(product % total),
    };
  });
  let left = Math.abs(amount) - lost.reduce((sum, { part }) => sum + part, 0);
  const parts = lost.map(({ part }) => part);
  for (const { index } of [...lost].sort((a, b) => b.rest - a.rest || a.index - b.index)) {
    if (left-- <= 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
  }
  // Adding 0 turns a negative zero into a plain one.
  return parts.map((part) => sign * part + 0);
}
