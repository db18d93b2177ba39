/**
 * Compares deals with later sales: as if the unit had been bought at the offered price and sold in
 * the predicted channel, with the fees of the day the deal opened, so that only prices are tested.
 */
import { percentOf } from '../../kernel/money.ts';
import { weekOf } from '../../kernel/time.ts';
import { countSale, type DealScore } from '../../market/published/deal-scorecard.ts';
import type { GradedDeal } from '../../market/published/deals.ts';
import type { ComparableSale } from '../../market/values/estimator.ts';
import { netOfUnit } from '../boxes/quotes.ts';
import { offsetIn, payableIn } from '../prices/resale.ts';
import type { FeeTables } from '../prices/selling-channels.ts';
import type { DealPrediction } from './deal-prediction.ts';

/**
 * `deals` are ordered from oldest to newest. A sealed sale tests the last deal that opened before
 * it, at either retailer, so none is counted twice.
 */
export function gradeDeals(
  tables: FeeTables,
  deals: readonly GradedDeal[],
  sales: readonly ComparableSale[],
): DealScore[] {
  const sealed = sales.filter(({ condition }) => condition === 'sealed');
  const byDeal = Map.groupBy(sealed, ({ soldAt }) =>
    deals.findLast(({ openedAt }) => openedAt < soldAt),
  );
  return [...byDeal].flatMap(([deal, own]) => (deal ? gradeSales(tables, deal, own) : []));
}

function gradeSales(
  tables: FeeTables,
  { openedAt, prediction: json }: GradedDeal,
  sales: readonly ComparableSale[],
): DealScore[] {
  const prediction: DealPrediction = JSON.parse(json);
  const { resale, channel, costCents, netCents, roiPercent, tier } = prediction;
  return sales.flatMap(({ soldAt, log }) => {
    const level = Math.round(Math.exp(log + offsetIn(resale, channel)));
    const priceCents = payableIn(resale, channel, level);
    const sum = netOfUnit(tables, resale, { channel, priceCents, at: openedAt });
    if (sum === null) return [];
    return countSale({
      week: weekOf(soldAt),
      tier,
      predictedPercent: roiPercent,
      gotPercent: percentOf(sum.netCents - costCents, costCents),
      isCleared: sum.netCents >= netCents,
    });
  });
}
