/** Purchases and sales at market value. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { UnitHistory } from '../../market/history/daily-values.ts';
import { timeWeightedReturns } from './returns.ts';
import { sumTrades } from './trades.ts';
import { type Position, sumDays } from './value-history.ts';

const today = 20_000;
const days = [today - 4, today - 3, today - 2, today - 1, today];

const lotOf = (facts: Partial<Position> = {}): Position => ({
  key: '1',
  condition: 'sealed',
  boughtOn: today - 100,
  quantity: 1,
  priceCents: 10_00,
  isEstimated: false,
  isDated: true,
  exits: [],
  ...facts,
});

/** A value that doubles on each of the last four days: 10, 20, 40, 80, 160. */
const doubling: UnitHistory = {
  early: [10_00, 20_00, 40_00, 80_00].map((cents, index) => ({ day: today - 4 + index, cents })),
  months: null,
  liveCents: 160_00,
};

const constant = (cents: number | null): UnitHistory => ({ months: null, liveCents: cents });

/** Dollars by day, the two gains, and the time-weighted return. */
function traded(history: UnitHistory, ...positions: Position[]) {
  const holdings = [{ history, positions }];
  const trades = sumTrades(holdings, days);
  return {
    entered: [...trades.enteredCents].map((cents) => cents / 100),
    left: [...trades.leftCents].map((cents) => cents / 100),
    buying: trades.buyingGainCents / 100,
    selling: trades.sellingGainCents / 100,
    growth: timeWeightedReturns(sumDays(holdings, days), trades).at(-1) ?? null,
  };
}

describe('three portfolios, worked out by hand', () => {
  test('a bargain: paid 10 for 40 two days ago, worth 160 today', () => {
    expect(traded(doubling, lotOf({ boughtOn: today - 2 }))).toEqual({
      entered: [0, 0, 40, 0, 0],
      left: [0, 0, 0, 0, 0],
      // 40 − 10; the other 120 are the market's: 40 → 80 → 160.
      buying: 30,
      selling: 0,
      growth: 3,
    });
  });

  test('a good sale: two held from the start at 10, one sold yesterday for 100 net', () => {
    const exits = [{ day: today - 1, quantity: 1, netCents: 100_00 }];
    expect(traded(doubling, lotOf({ quantity: 2, exits }))).toEqual({
      entered: [0, 0, 0, 0, 0],
      // At the value of the day before the sale.
      left: [0, 0, 0, 40, 0],
      buying: 0,
      selling: 60,
      // The unit that was kept: 10 → 160.
      growth: 15,
    });
  });

  test('a market that stands still: bought for half of its value, sold for twice of it', () => {
    const exits = [{ day: today, quantity: 3, netCents: 3 * 40_00 }];
    const lot = lotOf({ boughtOn: today - 1, quantity: 3, exits });
    expect(traded(constant(20_00), lot, lotOf())).toEqual({
      entered: [0, 0, 0, 60, 0],
      left: [0, 0, 0, 0, 60],
      buying: 30,
      selling: 60,
      growth: 0,
    });
  });
});

test('units bought and sold on one day are held at the end of none', () => {
  const exits = [{ day: today - 2, quantity: 1, netCents: 50_00 }];
  const lot = lotOf({ boughtOn: today - 2, quantity: 2, exits });
  expect(traded(doubling, lot)).toMatchObject({
    entered: [0, 0, 40, 0, 0],
    left: [0, 0, 0, 0, 0],
    buying: 60,
    selling: 10,
  });
});

test('trades before the first day, or on it, are not in the range', () => {
  const exits = [today - 5, today - 4].map((day) => ({ day, quantity: 1, netCents: 99_00 }));
  expect(traded(doubling, lotOf({ boughtOn: today - 9, quantity: 3, exits }))).toMatchObject({
    entered: [0, 0, 0, 0, 0],
    left: [0, 0, 0, 0, 0],
    buying: 0,
    selling: 0,
  });
  expect(traded(doubling, lotOf({ boughtOn: today - 4 })).buying).toBe(0);
});

test('units without a value count at cost', () => {
  const exits = [{ day: today, quantity: 1, netCents: 15_00 }];
  const lot = lotOf({ boughtOn: today - 2, quantity: 2, exits });
  expect(traded(constant(null), lot)).toMatchObject({
    entered: [0, 0, 20, 0, 0],
    left: [0, 0, 0, 0, 10],
    buying: 0,
    selling: 5,
    growth: 0,
  });
});

test('units sold before their purchase date are never held, and have a gain over their price', () => {
  const exits = [{ day: today - 3, quantity: 1, netCents: 15_00 }];
  const lot = lotOf({ boughtOn: today - 1, exits });
  expect(traded(doubling, lot)).toMatchObject({
    entered: [0, 0, 0, 0, 0],
    left: [0, 0, 0, 0, 0],
    buying: 0,
    selling: 5,
  });
});

test('on days further apart, gains are those of the exact days', () => {
  const apart = [today - 4, today];
  const exits = [{ day: today - 1, quantity: 1, netCents: 100_00 }];
  const lot = lotOf({ boughtOn: today - 3, quantity: 2, exits });
  const found = sumTrades([{ history: doubling, positions: [lot] }], apart);
  // Bought at a value of 20, sold after a day with a value of 40.
  expect([found.buyingGainCents, found.sellingGainCents]).toEqual([2 * 10_00, 60_00]);
  expect([...found.enteredCents]).toEqual([0, 160_00]);
});

test('the return is that of the price, whatever is bought and sold, and at what price', () => {
  const lots = fc.array(
    fc.record({
      boughtOn: fc.integer({ min: today - 6, max: today }),
      quantity: fc.integer({ min: 1, max: 9 }),
      priceCents: fc.nat(100_000),
      soldAfter: fc.nat(6),
      netCents: fc.nat(100_000),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(lots, (all) => {
      const sold = all.map(({ soldAfter, netCents, ...lot }) =>
        lotOf({ ...lot, exits: [{ day: lot.boughtOn + soldAfter, quantity: 1, netCents }] }),
      );
      // Held throughout.
      const { growth } = traded(doubling, lotOf(), ...sold);
      expect(growth).toBeCloseTo(15, 9);
    }),
    { seed: 384, numRuns: 300 },
  );
});
