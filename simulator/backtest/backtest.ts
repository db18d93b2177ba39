/** The backtest of a market: learning, scoring, probing and goals. */

import { dayMs, monthOf } from '../../src/kernel/time.ts';
import { engineVersion } from '../../src/market/values/engine/engine-version.ts';
import { ParameterTimeline } from '../../src/market/values/engine/parameter-timeline.ts';
import { type Goal, goalsOf } from './goals.ts';
import { estimators, learnAsKnown } from './learn-as-known.ts';
import { engineMethod, hedonicMethod, simpleMethods } from './methods.ts';
import { type ProbeReport, probe, type RandomSource } from './probes.ts';
import { makeReport, type ScoreReport } from './report.ts';
import { scoreItem } from './score.ts';
import type { BacktestItem, BacktestWorld } from './worlds.ts';

export interface BacktestReport extends ScoreReport {
  readonly probes: ProbeReport;
  readonly goals: readonly Goal[];
}

export type Step = 'Learning' | 'Measuring' | 'Probing';

export interface BacktestOptions {
  readonly world: BacktestWorld;
  /** Start of sales, start of scoring, and end. */
  readonly salesFrom: number;
  readonly scoredFrom: number;
  readonly today: number;
  /** Named random streams. */
  random(...names: string[]): RandomSource;
  onProgress(step: Step, done: number, total: number): void;
}

const resamples = 1_000;

/** Prediction horizons in days before a sale. */
const horizonDays = [0, 30, 90] as const;

export async function backtest(
  items: readonly BacktestItem[],
  options: BacktestOptions,
): Promise<BacktestReport> {
  const { world, scoredFrom: from, today } = options;
  const [first, last] = [monthOf(options.salesFrom), monthOf(today - 1)];
  const learned = await learnAsKnown(items, {
    from: first,
    to: last,
    onProgress: (done, total) => options.onProgress('Learning', done, total),
  });
  const estimatorOf = estimators(learned);
  const timeline = new ParameterTimeline(learned);
  const methods = [
    ...simpleMethods,
    hedonicMethod(timeline),
    engineMethod(engineVersion, estimatorOf),
  ];
  const horizons = horizonDays.map((days) => ({
    days,
    scores: items.flatMap((item, index) => {
      const done = horizonDays.indexOf(days) * items.length + index;
      options.onProgress('Measuring', done, horizonDays.length * items.length);
      return scoreItem(item, { methods, timeline, from, aheadMs: days * dayMs });
    }),
  }));
  const random = options.random('bootstrap');
  const nextIndex = (count: number) => Math.floor(random.fraction() * count);
  const report = makeReport(horizons, methods, { resamples, nextIndex });
  const probes = probe(items, {
    estimatorOf,
    from,
    to: today,
    randomFor: ({ key }) => options.random('probe', key),
    onProgress: (done, total) => options.onProgress('Probing', done, total),
  });
  return { ...report, probes, goals: goalsOf(world, report, probes) };
}
