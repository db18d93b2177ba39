/**
 * What an account told of how it buys and sells: where its pages start from, and what its answers
 * are made with.
 */
import type { FeeTable, PlatformFees } from '../fees/fee-table.ts';
import { type Platform, platforms } from '../fees/platforms.ts';
import type { FeeTables } from './channels.ts';
import { type BuyTerms, usualTerms } from './resale.ts';

/** The platforms that take fees, for which an account may have rates of its own. */
export const ratedPlatforms: readonly Platform[] = platforms.filter(
  (platform) => platform !== 'local' && platform !== 'other',
);

/**
 * What an account really pays on a platform, all in one: platform and payment together, as a share
 * of what the buyer pays with shipping and without tax, and an amount per order.
 */
export interface OwnRate {
  readonly platform: Platform;
  readonly basisPoints: number;
  readonly feeCents: number;
}

/** The buying settings of an account. Shares but the first are in hundredths of a percent. */
export interface BuyingSettings {
  /** Of 1: in so many of all cases the margin is left, or more. */
  readonly share: number;
  readonly marginBasisPoints: number;
  readonly taxBasisPoints: number;
  readonly cashbackBasisPoints: number;
  readonly inboundCents: number;
  /** What the money in a purchase costs a year. */
  readonly moneyBasisPoints: number;
  readonly ownRates: readonly OwnRate[];
}

/** What holds for an account that never said anything else. */
export const usualSettings: BuyingSettings = {
  share: usualTerms.share,
  marginBasisPoints: usualTerms.marginBasisPoints,
  moneyBasisPoints: usualTerms.moneyBasisPoints,
  ...usualTerms.costs,
  ownRates: [],
};

/** The terms on which an account buys. */
export function termsOf(settings: BuyingSettings): BuyTerms {
  const { share, marginBasisPoints, moneyBasisPoints } = settings;
  const { taxBasisPoints, cashbackBasisPoints, inboundCents } = settings;
  const costs = { taxBasisPoints, cashbackBasisPoints, inboundCents };
  return { share, marginBasisPoints, moneyBasisPoints, costs };
}

/** Tables with own rates that are kept; the latest ones. */
const keptMax = 100;

/** By the tables without them, then by the rates. */
const kept = new WeakMap<FeeTables, Map<string, FeeTables>>();

/**
 * The tables with an account's own rates, each in the place of all rows of its platform. Amazon's
 * fulfillment goes on by its price list: what it takes depends on the box. The same rates give the
 * same object, so that sums that are kept with their tables are found again.
 */
export function tablesOf(tables: FeeTables, { ownRates }: BuyingSettings): FeeTables {
  if (ownRates.length === 0) return tables;
  const known = kept.get(tables) ?? new Map<string, FeeTables>();
  kept.set(tables, known);
  const name = JSON.stringify(ownRates);
  const own = known.get(name) ?? { ...tables, fees: withRates(tables.fees, ownRates) };
  // What was asked for longest ago makes room.
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
