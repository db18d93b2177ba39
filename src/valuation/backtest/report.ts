/** The back-test as a report: every method, over everything and slice by slice. */
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
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

/** What the scores show. */
export interface ScoreReport {
  /** Scores with at least one earlier sale, which every method can be asked about. */
  readonly scored: number;
  readonly noiseFloor: number;
  /** In the order in which they were given; the measured one is last. */
  readonly methods: readonly MethodReport[];
  /** The simple methods with the lowest errors, and the measured one's error over theirs. */
  readonly best: { readonly sale: BestSimple; readonly truth: BestSimple };
  /** The same among those that are given what the engine has learned of the channels. */
  readonly bestHelped: { readonly sale: BestSimple; readonly truth: BestSimple };
  readonly slices: readonly Slice[];
  readonly coldStart: readonly ColdStart[];
  readonly horizons: readonly HorizonReport[];
}

/** One method over all scores; the intervals hold nine in ten resamples of whole items. */
export interface MethodReport {
  readonly name: string;
  readonly accuracy: Accuracy;
  readonly saleErrorInterval: Interval;
  readonly trueErrorInterval: Interval;
  readonly saleWeighted: SaleWeighted;
}

/** The best simple method by one kind of error, and how the measured one compares. */
export interface BestSimple {
  readonly name: string;
  readonly error: number;
  readonly ratio: number;
  readonly ratioInterval: Interval;
}

/** Before the first sale in a condition: nothing but facts is known. */
export interface ColdStart {
  readonly condition: Condition;
  readonly engine: Accuracy;
  readonly msrpError: number;
}

/** Asked so many days before the sale. */
export interface HorizonReport {
  readonly days: number;
  readonly count: number;
  readonly engine: { readonly saleError: number; readonly trueError: number };
  readonly simple: { readonly saleError: number; readonly trueError: number };
}

/** Scores of methods that were asked so many days before the sale. */
export interface Horizon {
  readonly days: number;
  readonly scores: readonly Score[];
}

/** Makes the report; the method that is measured comes last, the list price first. */
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

/** The indexes of the simple methods, with or without the engine's help. */
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
