/**
 * Deals held against what happened: each later sale, as if the unit had been bought at the price
 * that was shown and sold where it was to bring most, at the fees of the day on which the deal
 * began. Only prices are on trial.
 */
import { percentOf } from '../kernel/money.ts';
import { weekOf } from '../kernel/time.ts';
import { countSale, type DealScore } from '../market/deal-scorecard.ts';
import type { GradedDeal } from '../market/deals.ts';
import type { ComparableSale } from '../market/estimator.ts';
import type { FeeTables } from './channels.ts';
import type { DealPrediction } from './deal-prediction.ts';
import { netOfUnit, offsetIn, payableIn } from './resale.ts';

/**
 * Counts sales of a set against its deals, the oldest of which comes first. A sealed one is a test
 * of the last deal that began before it, whichever retailer had it: none is counted twice.
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
  const prediction: DealPrediction | Omit<DealPrediction, 'resale'> = JSON.parse(json);
  // The first deals that were ever logged do not say how the unit was to be sold.
  if (!('resale' in prediction)) return [];
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
