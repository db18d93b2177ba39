/** `backtest`: how wrong values are, measured on a made-up market whose true values are known. */
import { type BacktestWorld, backtestWorlds } from '../domain/market/backtest-market.ts';
import { backtestMarket } from '../simulate/backtest-market.ts';
import { Random } from '../simulate/random.ts';
import { yearMs } from '../simulate/world.ts';
import { type BacktestReport, backtest, type Step } from '../valuation/backtest/backtest.ts';
import { buyingBacktest } from '../valuation/backtest/buying-backtest.ts';
import { buyingGoals, type MeasuredBuying } from '../valuation/backtest/goals.ts';
import { presentBacktest, presentBuying } from './backtest-text.ts';
import {
  type Arguments,
  type Command,
  type Context,
  flagInteger,
  flagText,
  takeWords,
  UsageError,
} from './command.ts';
import { type ProgressLine, progressLine } from './progress.ts';
import { snakeKeys } from './snake-keys.ts';

const years = 5;

/** What the rates of the made-up market come to, when they are not scaled. */
const salesPerSet = 130;

/** The market always ends on the same day: the same seed gives the same figures for ever. */
const today = Date.UTC(2026, 10, 1);

/** The first year is there to learn from. */
const span = {
  salesFrom: today - years * yearMs,
  scoredFrom: today - (years - 1) * yearMs,
  today,
};

const defaults = { seed: 23, sets: 1_000, world: 'A' };
const seedMax = 1_000_000;
const setsMax = 20_000;

/** The backtest command. */
export const backtestCommand: Command = {
  name: 'backtest',
  operands: '',
  summary: 'Measure the error of values on a simulated market with known true values',
  flags: {
    seed: { help: `Random seed of the market (default ${defaults.seed})`, value: 'N' },
    world: { help: `Type of market, A to F (default ${defaults.world})`, value: 'A..F' },
    sets: { help: `Number of sets (default ${defaults.sets})`, value: 'N' },
    buying: { help: 'Measure max buy prices, waiting times and box bids instead' },
  },
  run: async (args, context) => {
    takeWords(args, []);
    const seed = flagInteger(args, 'seed', { min: 1, max: seedMax }) ?? defaults.seed;
    const sets = flagInteger(args, 'sets', { min: 1, max: setsMax }) ?? defaults.sets;
    const world = readWorld(args);
    const progress = steps(context);
    if (args.flags.buying === true) {
      const report = await measureBuying({ world, seed, sets }, progress.update);
      progress.end();
      const made = { world, seed, sets };
      context.result(snakeKeys({ ...made, ...report }), presentBuying(report, made));
      return;
    }
    const report = await measure({ world, seed, sets }, progress.update);
    progress.end();
    context.result(
      snakeKeys({ world, seed, sets, ...report }),
      presentBacktest(report, { world, seed, sets }),
    );
  },
};

/** The market to measure on. */
export interface Measured {
  readonly world: BacktestWorld;
  readonly seed: number;
  readonly sets: number;
}

/** Makes the market up and measures on it. */
export function measure(
  { world, seed, sets }: Measured,
  onProgress: (step: Step, done: number, total: number) => void,
): Promise<BacktestReport> {
  return backtest([...backtestMarket({ world, seed, today, sets, years, salesPerSet })], {
    world,
    ...span,
    random: (...names) => new Random(seed, ...names),
    onProgress,
  });
}

/** Makes the market up and measures the buy side on it. */
export async function measureBuying(
  { world, seed, sets }: Measured,
  onProgress: (step: 'Learning' | 'Selling', done: number, total: number) => void,
): Promise<MeasuredBuying> {
  const market = backtestMarket({ world, seed, today, sets, years, salesPerSet });
  const report = await buyingBacktest([...market], {
    ...span,
    random: (...names) => new Random(seed, ...names),
    onProgress,
  });
  return { ...report, goals: buyingGoals(report) };
}

function readWorld(args: Arguments): BacktestWorld {
  const text = flagText(args, 'world') ?? defaults.world;
  const world = backtestWorlds.find((known) => known === text.toUpperCase());
  if (!world) {
    throw new UsageError(`--world must be one of ${backtestWorlds.join(', ')}; got '${text}'.`);
  }
  return world;
}

/** A progress line for each step, one after the other. */
function steps(context: Context): {
  update(step: Step | 'Selling', done: number, total: number): void;
  end(): void;
} {
  let current: { readonly step: Step | 'Selling'; readonly line: ProgressLine } | null = null;
  return {
    update: (step, done, total) => {
      if (current?.step !== step) {
        current?.line.end();
        current = { step, line: progressLine(context, step) };
      }
      current.line.update(done, total);
    },
    end: () => current?.line.end(),
  };
}
