/** The backtest report: all methods, overall and by slice. */
import { type Condition, conditions } from '../../src/market/source-rows/source-rows.ts';
import { Bootstrap, type Draw, type Interval, intervalOf, type Target } from './bootstrap.ts';
import type { Method } from './methods.ts';
import {
  type Accuracy,
  accuracyOf,
  noiseFloor,
  type SaleWeighted,
  saleWeighted,
} from './metrics.ts';
import type { Score } from './score.ts';
import { type Slice, slicesOf } from './slices.ts';

export interface ScoreReport {
  /** Scores with an earlier sale in their condition. */
  readonly scored: number;
  readonly noiseFloor: number;
  /** In the given order; the engine is last. */
  readonly methods: readonly MethodReport[];
  /** The simple methods with the lowest errors, and the engine's error relative to theirs. */
  readonly best: { readonly sale: BestSimple; readonly truth: BestSimple };
  /** The same for methods that use learned channel offsets or the learned prior. */
  readonly bestHelped: { readonly sale: BestSimple; readonly truth: BestSimple };
  readonly slices: readonly Slice[];
  readonly coldStart: readonly ColdStart[];
  readonly horizons: readonly HorizonReport[];
}

/** Intervals are 90% bootstrap intervals over items. */
export interface MethodReport {
  readonly name: string;
  readonly accuracy: Accuracy;
  readonly saleErrorInterval: Interval;
  readonly trueErrorInterval: Interval;
  readonly saleWeighted: SaleWeighted;
}

export interface BestSimple {
  readonly name: string;
  readonly error: number;
  readonly ratio: number;
  readonly ratioInterval: Interval;
}

/** Before the first sale in a condition. */
export interface ColdStart {
  readonly condition: Condition;
  readonly engine: Accuracy;
  readonly msrpError: number;
}

export interface HorizonReport {
  readonly days: number;
  readonly count: number;
  readonly engine: { readonly saleError: number; readonly trueError: number };
  readonly simple: { readonly saleError: number; readonly trueError: number };
}

export interface Horizon {
  readonly days: number;
  readonly scores: readonly Score[];
}

/** The engine is the last method, the list price the first. */
export function makeReport(
  horizons: readonly Horizon[],
  methods: readonly Method[],
  draw: Draw,
): ScoreReport {
  const scores = horizons.find(({ days }) => days === 0)?.scores ?? [];
  const later = scores.filter((score) => !score.isFirst);
  const bootstrap = new Bootstrap(later, draw);
  const engine = methods.length - 1;
  const reports = methods.map(({ name }, index) => ({
    name,
    accuracy: accuracyOf(later, index),
    saleErrorInterval: intervalOf(bootstrap.medians(index, 'soldLog')),
    trueErrorInterval: intervalOf(bootstrap.medians(index, 'trueLog')),
    saleWeighted: saleWeighted(later, index),
  }));
  const simpleOnes = simpleIndexes(methods, false);
  const helpedOnes = simpleIndexes(methods, true);
  const sale = bestOf(simpleOnes, reports, { bootstrap, target: 'soldLog' });
  const truth = bestOf(simpleOnes, reports, { bootstrap, target: 'trueLog' });
  const simple = methods.findIndex(({ name }) => name === sale.name);
  return {
    scored: later.length,
    noiseFloor: noiseFloor(later),
    methods: reports,
    best: { sale, truth },
    bestHelped: {
      sale: bestOf(helpedOnes, reports, { bootstrap, target: 'soldLog' }),
      truth: bestOf(helpedOnes, reports, { bootstrap, target: 'trueLog' }),
    },
    slices: slicesOf(later, { engine, simple }),
    coldStart: conditions.map((condition) => {
      const first = scores.filter((score) => score.isFirst && score.condition === condition);
      const msrpError = accuracyOf(first, 0).saleError;
      return { condition, engine: accuracyOf(first, engine), msrpError };
    }),
    horizons: horizons.map(({ days, scores: horizonScores }) => {
      const known = horizonScores.filter((score) => !score.isFirst);
      const errorsOf = (index: number) => {
        const { saleError, trueError } = accuracyOf(known, index);
        return { saleError, trueError };
      };
      return { days, count: known.length, engine: errorsOf(engine), simple: errorsOf(simple) };
    }),
  };
}

function simpleIndexes(methods: readonly Method[], isHelped: boolean): number[] {
  return methods.flatMap((method, index) =>
    index < methods.length - 1 && method.isHelped === isHelped ? [index] : [],
  );
}

function bestOf(
  candidates: readonly number[],
  reports: readonly MethodReport[],
  { bootstrap, target }: { readonly bootstrap: Bootstrap; readonly target: Target },
): BestSimple {
  const errorOf = (index: number) => {
    const accuracy = reports[index]?.accuracy;
    return (target === 'soldLog' ? accuracy?.saleError : accuracy?.trueError) ?? Number.NaN;
  };
  const engine = reports.length - 1;
  const best = candidates.reduce((a, b) => (errorOf(b) >= errorOf(a) ? a : b), candidates[0] ?? 0);
  const simple = bootstrap.medians(best, target);
  const ratios = bootstrap
    .medians(engine, target)
    .map((error, resample) => error / (simple[resample] ?? Number.NaN));
  return {
    name: reports[best]?.name ?? '',
    error: errorOf(best),
    ratio: errorOf(engine) / errorOf(best),
    ratioInterval: intervalOf(ratios),
  };
}
