/**
 * A trivial value engine, for tests that do not depend on how values are computed: a unit is worth
 * the price of the latest known sale in its condition, ±10%. It learns nothing.
 */

import { dayMs, formatDay, monthStart } from '../../src/kernel/time.ts';
import type { ConditionEvidence, DataTier, Evidence } from '../../src/market/evidence/evidence.ts';
import type { Condition, StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type {
  ComparableSale,
  Estimator,
  MonthQuery,
  MonthValuation,
  PreparedSet,
  SalesSince,
  SetToValue,
  Value,
  ValueEngine,
} from '../../src/market/values/estimator.ts';

const version = 'plain-1';

/** A fixed version, since there are no learned parameters. */
const parameters = '2020-01-00000000';

export const plainEstimator: Estimator = {
  version,
  prepareSet,
  prepareMinifig: ({ sales }) => ({
    valueAt: (at) => {
      const value = latestValue(countedAt(sales, 'used', at));
      const { tier, changesAt } = tierAt(countedAt(sales, 'used', at), at);
      const sealed = latestValue(countedAt(sales, 'sealed', at));
      const evidence = evidenceOf(sales, { at, tier, sealed, used: value });
      return { value, tier, changesAt, evidence };
    },
    salesSince: (since) => salesSince(sales, since),
    checkpoints: () => [],
  }),
};

export const plainEngine: ValueEngine = {
  version,
  learnedItemsMax: 1_000,
  startLearning: () => ({
    addSet: () => {},
    addMinifig: () => {},
    firstMonth: () => null,
    learn: async () => [],
  }),
  makeEstimator: () => plainEstimator,
  hasLearned: () => true,
};

/** The plain engine with a sales rate of about one a month on eBay. */
export const sellingEngine: ValueEngine = {
  ...plainEngine,
  makeEstimator: () => ({
    ...plainEstimator,
    prepareSet: (set) => {
      const prepared = plainEstimator.prepareSet(set);
      return {
        ...prepared,
        valueAt: (at) => {
          const valued = prepared.valueAt(at);
          const { sealed } = valued.evidence;
          const evidence: Evidence = {
            ...valued.evidence,
            offsets: { fixed: 0 },
            sealed: sealed && { ...sealed, rate: onceAMonth },
          };
          return { ...valued, evidence };
        },
      };
    },
  }),
};

const onceAMonth = { sales: 12, days: 365, priorSales: 1, priorDays: 25 };

function prepareSet({ facts, sales }: SetToValue): PreparedSet {
  return {
    valueAt: (at) => {
      const sold = countedAt(sales, 'sealed', at);
      const guess = facts.msrpCents ?? (facts.pieces ? facts.pieces * 10 : null);
      const sealed = latestValue(sold) ?? (guess === null ? null : around(guess));
      const used = latestValue(countedAt(sales, 'used', at));
      const { tier, changesAt } = tierAt(sold, at);
      return {
        sealed,
        used,
        tier,
        changesAt,
        evidence: evidenceOf(sales, { at, tier, sealed, used }),
      };
    },
    months: (condition, questions) =>
      questions.map((question) => monthOf(sales, condition, question)),
    firstSaleAt: (condition, knownBefore) =>
      counted(sales, condition, knownBefore).at(0)?.soldAt ?? null,
    startMonth: null,
    salesSince: (since) => salesSince(sales, since),
    checkpoints: () => [],
  };
}

/** Counted sales of a condition that were known before an instant; null for all. */
function counted(
  sales: readonly StoredSale[],
  condition: Condition,
  knownBefore: number | null,
): StoredSale[] {
  const limit = knownBefore ?? Number.POSITIVE_INFINITY;
  return sales.filter(
    (sale) =>
      sale.condition === condition &&
      sale.completeness !== 'incomplete' &&
      // Without a rate, it waits for one.
      sale.usdPerUnit > 0 &&
      sale.ingestedAt < limit &&
      (sale.retractedAt === null || sale.retractedAt >= limit),
  );
}

function countedAt(sales: readonly StoredSale[], condition: Condition, at: number): StoredSale[] {
  return counted(sales, condition, null).filter(({ soldAt }) => soldAt <= at);
}

function unitCents({ priceCents, shippingCents, quantity, usdPerUnit }: StoredSale): number {
  return ((priceCents + shippingCents) / quantity) * usdPerUnit;
}

function latestValue(sales: readonly StoredSale[]): Value | null {
  const latest = sales.at(-1);
  return latest ? around(Math.round(unitCents(latest))) : null;
}

function around(valueCents: number): Value {
  return {
    valueCents,
    lowCents: Math.round(valueCents * 0.9),
    highCents: Math.round(valueCents * 1.1),
  };
}

/** Ten sales in 90 days, three in 180, or one ever. */
const tiers: readonly { tier: DataTier; sales: number; days: number }[] = [
  { tier: 'high', sales: 10, days: 90 },
  { tier: 'medium', sales: 3, days: 180 },
  { tier: 'low', sales: 1, days: 100_000 },
];

function tierAt(sales: readonly StoredSale[], at: number) {
  for (const { tier, sales: enough, days } of tiers) {
    const changesAt = (sales.at(-enough)?.soldAt ?? Number.NEGATIVE_INFINITY) + days * dayMs + 1;
    if (changesAt > at) return { tier, changesAt: tier === 'low' ? null : changesAt };
  }
  return { tier: 'modeled' as const, changesAt: null };
}

function monthOf(
  sales: readonly StoredSale[],
  condition: Condition,
  { month, knownBefore }: MonthQuery,
): MonthValuation {
  const end = monthStart(month + 1);
  const known = counted(sales, condition, knownBefore).filter(({ soldAt }) => soldAt < end);
  return {
    value: latestValue(known),
    salesCount: known.filter(({ soldAt }) => soldAt >= monthStart(month)).length,
    wellSupported: (known.at(-3)?.soldAt ?? 0) > end - 180 * dayMs,
    hasShifted: false,
    isUnsold: sales.every(
      ({ soldAt, ingestedAt, usdPerUnit }) =>
        soldAt >= end || ingestedAt >= (knownBefore ?? Infinity) || usdPerUnit === 0,
    ),
    provenance: { inputHash: hashOf(known), parameters },
  };
}

function hashOf(sales: readonly StoredSale[]): number {
  const text = JSON.stringify(sales.map((sale) => [sale.sourceId, sale.soldAt, unitCents(sale)]));
  return Number(BigInt(Bun.hash(text)) & 0xfffffffffffffn);
}

function salesSince(sales: readonly StoredSale[], since: SalesSince): ComparableSale[] {
  return [...counted(sales, 'sealed', null), ...counted(sales, 'used', null)]
    .filter((sale) => sale.ingestedAt > since.learnedAfter && sale.soldAt > since.soldAfter)
    .map((sale) => ({
      condition: sale.condition,
      soldAt: sale.soldAt,
      log: Math.log(unitCents(sale)),
    }));
}

function evidenceOf(
  sales: readonly StoredSale[],
  found: { at: number; tier: DataTier; sealed: Value | null; used: Value | null },
): Evidence {
  const { at, tier } = found;
  const ofCondition = (condition: Condition): ConditionEvidence | null => {
    const value = found[condition];
    if (value === null) return null;
    const sold = countedAt(sales, condition, at);
    const within = (days: number) => sold.filter(({ soldAt }) => soldAt > at - days * dayMs).length;
    const day = (sale: StoredSale | undefined) => (sale ? formatDay(sale.soldAt) : null);
    return {
      ...value,
      valueSpread: 0.1,
      saleSpread: 0.1,
      sales: {
        ever: sold.length,
        days30: within(30),
        days90: within(90),
        days180: within(180),
        days365: within(365),
      },
      firstSale: day(sold.at(0)),
      latestSale: day(sold.at(-1)),
    };
  };
  const learnedUntil = Math.max(0, ...sales.flatMap((s) => [s.ingestedAt, s.retractedAt ?? 0]));
  return {
    engine: version,
    parameters,
    inputHash: hashOf(sales),
    at,
    learnedUntil,
    tier,
    sealed: ofCondition('sealed'),
    used: ofCondition('used'),
    modeled: null,
    outcomes: [],
    channels: [],
    retailWeeks: 0,
    moves: [],
  };
}

/** The plain engine, which throws for sets with 13 pieces. */
export const failingEngine: ValueEngine = {
  ...plainEngine,
  makeEstimator: () => ({
    ...plainEstimator,
    prepareSet: (set) => {
      if (set.facts.pieces === 13) throw new Error('no luck');
      return plainEstimator.prepareSet(set);
    },
  }),
};
