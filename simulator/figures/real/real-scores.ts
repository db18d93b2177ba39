/**
 * Measures the engine on real prices by 5-fold cross-validation: it learns from simulated sales
 * around the worth of four fifths of the sets, and values the others without sales and after a few.
 */

import { dayMs, monthOf } from '../../../src/kernel/time.ts';
import {
  type Condition,
  conditions,
  type StoredSale,
} from '../../../src/market/source-rows/source-rows.ts';
import { valueEngine } from '../../../src/market/values/engine.ts';
import type {
  Estimator,
  SetToValue,
  ValuationFacts,
} from '../../../src/market/values/estimator.ts';
import { sampleRank } from '../../../src/market/values/learned-items.ts';
import { Random } from '../../market/random.ts';
import type { RealSet, Snapshot } from './real-sets.ts';

export interface RealScore {
  readonly set: RealSet;
  readonly condition: Condition;
  /** 0 is a cold start. */
  readonly sales: number;
  /** Whether the retail price was withheld. */
  readonly isPriceHidden: boolean;
  /** Logs of value and range over worth; null without a value. */
  readonly error: { readonly value: number; readonly low: number; readonly high: number } | null;
}

const folds = 5;
const seed = 16;

/** Sets of the training folds were first sold within a year, and then every 25 days. */
const learnedDays = 365;
const saleEveryDays = 25;
const firstSaleDaysMin = 90;

/** Standard deviation of simulated sales, like that of real ones. */
const scatter: Readonly<Record<Condition, number>> = { sealed: 0.15, used: 0.22 };

/** Sales before a warm start, the last one a few days ago. */
const warmSales = [1, 3, 10];
const warmEveryDays = 15;

/** Each set is valued by an engine that has not seen it. */
export async function measureSnapshot(snapshot: Snapshot): Promise<RealScore[]> {
  const scores: RealScore[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isOut = ({ key }: RealSet) => Bun.hash.crc32(key) % folds === fold;
    const estimator = await learnFrom(
      snapshot.sets.filter((set) => !isOut(set)),
      snapshot.at,
    );
    for (const set of snapshot.sets.filter(isOut)) {
      scores.push(...scoreSet(set, estimator, snapshot.at));
    }
  }
  return scores;
}

async function learnFrom(sets: readonly RealSet[], at: number): Promise<Estimator> {
  const learner = valueEngine.startLearning();
  for (const set of sets) {
    const random = new Random(seed, 'learned', set.key);
    const first = at - random.between(firstSaleDaysMin, learnedDays) * dayMs;
    const sales = conditions.flatMap((condition) =>
      simulatedSales(set, condition, { random, first, until: at, everyDays: saleEveryDays }),
    );
    learner.addSet(toValue(set.facts, sales), sampleRank(set.key));
  }
  const months = { from: monthOf(at - learnedDays * dayMs), to: monthOf(at) };
  return valueEngine.makeEstimator(await learner.learn({ frozen: [], ...months }));
}

interface SalePlan {
  readonly random: Random;
  readonly first: number;
  readonly until: number;
  readonly everyDays: number;
}

/** None if the worth is unknown. */
function simulatedSales(set: RealSet, condition: Condition, plan: SalePlan): StoredSale[] {
  const worth = set.worth[condition];
  if (worth === null) return [];
  const sales: StoredSale[] = [];
  for (let soldAt = plan.first; soldAt < plan.until; soldAt += plan.everyDays * dayMs) {
    sales.push({
      source: 'made-up',
      sourceId: `${condition}-${sales.length}`,
      condition,
      priceCents: Math.max(1, Math.round(plan.random.logNormal(worth, scatter[condition]))),
      shippingCents: 0,
      currency: 'USD',
      quantity: 1,
      soldAt: Math.round(soldAt),
      channel: 'fixed',
      seller: null,
      completeness: 'complete',
      ingestedAt: Math.round(soldAt),
      retractedAt: null,
      usdPerUnit: 1,
    });
  }
  return sales;
}

function toValue(facts: ValuationFacts, sales: readonly StoredSale[]): SetToValue {
  const ordered = [...sales].sort((a, b) => a.soldAt - b.soldAt);
  return { facts, sales: ordered, retailWeeks: [] };
}

function scoreSet(set: RealSet, estimator: Estimator, at: number): RealScore[] {
  const score = (
    condition: Condition,
    sales: readonly StoredSale[],
    facts: ValuationFacts,
  ): RealScore[] => {
    const worth = set.worth[condition];
    if (worth === null) return [];
    const value = estimator.prepareSet(toValue(facts, sales)).valueAt(at)[condition];
    const error = value && {
      value: Math.log(value.valueCents / worth),
      low: Math.log(value.lowCents / worth),
      high: Math.log(value.highCents / worth),
    };
    const isPriceHidden = facts !== set.facts;
    return [{ set, condition, sales: sales.length, isPriceHidden, error }];
  };
  const hidden = set.facts.msrpCents ? [{ ...set.facts, msrpCents: null }] : [];
  return conditions.flatMap((condition) => [
    ...[set.facts, ...hidden].flatMap((facts) => score(condition, [], facts)),
    ...warmSales.flatMap((count) => {
      const random = new Random(seed, 'warm', condition, count, set.key);
      const first = at - count * warmEveryDays * dayMs;
      const plan = { random, first, until: at, everyDays: warmEveryDays };
      return score(condition, simulatedSales(set, condition, plan), set.facts);
    }),
  ]);
}
