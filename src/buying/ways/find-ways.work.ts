/** Finds the ways to sell sets, from published data. */

import { itemKey } from '../../catalog/items/numbers.ts';
import type { GradeReading } from '../../market/grades/grade-effects.store.ts';
import type { ListingReading } from '../../market/published/listing.store.ts';
import { findResaleItems } from '../prices/resale-item.work.ts';
import { type SetContents, type WaysQuestion, type WaysToSell, waysToSell } from './ways.ts';

export interface FoundWays extends WaysToSell {
  readonly set: SetContents['set'];
}

/** By key; sets that do not exist are left out. */
export async function findWays(
  market: Pick<ListingReading & GradeReading, 'findResaleRecords' | 'findGradeEffects'>,
  keys: readonly string[],
  question: WaysQuestion,
): Promise<ReadonlyMap<string, FoundWays>> {
  const [sets, effects] = await Promise.all([
    findResaleItems(market, 'set', keys),
    market.findGradeEffects(),
  ]);
  const figureKeys = (numbers: readonly string[]) => numbers.map((fig) => itemKey('minifig', fig));
  const needed = new Set([...sets.values()].flatMap(({ minifigs }) => figureKeys(minifigs)));
  const figures = await findResaleItems(market, 'minifig', [...needed]);
  return new Map(
    Array.from(sets, ([key, set]) => {
      // Two numbers may be of one minifig.
      const own = figureKeys(set.minifigs).flatMap((figure) => figures.get(figure) ?? []);
      const minifigs = [...new Map(own.map((figure) => [figure.key, figure])).values()];
      return [key, { set, ...waysToSell({ set, minifigs, effects }, question) }];
    }),
  );
}
