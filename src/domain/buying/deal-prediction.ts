/** What was to be expected of a deal on the day it began, kept so that it can be graded. */
import type { DataTier } from '../market/evidence.ts';
import type { FeeTables, SellingChannel } from './channels.ts';
import { bestSale, type Deal, type DealCandidate, profitOf, toDeal } from './deal.ts';
import { quotesOf, usualTerms } from './resale.ts';

/** A deal as it was on its first day, at the usual terms. */
export interface DealPrediction
  extends Pick<
    Deal,
    | 'setNumber'
    | 'title'
    | 'statusId'
    | 'maxBuyCents'
    | 'channel'
    | 'netCents'
    | 'medianNetCents'
    | 'waitDays'
    | 'costCents'
    | 'profitCents'
    | 'roiPercent'
    | 'warnings'
  > {
  readonly valueCents: number;
  readonly tier: DataTier;
  /** The terms, which may be others one day. */
  readonly share: number;
  readonly marginBasisPoints: number;
  /** What the share of sales was to be above in each channel whose prices are known. */
  readonly channels: readonly {
    readonly channel: SellingChannel;
    readonly priceCents: number;
    readonly netCents: number;
  }[];
}

/** What is to be expected of an offer; null when it is no deal at the usual terms. */
export function predictDeal(
  tables: FeeTables,
  candidate: DealCandidate,
  at: number,
): DealPrediction | null {
  const { resale, offer } = candidate;
  const terms = usualTerms;
  const sale = bestSale(tables, resale, { terms, at });
  const profit = sale && profitOf(offer.priceCents, sale, terms);
  if (sale === null || profit === null) return null;
  const deal = toDeal(candidate, { sale, profit }, { terms, at });
  const quotes = quotesOf(tables, resale, { terms, at }).filter(({ isAssumed }) => !isAssumed);
  return {
    setNumber: deal.setNumber,
    title: deal.title,
    statusId: deal.statusId,
    valueCents: resale.price.valueCents,
    tier: resale.tier,
    share: terms.share,
    marginBasisPoints: terms.marginBasisPoints,
    maxBuyCents: deal.maxBuyCents,
    channel: deal.channel,
    netCents: deal.netCents,
    medianNetCents: deal.medianNetCents,
    waitDays: deal.waitDays,
    costCents: deal.costCents,
    profitCents: deal.profitCents,
    roiPercent: deal.roiPercent,
    warnings: deal.warnings,
    channels: quotes.map(({ channel, sum }) => ({
      channel,
      priceCents: sum.priceCents,
      netCents: sum.netCents,
    })),
  };
}
