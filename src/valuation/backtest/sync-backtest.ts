/**
 * What asking costs and brings: a store that begins empty asks a source about some items each day,
 * and its values are held against the true ones. Asked are all of them, each in turn, or those
 * that the planner chooses.
 */
import { dayMs, monthOf, monthStart } from '../../domain/kernel/time.ts';
import type { BacktestItem } from '../../domain/market/backtest-market.ts';
import type { Estimator, SetValuation } from '../../domain/market/estimator.ts';
import { type Condition, conditions, type StoredSale } from '../../domain/market/source-rows.ts';
import { type Uncertainty, uncertaintyOf, usualRates } from '../../domain/market/uncertainty.ts';
import { Ranking } from '../../domain/sync/ranking.ts';
import { makeEstimator } from '../engine/estimator.ts';
import { Fit } from '../fit/fit.ts';
import { factsAt, SetHistory, standing } from './snapshots.ts';

/** How the calls of a day are spent. */
export const askingWays = ['everything', 'planned', 'in turn'] as const;
export type AskingWay = (typeof askingWays)[number];

/** What is measured. */
export interface SyncBacktestOptions {
  /** The store is empty at this instant, and asks for so many days. */
  readonly from: number;
  readonly days: number;
  /** Calls a day, as shares of asking everything every day. */
  readonly shares: readonly number[];
  /** How many units of an item people hold, in the order of the items. */
  readonly units: readonly number[];
  onProgress(done: number, total: number): void;
}

/** How far values were off (means of logarithms, by what is held of them and its value). */
export interface AskingErrors {
  /** On each of the first days, while the store fills. */
  readonly filling: number;
  /** Later, once everything could have been asked. */
  readonly settled: number;
  /** The same as `settled`, every item counting alike. */
  readonly unweighted: number;
}

/** What one way of asking came to, with one budget. */
export interface AskingRun extends AskingErrors {
  readonly way: AskingWay;
  /** Calls a day, as a share of asking everything every day. */
  readonly share: number;
}

/** What a back-test of asking found. */
export interface SyncBacktestReport {
  readonly items: number;
  /** The share of the items that anybody holds. */
  readonly heldShare: number;
  readonly runs: readonly AskingRun[];
}

/** An answer tells of the sales of so many days. */
const guideDays = 180;

/** The planner is told that it reaches a little less far. */
const reachDays = 170;

/** Nothing is asked twice within a day. */
const restDays = 0.9;

/** While a store fills, errors are measured every day, later once a week. */
const fillingDays = 10;
const settledFrom = 30;
const weekDays = 7;

/** A value is made anew when something came in, and at least this often. */
const driftDays = 7;

/** Measures every way of asking, with every budget. */
export async function syncBacktest(
  items: readonly BacktestItem[],
  options: SyncBacktestOptions,
): Promise<SyncBacktestReport> {
  const estimator = await learnAt(items, options.from);
  const ways = [
    { way: 'everything' as const, share: 1 },
    ...options.shares.flatMap((share) => [
      { way: 'planned' as const, share },
      { way: 'in turn' as const, share },
    ]),
  ];
  const runs = ways.map(({ way, share }, index) => {
    options.onProgress(index, ways.length);
    const errors = new Asking(items, estimator, options).run(way, share);
    return { way, share, ...errors };
  });
  const held = options.units.filter((units) => units > 0).length;
  return { items: items.length, heldShare: held / items.length, runs };
}

/** What is learned across items is the same for all: it is not what is measured here. */
async function learnAt(items: readonly BacktestItem[], at: number): Promise<Estimator> {
  const month = monthOf(at);
  const fit = new Fit();
  for (const item of items) {
    const history = new SetHistory(item);
    fit.addSet(history.at(monthStart(month)), history.rank);
  }
  return makeEstimator(await fit.learn({ frozen: [], from: month, to: month }));
}

/** What a store knows of an item. */
interface KnownItem {
  readonly item: BacktestItem;
  readonly units: number;
  /** Which of its sales are known. */
  readonly isKnown: Uint8Array;
  readonly askedAt: Record<Condition, number | null>;
  valued: { readonly at: number; readonly valuation: SetValuation } | null;
}

/** A store that asks. */
class Asking {
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

  run(way: AskingWay, share: number): AskingErrors {
    const questions = this.#known.length * conditions.length;
    const calls = Math.max(1, Math.round(questions * share));
    const [filling, settled, unweighted]: [number[], number[], number[]] = [[], [], []];
    for (let day = 0; day < this.#options.days; day++) {
      const at = this.#options.from + day * dayMs;
      for (const question of this.#choose(way, calls, at)) this.#ask(question, at);
      if (day < fillingDays) filling.push(this.#errors(at).weighted);
      if (day >= settledFrom && day % weekDays === 0) {
        const errors = this.#errors(at);
        settled.push(errors.weighted);
        unweighted.push(errors.plain);
      }
    }
    return { filling: mean(filling), settled: mean(settled), unweighted: mean(unweighted) };
  }

  /** The questions of a day: an item's number, twice, and one more in used condition. */
  #choose(way: AskingWay, calls: number, at: number): number[] {
    const count = this.#known.length * conditions.length;
    if (way === 'everything') return Array.from({ length: count }, (_, index) => index);
    if (way === 'in turn') return Array.from({ length: calls }, () => this.#turn++ % count);
    const ranking = new Ranking(calls);
    for (const [index, known] of this.#known.entries()) {
      const uncertainty = this.#uncertainty(known, at);
      for (const [place, condition] of conditions.entries()) {
        const askedAt = known.askedAt[condition];
        ranking.add(index * conditions.length + place, {
          uncertainty: uncertainty[condition],
          wanted: { units: known.units, lookUps: 0 },
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
    const told = sales.flatMap(({ sale }, index): StoredSale[] =>
      known.isKnown[index] ? [standing(sale)] : [],
    );
    const set = { facts: factsAt(facts, at), sales: told, retailWeeks };
    const valuation = this.#estimator.prepareSet(set).valueAt(at);
    known.valued = { at, valuation };
    return valuation;
  }

  #errors(at: number): { readonly weighted: number; readonly plain: number } {
    let [weights, weighted, plain] = [0, 0, 0];
    for (const known of this.#known) {
      const { evidence } = this.#value(known, at);
      // Where no value is given, what is modeled counts.
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
