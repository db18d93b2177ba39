/** The lots of units that were bought together, whose costs add up to what was paid. */
import { allotCost, type PricedPart, type Receipt } from '../domain/buying/allot-cost.ts';
import { unitCosts } from '../domain/buying/split-cost.ts';
import { at } from '../domain/kernel/at.ts';
import type { LotFacts } from '../domain/portfolio/lots.ts';
import { purchaseItem } from '../domain/portfolio/purchases.ts';
import type { EvaluatedRow } from './evaluate-rows.ts';

/** Numbers are canonical. */
export type BoxLot = Pick<
  LotFacts,
  'kind' | 'number' | 'condition' | 'grade' | 'quantity' | 'priceCents'
>;

export type BoughtUnits = Omit<BoxLot, 'priceCents'> & PricedPart;

type Problem = Extract<ReturnType<typeof allotCost>, { problem: unknown }>;

export interface BoughtLots {
  readonly lots: readonly BoxLot[];
  readonly totalCents: number;
  readonly prices: Readonly<Record<string, number>>;
}

/** A cost that cannot be divided by the quantity makes two lots. */
export function lotsOf(units: readonly BoughtUnits[], receipt: Receipt): BoughtLots | Problem {
  const allotted = allotCost(receipt, units);
  if ('problem' in allotted) return allotted;
  const lots = units.flatMap(({ kind, number, condition, grade, quantity }, index) =>
    unitCosts(at(allotted.costs, index), quantity).map((part) => {
      const { quantity: some, unitCents: priceCents } = part;
      return { kind, number, condition, grade, quantity: some, priceCents };
    }),
  );
  return { lots, totalCents: allotted.totalCents, prices: pricesOf(units) };
}

/** The prices on the receipt, by item. */
function pricesOf(units: readonly BoughtUnits[]): Record<string, number> {
  return Object.fromEntries(
    units.flatMap((each) =>
      each.priceCents === null ? [] : [[purchaseItem(each), each.priceCents]],
    ),
  );
}

/** The units of rows that are in the catalog. The cost of all others is split over them. */
export function unitsOfRows(rows: readonly EvaluatedRow[]): BoughtUnits[] {
  return rows.flatMap(({ row, item, unitValueCents }) => {
    const { condition, grade, quantity, priceCents } = row;
    if (item === null || condition === null) return [];
    const { kind, number, msrpCents } = item;
    const value = { valueCents: unitValueCents, msrpCents, priceCents };
    return [{ kind, number, condition, grade, quantity, ...value }];
  });
}
