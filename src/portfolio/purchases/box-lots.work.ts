/** The lots of units that were bought together, whose costs add up to what was paid. */

import { allotCost, type PricedPart, type Receipt } from '../../buying/boxes/allot-cost.ts';
import type { EvaluatedRow } from '../../buying/boxes/evaluate-rows.work.ts';
import { unitCosts } from '../../buying/boxes/split-cost.ts';
import { at } from '../../kernel/at.ts';
import type { LotFacts } from '../lots/lots.ts';

/** Numbers are canonical. */
export type BoxLot = Pick<
  LotFacts,
  'kind' | 'number' | 'condition' | 'grade' | 'quantity' | 'priceCents'
>;

/** Units, with the name of their row on the receipt. */
export type BoughtUnits = Omit<BoxLot, 'priceCents'> & PricedPart & { readonly row: string };

type Problem = Extract<ReturnType<typeof allotCost>, { problem: unknown }>;

export interface BoughtLots {
  readonly lots: readonly (BoxLot & { readonly row: string })[];
  readonly totalCents: number;
  /** The prices on the receipt, by row. */
  readonly prices: Readonly<Record<string, number>>;
}

/** A cost that cannot be divided by the quantity makes two lots. */
export function lotsOf(units: readonly BoughtUnits[], receipt: Receipt): BoughtLots | Problem {
  const allotted = allotCost(receipt, units);
  if ('problem' in allotted) return allotted;
  const lots = units.flatMap(({ row, kind, number, condition, grade, quantity }, index) =>
    unitCosts(at(allotted.costs, index), quantity).map((part) => {
      const { quantity: some, unitCents: priceCents } = part;
      return { row, kind, number, condition, grade, quantity: some, priceCents };
    }),
  );
  const prices = Object.fromEntries(
    units.flatMap(({ row, priceCents }) => (priceCents === null ? [] : [[row, priceCents]])),
  );
  return { lots, totalCents: allotted.totalCents, prices };
}

/**
 * The units of rows that are in the catalog. The cost of all others is split over them. Rows are
 * named by their position, unless they have names.
 */
export function unitsOfRows(
  rows: readonly EvaluatedRow[],
  nameOf: (row: EvaluatedRow) => string = ({ index }) => String(index + 1),
): BoughtUnits[] {
  return rows.flatMap((each) => {
    const { row, item, unitValueCents } = each;
    const { condition, grade, quantity, priceCents } = row;
    if (item === null || condition === null) return [];
    const { kind, number, msrpCents } = item;
    const value = { valueCents: unitValueCents, msrpCents, priceCents };
    return [{ row: nameOf(each), kind, number, condition, grade, quantity, ...value }];
  });
}
