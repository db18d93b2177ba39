/** Splits what was paid for a box over what is in it, so that the parts add up to the cent. */
import { shareOut } from '../kernel/money.ts';

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
 * others. They add up exactly.
 */
export function splitCost(costCents: number, parts: readonly BoxPart[]): number[] {
  const known = parts.map(({ valueCents, msrpCents }) => valueCents ?? msrpCents);
  const given = known.filter((cents) => cents !== null);
  const sum = given.reduce((total, cents) => total + cents, 0);
  const mean = given.length === 0 ? 1 : Math.round(sum / given.length);
  return shareOut(
    costCents,
    parts.map(({ quantity }, index) => quantity * (known[index] ?? mean)),
  );
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
