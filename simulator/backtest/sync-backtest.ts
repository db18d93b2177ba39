/**
 * Backtest of sync strategies: a store that starts empty makes a number of calls a day, and its
 * values are compared with the true ones.
 */

import { dayMs, monthOf, monthStart } from '../../src/kernel/time.ts';
import {
  type Condition,
  conditions,
  type StoredSale,
} from '../../src/market/source-rows/source-rows.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import type { Estimator, SetValuation } from '../../src/market/values/estimator.ts';
import { Fit } from '../../src/market/values/fit/fit.ts';
import {
  type Uncertainty,
  uncertaintyOf,
  usualRates,
} from '../../src/market/values/uncertainty.ts';
import { Ranking } from '../../src/sync/ranking.ts';
import { factsAt, SetHistory, standing } from './snapshots.ts';
import type { BacktestItem } from './worlds.ts';

export type SyncStrategy = 'full refresh' | 'planned' | 'round robin';

export interface SyncBacktestOptions {
  /** The store is empty at this instant. */
  readonly from: number;
  readonly days: number;
  /** Calls a day, as shares of a full refresh every day. */
  readonly shares: readonly number[];
  /** Units held of each item. */
  readonly units: readonly number[];
  onProgress(done: number, total: number): void;
}

/** Mean absolute log errors, weighted by units held and value. */
export interface SyncErrors {
  /** In the first days, while the store fills. */
  readonly filling: number;
  /** After a month. */
  readonly settled: number;
  /** Like `settled`, with equal weights. */
  readonly unweighted: number;
}

export interface SyncRun extends SyncErrors {
  readonly strategy: SyncStrategy;
  /** Calls a day, as a share of a full refresh every day. */
  readonly share: number;
}

export interface SyncBacktestReport {
  readonly items: number;
  /** Share of items with any holders. */
  readonly heldShare: number;
  readonly runs: readonly SyncRun[];
}

/** A response has the sales of this many days. */
const guideDays = 180;

/** The planner assumes a little less. */
const reachDays = 170;

/** No question is repeated within a day. */
const restDays = 0.9;

/** Errors are measured daily while the store fills, and weekly once it has settled. */
const fillingDays = 10;
const settledFrom = 30;
const weekDays = 7;

/** Values are recomputed when sales arrive, and at least this often. */
const driftDays = 7;

export async function syncBacktest(
  items: readonly BacktestItem[],
  options: SyncBacktestOptions,
): Promise<SyncBacktestReport> {
  const estimator = await learnAt(items, options.from);
  const plans = [
    { strategy: 'full refresh' as const, share: 1 },
    ...options.shares.flatMap((share) => [
      { strategy: 'planned' as const, share },
      { strategy: 'round robin' as const, share },
    ]),
  ];
  const runs = plans.map(({ strategy, share }, index) => {
    options.onProgress(index, plans.length);
    const errors = new SyncingStore(items, estimator, options).run(strategy, share);
    return { strategy, share, ...errors };
  });
  const held = options.units.filter((units) => units > 0).length;
  return { items: items.length, heldShare: held / items.length, runs };
}

/** Parameters are the same in all runs. */
async function learnAt(items: readonly BacktestItem[], at: number): Promise<Estimator> {
  const month = monthOf(at);
  const fit = new Fit();
  for (const item of items) {
    const history = new SetHistory(item);
    fit.addSet(history.at(monthStart(month)), history.rank);
  }
  return makeEstimator(await fit.learn({ frozen: [], from: month, to: month }));
}

interface KnownItem {
  readonly item: BacktestItem;
  readonly units: number;
  /** By index of the sale: whether the store has it. */
  readonly isKnown: Uint8Array;
  readonly askedAt: Record<Condition, number | null>;
  valued: { readonly at: number; readonly valuation: SetValuation } | null;
}

class SyncingStore {
  readonly #known: readonly KnownItem[];
  readonly #estimator: Estimator;
  readonly #options: SyncBacktestOptions;
  #turn = 0;

  constructor(items: readonly BacktestItem[], estimator: Estimator, options: SyncBacktestOptions) {
    this.#estimator = estimator;
    this.#options = options;
    this.#known = items.map((item, index) => ({
      item,
      units: options.units[index] ?? 0,
      isKnown: new Uint8Array(item.sales.length),
      askedAt: { sealed: null, used: null },
      valued: null,
    }));
  }

  run(strategy: SyncStrategy, share: number): SyncErrors {
    const questions = this.#known.length * conditions.length;
    const calls = Math.max(1, Math.round(questions * share));
    const [filling, settled, unweighted]: [number[], number[], number[]] = [[], [], []];
    for (let day = 0; day < this.#options.days; day++) {
      const at = this.#options.from + day * dayMs;
      for (const question of this.#choose(strategy, calls, at)) this.#ask(question, at);
      if (day < fillingDays) filling.push(this.#errors(at).weighted);
      if (day >= settledFrom && day % weekDays === 0) {
        const errors = this.#errors(at);
        settled.push(errors.weighted);
        unweighted.push(errors.plain);
      }
    }
    return { filling: mean(filling), settled: mean(settled), unweighted: mean(unweighted) };
  }

  /** Questions are numbered by item and condition: 2 × item, plus 1 for used. */
  #choose(strategy: SyncStrategy, calls: number, at: number): number[] {
    const count = this.#known.length * conditions.length;
    if (strategy === 'full refresh') return Array.from({ length: count }, (_, index) => index);
    if (strategy === 'round robin')
      return Array.from({ length: calls }, () => this.#turn++ % count);
    const ranking = new Ranking(calls);
    for (const [index, known] of this.#known.entries()) {
      const uncertainty = this.#uncertainty(known, at);
      for (const [place, condition] of conditions.entries()) {
        const askedAt = known.askedAt[condition];
        ranking.add(index * conditions.length + place, {
          uncertainty: uncertainty[condition],
          interest: { units: known.units, lookUps: 0 },
          askedDays: askedAt === null ? null : (at - askedAt) / dayMs,
          isKnown: true,
          reachDays,
          restDays,
        });
      }
    }
    return ranking.chosen();
  }

  #ask(question: number, at: number): void {
    const known = this.#known[Math.floor(question / conditions.length)];
    const condition = conditions[question % conditions.length];
    if (!known || !condition) return;
    known.askedAt[condition] = at;
    for (const [index, { sale }] of known.item.sales.entries()) {
      if (sale.soldAt >= at) break;
      if (known.isKnown[index] || sale.condition !== condition) continue;
      if (sale.soldAt < at - guideDays * dayMs) continue;
      known.isKnown[index] = 1;
      known.valued = null;
    }
  }

  #uncertainty(known: KnownItem, at: number): Readonly<Record<Condition, Uncertainty>> {
    const { valued } = known;
    const isFresh = valued !== null && at - valued.at < driftDays * dayMs;
    const { evidence } = isFresh ? valued.valuation : this.#value(known, at);
    const { releasedAt } = known.item.facts;
    return uncertaintyOf(evidence, usualRates({ kind: 'set', releasedAt }, at));
  }

  #value(known: KnownItem, at: number): SetValuation {
    const { facts, sales, retailWeeks } = known.item;
    const received = sales.flatMap(({ sale }, index): StoredSale[] =>
      known.isKnown[index] ? [standing(sale)] : [],
    );
    const set = { facts: factsAt(facts, at), sales: received, retailWeeks };
    const valuation = this.#estimator.prepareSet(set).valueAt(at);
    known.valued = { at, valuation };
    return valuation;
  }

  #errors(at: number): { readonly weighted: number; readonly plain: number } {
    let [weights, weighted, plain] = [0, 0, 0];
    for (const known of this.#known) {
      const { evidence } = this.#value(known, at);
      // Without a published value, the modeled one counts.
      const values = uncertaintyOf(evidence, { sealed: 0, used: 0 });
      for (const condition of conditions) {
        const truth = known.item.trueLog(condition, at);
        const error = Math.abs(Math.log(values[condition].valueCents) - truth);
        const weight = known.units * Math.exp(truth);
        weights += weight;
        weighted += weight * error;
        plain += error;
      }
    }
    return {
      weighted: weighted / weights,
      plain: plain / (this.#known.length * conditions.length),
    };
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
