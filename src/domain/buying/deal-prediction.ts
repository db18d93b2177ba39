/** What was to be expected of a deal on the day it began, kept so that it can be graded. */
import type { DataTier } from '../market/evidence.ts';
import type { FeeTables, SellingChannel } from './channels.ts';
import type { Deal } from './deal.ts';
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
    | 'resale'
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

/** What is to be expected of a deal at the usual terms. */
export function predictionOf(tables: FeeTables, deal: Deal, at: number): DealPrediction {
  const terms = usualTerms;
  const quotes = quotesOf(tables, deal.resale, { terms, at });
  return {
    setNumber: deal.setNumber,
    title: deal.title,
    statusId: deal.statusId,
    valueCents: deal.resale.price.valueCents,
    tier: deal.resale.tier,
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
    resale: deal.resale,
    channels: quotes
      .filter(({ isAssumed }) => !isAssumed)
      .map(({ channel, sum: { priceCents, netCents } }) => ({ channel, priceCents, netCents })),
  };
}
