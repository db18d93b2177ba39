/** The back-test of asking: what is asked is known, and what people hold is asked first. */
import { expect, test } from 'bun:test';
import { restingFacts, sold } from '../../../test/support/valuation.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import type { BacktestItem } from '../../domain/market/backtest-market.ts';
import { conditions } from '../../domain/market/source-rows.ts';
import { type AskingWay, syncBacktest } from './sync-backtest.ts';

const from = Date.UTC(2026, 5, 1);
const trueCents = 300_00;

/** A set that sells every 20 days in both conditions, for more than anybody would guess. */
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
  const of = (way: AskingWay, share: number) => {
    const run = runs.find((each) => each.way === way && each.share === share);
    if (!run) throw new Error(`Nobody asked ${way}.`);
    const { filling, settled, unweighted } = run;
    return { filling, settled, unweighted };
  };
  return { ...report, of };
}

test('with calls for everything, every way of asking comes to the same', async () => {
  const { of, ...report } = await measured([1], [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(report).toEqual({ items: 10, heldShare: 0.2 });
  expect(of('planned', 1)).toEqual(of('everything', 1));
  expect(of('in turn', 1)).toEqual(of('everything', 1));
  expect(of('everything', 1).filling).toBeLessThan(0.2);
});

test('with a tenth of them, what is held is asked before others and is as well known', async () => {
  const { of } = await measured([0.1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
  const [planned, inTurn] = [of('planned', 0.1), of('in turn', 0.1)];
  // The one that is held comes last in turn, on the tenth day.
  expect(inTurn.filling).toBeGreaterThan(3 * planned.filling);
  expect(planned.filling).toBeCloseTo(of('everything', 1).filling, 2);
  expect(planned.settled).toBeCloseTo(of('everything', 1).settled, 2);
});
