/** Compares prices with the published market values. */
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import { wholeShare } from '../../market/grades/grades.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import { unitValueCents } from './holdings.ts';
import { priceQuestion, type UnitPrice } from './price-question.ts';

/** In the order of the prices; null for plausible ones. Values do not depend on grades. */
export async function findPriceQuestions(
  market: Pick<PortfolioData['market'], 'findItemValues'>,
  prices: readonly UnitPrice[],
): Promise<(string | null)[]> {
  const refs = prices.map(({ kind, number }) => ({ kind, key: itemKey(kind, number) }));
  const valuesOf = await findEachItem(refs, async (kind, keys) => {
    const found = await market.findItemValues(kind, keys);
    return new Map(keys.map((key, index) => [key, found[index] ?? null]));
  });
  return prices.map(({ kind, number, condition, cents }) => {
    const values = valuesOf({ kind, key: itemKey(kind, number) });
    return priceQuestion(cents, unitValueCents(values, condition, wholeShare));
  });
}
