/**
 * The lots created from a box. Only items in the catalog become lots; the cost of everything else
 * is distributed over them, so that the total stays the same.
 */

import { splitCost, unitCosts } from '../domain/buying/split-cost.ts';
import { at } from '../domain/kernel/at.ts';
import type { LotFacts } from '../domain/portfolio/lots.ts';
import type { EvaluatedItem } from './evaluate.ts';

/** Numbers are canonical. */
export type BoxLot = Pick<LotFacts, 'kind' | 'number' | 'condition' | 'quantity' | 'priceCents'>;

export function canBeLot({ isFound }: EvaluatedItem): boolean {
  return isFound;
}

/** Lots whose prices add up to the cost; none if nothing in the box is known. */
export function lotsOfBox(items: readonly EvaluatedItem[], costCents: number): BoxLot[] {
  const known = items.filter(canBeLot);
  const parts = known.map(({ quantity, unitValueCents, msrpCents }) => {
    return { quantity, valueCents: unitValueCents, msrpCents };
  });
  const costs = splitCost(costCents, parts);
  return known.flatMap(({ kind, number, condition, quantity }, index) =>
    unitCosts(at(costs, index), quantity).map((units) => {
      return { kind, number, condition, quantity: units.quantity, priceCents: units.unitCents };
    }),
  );
}
