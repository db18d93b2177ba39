/** Splits the cost of a box over its contents, so that the parts add up to the cent. */
import { shareOut } from '../../kernel/money.ts';

/** Units of one item in a box. */
export interface BoxPart {
  readonly quantity: number;
  /** The value of one unit; null if unknown. */
  readonly valueCents: number | null;
  /** The list price of one unit; null if unknown. */
  readonly msrpCents: number | null;
}

export interface CostedUnits {
  readonly quantity: number;
  readonly unitCents: number;
}

/**
 * The cost of each part, proportional to its value, else its list price, else the mean of the
 * others. The parts add up exactly.
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

/** Unit costs in whole cents that add up exactly: one lot, or two that differ by a cent. */
export function unitCosts(costCents: number, quantity: number): CostedUnits[] {
  const unitCents = Math.floor(costCents / quantity);
  const dearer = costCents - unitCents * quantity;
  const lots = [
    { quantity: dearer, unitCents: unitCents + 1 },
    { quantity: quantity - dearer, unitCents },
  ];
  return lots.filter((lot) => lot.quantity > 0);
}
