/** The prediction for a deal when it opens, stored so that later sales can be compared with it. */
import type { DataTier } from '../../market/evidence/evidence.ts';
import { defaultTerms, quotesOf } from '../boxes/quotes.ts';
import type { FeeTables, SellingChannel } from '../prices/selling-channels.ts';
import type { Deal } from './deal.ts';

/** A deal when it opened, at the usual terms. */
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
  /** Stored, because the usual terms may change. */
  readonly share: number;
  readonly marginBasisPoints: number;
  /** Prices that `share` of sales should exceed, in each channel with learned prices. */
  readonly channels: readonly {
    readonly channel: SellingChannel;
    readonly priceCents: number;
    readonly netCents: number;
  }[];
}

export function predictionOf(tables: FeeTables, deal: Deal, at: number): DealPrediction {
  const terms = defaultTerms;
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
