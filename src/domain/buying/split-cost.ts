/** Splits what was paid for a box over what is in it, so that the parts add up to the cent. */

/** One kind of thing in a box. */
export interface BoxPart {
  readonly quantity: number;
  /** What one is worth; null when that is not known. */
  readonly valueCents: number | null;
  /** What one cost in shops; null when that is not known. */
  readonly msrpCents: number | null;
}

/** Units that cost the same. */
export interface CostedUnits {
  readonly quantity: number;
  readonly unitCents: number;
}

/**
 * The cost of each part of a box: by value, else by what it cost in shops, else by the mean of the
 * others. The shares are rounded by the largest remainder, so that they add up exactly.
 */
export function splitCost(costCents: number, parts: readonly BoxPart[]): number[] {
  const known = parts.map(({ valueCents, msrpCents }) => valueCents ?? msrpCents);
  const given = known.filter((cents) => cents !== null);
  const mean = given.length === 0 ? 1 : given.reduce((sum, cents) => sum + cents, 0) / given.length;
  const weights = parts.map(({ quantity }, index) => quantity * (known[index] ?? mean));
  return shareOut(costCents, weights);
}

/** Whole parts of a whole in proportion to weights; all alike where no weight counts. */
function shareOut(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const fair = weights.map((weight) => whole * (sum > 0 ? weight / sum : 1 / weights.length));
  const shares = fair.map(Math.floor);
  let left = whole - shares.reduce((total, share) => total + share, 0);
  const byRemainder = fair
    .map((amount, index) => ({ index, remainder: amount - Math.floor(amount) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (left-- <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
  }
  return shares;
}

/** Units with a price each that add up to a cost: one lot, or two that differ by a cent. */
export function unitCosts(costCents: number, quantity: number): CostedUnits[] {
  const unitCents = Math.floor(costCents / quantity);
  const dearer = costCents - unitCents * quantity;
  const lots = [
    { quantity: dearer, unitCents: unitCents + 1 },
    { quantity: quantity - dearer, unitCents },
  ];
  return lots.filter((lot) => lot.quantity > 0);
}
