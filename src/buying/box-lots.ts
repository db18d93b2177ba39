/**
 * The lots that a box becomes. Collections hold sets that are in the catalog; what else was in the
 * box gets no lot, and the sets bear its share, so that no cent of the cost is lost.
 */
import { splitCost, unitCosts } from '../domain/buying/split-cost.ts';
import type { LotFacts } from '../domain/portfolio/lots.ts';
import type { EvaluatedItem } from './evaluate.ts';

/** A lot of a box. */
export interface BoxLot extends Pick<LotFacts, 'condition' | 'quantity' | 'priceCents'> {
  /** The canonical number of the set. */
  readonly number: string;
}

/** Whether an item of a box can be in a collection. */
export function canBeLot({ kind, isFound }: EvaluatedItem): boolean {
  return kind === 'set' && isFound;
}

/** The lots of a box, whose prices add up to the cost; none where it has no sets. */
export function lotsOfBox(items: readonly EvaluatedItem[], costCents: number): BoxLot[] {
  const sets = items.filter(canBeLot);
  const parts = sets.map(({ quantity, unitValueCents, msrpCents }) => {
    return { quantity, valueCents: unitValueCents, msrpCents };
  });
  const costs = splitCost(costCents, parts);
  return sets.flatMap(({ number, condition, quantity }, index) =>
    unitCosts(costs[index] ?? 0, quantity).map((units) => {
      return { number, condition, quantity: units.quantity, priceCents: units.unitCents };
    }),
  );
}
