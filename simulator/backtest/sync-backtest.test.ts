/** Backtest of sync strategies: the planner asks about held items first. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../src/kernel/time.ts';
import { conditions } from '../../src/market/source-rows/source-rows.ts';
import { restingFacts, sold } from '../../test/support/valuation.ts';
import { type SyncStrategy, syncBacktest } from './sync-backtest.ts';
import type { BacktestItem } from './worlds.ts';

const from = Date.UTC(2026, 5, 1);
const trueCents = 300_00;

/** A set that sells every 20 days in both conditions, far above its prior. */
function item(key: string): BacktestItem {
  const times = Array.from({ length: 16 }, (_, index) => from + (index - 9) * 20 * dayMs);
  return {
    key,
    facts: { ...restingFacts, msrpCents: 100_00 },
    sales: times.flatMap((soldAt) =>
      conditions.map((condition) => ({
        sale: sold({
          sourceId: `${key} ${condition} ${soldAt}`,
          condition,
          soldAt,
          priceCents: trueCents,
          completeness: 'complete',
        }),
        isOrdinary: true,
        isPlain: true,
      })),
    ),
    retailWeeks: [],
    trueLog: () => Math.log(trueCents),
  };
}

const items = Array.from({ length: 10 }, (_, index) => item(String(index)));

async function measured(shares: readonly number[], units: readonly number[]) {
  const options = { from, days: 37, shares, units, onProgress: () => {} };
  const { runs, ...report } = await syncBacktest(items, options);
  const of = (strategy: SyncStrategy, share: number) => {
    const run = runs.find((each) => each.strategy === strategy && each.share === share);
    if (!run) throw new Error(`No run with ${strategy}.`);
    const { filling, settled, unweighted } = run;
    return { filling, settled, unweighted };
  };
  return { ...report, of };
}

test('with calls for all items, all strategies are equal', async () => {
  const { of, ...report } = await measured([1], [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(report).toEqual({ items: 10, heldShare: 0.2 });
  expect(of('planned', 1)).toEqual(of('full refresh', 1));
  expect(of('round robin', 1)).toEqual(of('full refresh', 1));
  expect(of('full refresh', 1).filling).toBeLessThan(0.2);
});

test('with a tenth of the calls, held items are asked about first and valued as well as in a full refresh', async () => {
  const { of } = await measured([0.1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
  const [planned, roundRobin] = [of('planned', 0.1), of('round robin', 0.1)];
  // Round robin reaches the held item last, on the tenth day.
  expect(roundRobin.filling).toBeGreaterThan(3 * planned.filling);
  expect(planned.filling).toBeCloseTo(of('full refresh', 1).filling, 2);
  expect(planned.settled).toBeCloseTo(of('full refresh', 1).settled, 2);
});
