/** `backtest`: the error of values on a simulated market with known true values. */
import type { BacktestWorld } from '../../simulator/backtest/worlds.ts';
import { snakeKey } from '../kernel/snake-key.ts';
import { command } from './command.ts';
import { progressOfSteps } from './progress.ts';
import { countFlag, type ReadOptions, readChoice, UsageError } from './row.ts';

const worlds: readonly BacktestWorld[] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K'];

export const backtestCommand = command({
  name: 'backtest',
  summary: 'Measure the error of values on a simulated market with known true values',
  flags: {
    seed: countFlag('Random seed of the market', 1_000_000, 23),
    world: {
      help: 'Type of market, A to K (default A)',
      value: 'A..K',
      choices: worlds,
      read: readWorld,
    },
    sets: countFlag('Number of sets', 20_000, 1_000),
    attacks: { help: 'Measure how far fake sales move the value of a set worth $100 instead' },
    buying: { help: 'Measure max buy prices, waiting times and box bids instead' },
  },
  run: async ({ world, seed, sets, attacks, buying }, context) => {
    // Servers do not load the simulator.
    const simulator = await import('../../simulator/backtest/measure.ts');
    const market = { world: world ?? 'A', seed, sets };
    if (attacks && (buying || world !== null)) {
      throw new UsageError('--attacks takes only --seed: leave out --buying and --world.');
    }
    const progress = progressOfSteps(context);
    const print = (given: object, report: object, text: string) => {
      progress.end();
      context.result(snakeKeys({ ...given, ...report }), text);
    };
    if (attacks) {
      const report = await simulator.measureFakes(seed, progress.update);
      print({ seed }, report, simulator.presentAttacks(report, seed));
    } else if (buying) {
      const report = await simulator.measureBuying(market, progress.update);
      print(market, report, simulator.presentBuying(report, market));
    } else {
      const report = await simulator.measure(market, progress.update);
      print(market, report, simulator.presentBacktest(report, market));
    }
  },
});

function readWorld(text: string, { name }: ReadOptions): BacktestWorld {
  return readChoice(text.toUpperCase(), worlds, name);
}

/** Keys in snake case, as in the API. */
function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [snakeKey(key), snakeKeys(inner)]),
  );
}
