/** The whole back-test of a market: learning, scoring, probing, and what was to be reached. */

import { dayMs, monthOf } from '../../domain/kernel/time.ts';
import type { BacktestItem, BacktestWorld } from '../../domain/market/backtest-market.ts';
import { engineVersion } from '../engine/engine-version.ts';
import { ParameterTimeline } from '../engine/parameter-timeline.ts';
import { type Goal, goalsOf } from './goals.ts';
import { estimators, learnAsKnown } from './learn-as-known.ts';
import { engineMethod, hedonicMethod, simpleMethods } from './methods.ts';
import { type ProbeReport, probe, type RandomSource } from './probes.ts';
import { makeReport, type ScoreReport } from './report.ts';
import { scoreItem } from './score.ts';

/** What a back-test found. */
export interface BacktestReport extends ScoreReport {
  readonly probes: ProbeReport;
  readonly goals: readonly Goal[];
}

/** The steps of a back-test, for people who wait. */
export type Step = 'Learning' | 'Measuring' | 'Probing';

/** What a back-test depends on, besides the market. */
export interface BacktestOptions {
  readonly world: BacktestWorld;
  /** Sales are there from this instant on, and scored from the next one until the last. */
  readonly salesFrom: number;
  readonly scoredFrom: number;
  readonly today: number;
  /** Streams of random numbers, by name. */
  random(...names: string[]): RandomSource;
  onProgress(step: Step, done: number, total: number): void;
}

const resamples = 1_000;

/** How many days before a sale methods are asked. */
const horizonDays = [0, 30, 90] as const;

/** Tests the engine on a market. */
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
