/**
 * The lots created from a box. Only sets in the catalog become lots; the cost of everything else is
 * distributed over them, so that the total stays the same.
 */

import { splitCost, unitCosts } from '../domain/buying/split-cost.ts';
import { at } from '../domain/kernel/at.ts';
import type { LotFacts } from '../domain/portfolio/lots.ts';
import type { EvaluatedItem } from './evaluate.ts';

export interface BoxLot extends Pick<LotFacts, 'condition' | 'quantity' | 'priceCents'> {
  /** The canonical set number. */
  readonly number: string;
}

export function canBeLot({ kind, isFound }: EvaluatedItem): boolean {
  return kind === 'set' && isFound;
}

/** Lots whose prices add up to the cost; none if the box has no sets. */
export function lotsOfBox(items: readonly EvaluatedItem[], costCents: number): BoxLot[] {
  const sets = items.filter(canBeLot);
  const parts = sets.map(({ quantity, unitValueCents, msrpCents }) => {
    return { quantity, valueCents: unitValueCents, msrpCents };
  });
  const costs = splitCost(costCents, parts);
  return sets.flatMap(({ number, condition, quantity }, index) =>
    unitCosts(at(costs, index), quantity).map((units) => {
      return { number, condition, quantity: units.quantity, priceCents: units.unitCents };
    }),
  );
}
