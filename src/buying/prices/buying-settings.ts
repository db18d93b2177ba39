/** An account's buying settings: the defaults on its pages, and the terms for its API answers. */

import type { FeeTable, PlatformFees } from '../../market/fees/fee-table.ts';
import { type Platform, platforms } from '../../market/fees/platforms.ts';
import { type BuyTerms, defaultTerms } from '../boxes/quotes.ts';
import type { BuyingCosts } from './max-buy.ts';
import type { FeeTables } from './selling-channels.ts';

/** The platforms with fees, for which an account may have its own rates. */
export const ratedPlatforms: readonly Platform[] = platforms.filter(
  (platform) => platform !== 'local' && platform !== 'other',
);

/**
 * An account's actual rate on a platform, with platform and payment fees combined: a share of what
 * the buyer pays (with shipping, without tax), and an amount per order.
 */
export interface OwnRate {
  readonly platform: Platform;
  readonly basisPoints: number;
  readonly feeCents: number;
}

/** An account's settings. `BasisPoints` are hundredths of a percent. */
export interface BuyingSettings extends BuyingCosts {
  /** The probability, from 0 to 1, with which the margin must be reached. */
  readonly share: number;
  readonly marginBasisPoints: number;
  /** The yearly cost of capital. */
  readonly moneyBasisPoints: number;
  readonly ownRates: readonly OwnRate[];
  /** Today lists only deals with at least this profit and return, and at most this wait. */
  readonly todayMinProfitCents: number;
  readonly todayMinRoiPercent: number;
  readonly todayMaxWaitDays: number;
  /** The cost of an hour of work, and the time to list a lot and to sort a piece. */
  readonly hourCents: number;
  readonly secondsPerLot: number;
  readonly secondsPerPiece: number;
}

/** The settings of an account that has not changed any. */
export const usualSettings: BuyingSettings = {
  share: defaultTerms.share,
  marginBasisPoints: defaultTerms.marginBasisPoints,
  moneyBasisPoints: defaultTerms.moneyBasisPoints,
  ...defaultTerms.costs,
  ownRates: [],
  todayMinProfitCents: 10_00,
  todayMinRoiPercent: 15,
  todayMaxWaitDays: 365,
  hourCents: 15_00,
  secondsPerLot: 40,
  secondsPerPiece: 3,
};

export function termsOf(settings: BuyingSettings): BuyTerms {
  const { share, marginBasisPoints, moneyBasisPoints } = settings;
  const { taxBasisPoints, cashbackBasisPoints, inboundCents } = settings;
  const costs = { taxBasisPoints, cashbackBasisPoints, inboundCents };
  return { share, marginBasisPoints, moneyBasisPoints, costs };
}

/** The least recently used ones are removed. */
const keptMax = 100;

/** By the original tables, then by the rates. */
const kept = new WeakMap<FeeTables, Map<string, FeeTables>>();

/**
 * The tables with an account's own rates, each replacing all rows of its platform. FBA is still
 * computed from Amazon's price list, because it depends on the box. Equal rates return the same
 * object, so that results cached per table are found again.
 */
export function tablesOf(tables: FeeTables, { ownRates }: BuyingSettings): FeeTables {
  if (ownRates.length === 0) return tables;
  const known = kept.getOrInsertComputed(tables, () => new Map<string, FeeTables>());
  const name = JSON.stringify(ownRates);
  const own = known.get(name) ?? { ...tables, fees: withRates(tables.fees, ownRates) };
  // Moves the entry to the end, so that the least recently used one is first.
  known.delete(name);
  known.set(name, own);
  for (const oldest of known.keys()) if (known.size > keptMax) known.delete(oldest);
  return own;
}

function withRates(fees: FeeTable, ownRates: readonly OwnRate[]): FeeTable {
  const replaced = new Set(ownRates.map(({ platform }) => platform));
  const kept = fees.rows.filter(({ platform }) => !replaced.has(platform));
  return { ...fees, rows: [...ownRates.map(rateRow), ...kept] };
}

function rateRow({ platform, basisPoints, feeCents }: OwnRate): PlatformFees {
  return {
    platform,
    from: '1970-01-01',
    source: 'Your own rates',
    base: 'with_shipping',
    steps: [{ upToCents: null, basisPoints }],
    stepsPer: 'unit',
    perOrder: feeCents === 0 ? [] : [{ upToCents: null, feeCents }],
    minCents: 0,
    payments: [],
  };
}
