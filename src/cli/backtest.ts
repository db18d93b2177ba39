/** `backtest`: how wrong values are, measured on a made-up market whose true values are known. */

import { knownMarket } from '../simulate/known-market.ts';
import { Random } from '../simulate/random.ts';
import { yearMs } from '../simulate/world.ts';
import { estimatorMethod, simpleMethods } from '../valuation/backtest/methods.ts';
import { type BacktestReport, makeReport } from '../valuation/backtest/report.ts';
import { type Score, scoreItem } from '../valuation/backtest/run.ts';
import { baselineEstimator } from '../valuation/baseline.ts';
import { type Arguments, type Command, takeWords, UsageError } from './command.ts';
import { progressLine } from './progress.ts';
import { table } from './table.ts';

const years = 5;
const salesPerSet = 60;

/** The market always ends on the same day: the same seed gives the same figures for ever. */
const today = Date.UTC(2026, 10, 1);

const defaults = { seed: 23, sets: 1_000 };
const setsMax = 20_000;

/** The backtest command. */
export const backtestCommand: Command = {
  name: 'backtest',
  operands: '',
  summary: 'measures how wrong values are, on a made-up market whose true values are known',
  flags: {
    seed: { help: `another market (default ${defaults.seed})`, value: 'N' },
    sets: { help: `how many sets it has (default ${defaults.sets})`, value: 'N' },
  },
  run: async (args, context) => {
    takeWords(args, []);
    const seed = readCount(args, 'seed', { default: defaults.seed, max: 1_000_000 });
    const sets = readCount(args, 'sets', { default: defaults.sets, max: setsMax });
    const methods = [...simpleMethods, estimatorMethod(baselineEstimator)];
    // The first year is there to learn from.
    const from = today - (years - 1) * yearMs;
    const progress = progressLine(context, 'Measuring');
    const scores: Score[] = [];
    let done = 0;
    for (const item of knownMarket({ seed, today, sets, years, salesPerSet })) {
      scores.push(...scoreItem(item, methods, from));
      progress.update(++done, sets);
    }
    progress.end();
    const random = new Random(seed, 'bootstrap');
    const nextIndex = (count: number) => Math.floor(random.fraction() * count);
    const report = makeReport(scores, methods, nextIndex);
    context.result({ seed, sets, ...report }, present(report, { seed, sets }));
  },
};

function readCount(
  args: Arguments,
  name: string,
  bounds: { readonly default: number; readonly max: number },
): number {
  const text = args.flags[name];
  if (text === undefined) return bounds.default;
  const count = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > bounds.max) {
    throw new UsageError(`--${name} must be a whole number from 1 to ${bounds.max}.`);
  }
  return count;
}

const percent = (share: number | null, places = 1) =>
  share === null || Number.isNaN(share) ? '–' : `${(100 * share).toFixed(places)} %`;

function present(report: BacktestReport, made: { seed: number; sets: number }): string {
  const methods = report.methods.map(({ name, accuracy, saleErrorInterval: interval }) => [
    name,
    `${percent(accuracy.saleError)} (${percent(interval.low)} to ${percent(interval.high)})`,
    percent(accuracy.within10, 0),
    percent(accuracy.within20, 0),
    percent(accuracy.bias),
    percent(accuracy.trueError),
    percent(accuracy.coverage),
  ]);
  const slices = report.slices.map(({ condition, bucket, noiseFloor, accuracy }) => [
    condition,
    bucket,
    accuracy.count,
    percent(noiseFloor),
    percent(accuracy.saleError),
    percent(accuracy.trueError),
    percent(accuracy.coverage),
  ]);
  const { coldStart } = report;
  return [
    `Seed ${made.seed}, ${made.sets} sets, five years; ${report.scored} sales scored, the first ` +
      'of each month. Errors are medians.',
    '',
    table(
      ['method', 'next sale', 'within 10 %', 'within 20 %', 'bias', 'true value', 'in range'],
      methods,
    ),
    '',
    `Whoever knows the true value is off by ${percent(report.noiseFloor)} on the next sale: that ` +
      'is how much sales scatter.',
    '',
    table(
      ['condition', 'sales in 180 days', 'scored', 'floor', 'next sale', 'true value', 'in range'],
      slices,
    ),
    '',
    `Before the first sale (new, ${coldStart.accuracy.count} scored): ` +
      `${percent(coldStart.accuracy.saleError)}, the list price ${percent(coldStart.msrpError)}.`,
  ].join('\n');
}
