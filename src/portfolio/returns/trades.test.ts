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

const constant = (cents: number): UnitHistory => ({
  early: [{ day: 0, cents }],
  months: null,
  liveCents: cents,
});

const unknown: UnitHistory = { months: null, liveCents: null };

/** Worth 20 from two days ago on, and 30 today; not known before. */
const lateValue: UnitHistory = {
  early: [{ day: today - 2, cents: 20_00 }],
  months: null,
  liveCents: 30_00,
};

/**
 * Dollars by day, the parts of the gain and the gain itself, each from other figures, and the
 * time-weighted return.
 */
function traded(history: UnitHistory, ...positions: Position[]) {
  const holdings = [{ history, positions }];
  const trades = sumTrades(holdings, days);
  const sums = sumDays(holdings, days);
  const [entered, left] = [trades.enteredCents, trades.leftCents].map((flows) =>
    [...flows].map((cents) => cents / 100),
  );
  return {
    entered,
    left,
    buying: trades.buyingGainCents / 100,
    before: trades.beforeValuesCents / 100,
    market: marketOf(sums, trades) / 100,
    selling: trades.sellingGainCents / 100,
    total: totalOf(sums, positions) / 100,
    growth: timeWeightedReturns(sums, trades).at(-1) ?? null,
  };
}

/** The change in value of the units held on both days. */
function marketOf(sums: ReturnType<typeof sumDays>, trades: ReturnType<typeof sumTrades>): number {
  const valued = sums.map(({ valueCents, atCostCents }) => valueCents - atCostCents);
  const changes = valued.slice(1).map((cents, index) => {
    const held = (valued[index] ?? 0) - (trades.leftCents[index + 1] ?? 0);
    return cents - (trades.enteredCents[index + 1] ?? 0) - held;
  });
  return changes.reduce((sum, cents) => sum + cents, 0);
}

/** The value at the end and what was received, less the value at the start and what was paid. */
function totalOf(sums: ReturnType<typeof sumDays>, positions: readonly Position[]): number {
  const flows = positions.flatMap(({ boughtOn, quantity, priceCents, exits }) => [
    { day: boughtOn, cents: -quantity * priceCents },
    ...exits.map(({ day, netCents }) => ({ day, cents: netCents })),
  ]);
  const later = flows.filter(({ day }) => day > today - 4);
  const [start, end] = [sums[0]?.valueCents ?? 0, sums.at(-1)?.valueCents ?? 0];
  return later.reduce((sum, { cents }) => sum + cents, end - start);
}

describe('three portfolios, worked out by hand', () => {
  test('a bargain: paid 10 for 40 two days ago, worth 160 today', () => {
    expect(traded(doubling, lotOf({ boughtOn: today - 2 }))).toEqual({
      entered: [0, 0, 40, 0, 0],
      left: [0, 0, 0, 0, 0],
      // 40 − 10; the other 120 are the market's: 40 → 80 → 160.
      buying: 30,
      before: 0,
      market: 120,
      selling: 0,
      // 160 − 10.
      total: 150,
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
      before: 0,
      // 10 → 160, and 10 → 40.
      market: 180,
      selling: 60,
      // 160 + 100 − 20.
      total: 240,
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
      before: 0,
      market: 0,
      selling: 60,
      // 3 × (40 − 10).
      total: 90,
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
  expect(traded(unknown, lot)).toEqual({
    entered: [0, 0, 0, 0, 0],
    left: [0, 0, 0, 0, 0],
    buying: 0,
    before: 0,
    market: 0,
    selling: 5,
    total: 5,
    growth: null,
  });
});

describe('three portfolios that are older than values, worked out by hand', () => {
  test('one lot: bought for 10, first valued at 20, worth 30 today', () => {
    expect(traded(lateValue, lotOf({ quantity: 3 }))).toEqual({
      // Enters the returns on the day of its first value.
      entered: [0, 0, 60, 0, 0],
      left: [0, 0, 0, 0, 0],
      buying: 0,
      before: 30,
      market: 30,
      selling: 0,
      // 3 × (30 − 10).
      total: 60,
      // 20 → 30.
      growth: 0.5,
    });
  });

  test('sold before, on and after the day of the first value, and bought after it', () => {
    const exits = [3, 2, 1].map((ago) => ({ day: today - ago, quantity: 1, netCents: 25_00 }));
    const old = lotOf({ quantity: 4, exits });
    const later = lotOf({ boughtOn: today - 1, priceCents: 18_00 });
    expect(traded(lateValue, old, later)).toEqual({
      // Two of the old lot at 20, then the one bought.
      entered: [0, 0, 40, 20, 0],
      left: [0, 0, 0, 20, 0],
      // 20 − 18.
      buying: 2,
      // Two held on the day of the first value: 2 × (20 − 10).
      before: 20,
      // Two at 20 → 30.
      market: 20,
      // Two at cost, 2 × (25 − 10), and one at its value, 25 − 20.
      selling: 35,
      // 60 + 3 × 25 − 40 − 18.
      total: 77,
      growth: 0.5,
    });
  });

  test('beside a set with values, which alone has a return until then', () => {
    const holdings = [
      { history: doubling, positions: [lotOf()] },
      { history: lateValue, positions: [lotOf({ priceCents: 1_000_00 })] },
    ];
    const trades = sumTrades(holdings, days);
    const sums = sumDays(holdings, days);
    expect(sums.map(({ valueCents, atCostCents }) => [valueCents, atCostCents])).toEqual([
      [1_010_00, 1_000_00],
      [1_020_00, 1_000_00],
      [60_00, 0],
      [100_00, 0],
      [190_00, 0],
    ]);
    expect(trades.beforeValuesCents).toBe(-980_00);
    const returns = timeWeightedReturns(sums, trades).map((ratio) => ratio && 1 + ratio);
    // × 2, × 2, × 100/60, × 190/100.
    const growths = [2, 4, 4 * (100 / 60), 4 * (190 / 60)];
    expect(returns[0]).toBeNull();
    for (const [index, growth] of growths.entries()) {
      expect(returns[index + 1]).toBeCloseTo(growth, 9);
    }
  });

  test('without a value today, units stand at cost again, which is no loss in percent', () => {
    const lost = { ...lateValue, liveCents: null };
    expect(traded(lost, lotOf({ quantity: 3 }))).toMatchObject({
      entered: [0, 0, 60, 0, 0],
      left: [0, 0, 0, 0, 60],
      before: 30,
      growth: 0,
    });
  });

  test('further apart than the days of the first value and of a sale', () => {
    const exits = [{ day: today - 1, quantity: 1, netCents: 40_00 }];
    const apart = [today - 4, today];
    const trades = sumTrades(
      [{ history: lateValue, positions: [lotOf({ quantity: 2, exits })] }],
      apart,
    );
    expect(trades.beforeValuesCents).toBe(20_00);
    expect(trades.sellingGainCents).toBe(20_00);
    expect([...trades.enteredCents]).toEqual([0, 30_00]);
    expect([...trades.leftCents]).toEqual([0, 0]);
  });

  test('the parts add up to the total, whatever was bought, sold and valued when', () => {
    const day = fc.integer({ min: today - 9, max: today + 1 });
    const cents = fc.integer({ min: 1, max: 500_00 });
    const lots = fc.array(
      fc.record({
        boughtOn: day,
        quantity: fc.integer({ min: 1, max: 5 }),
        priceCents: cents,
        soldOn: day,
        netCents: cents,
      }),
      { minLength: 1, maxLength: 6 },
    );
    // The value stands still after the first: nothing is left for the market.
    const valuedOn = fc.option(fc.integer({ min: today - 8, max: today - 1 }));
    const history = fc.tuple(valuedOn, fc.option(cents)).map(([day, liveCents]) => ({
      early: day === null || liveCents === null ? [] : [{ day, cents: liveCents }],
      months: null,
      liveCents,
    }));
    fc.assert(
      fc.property(lots, history, fc.constantFrom(days, [today - 4, today]), (all, of, grid) => {
        const positions = all.map(({ soldOn, netCents, ...lot }) =>
          lotOf({ ...lot, exits: [{ day: soldOn, quantity: 1, netCents }] }),
        );
        const holdings = [{ history: of, positions }];
        const sums = sumDays(holdings, grid);
        const { buyingGainCents, beforeValuesCents, sellingGainCents, ...trades } = sumTrades(
          holdings,
          grid,
        );
        const flows = positions.flatMap(({ boughtOn, quantity, priceCents, exits: [exit] }) => {
          const isEarly = (exit?.day ?? 0) < boughtOn;
          return [
            { day: boughtOn, cents: (quantity - (isEarly ? 1 : 0)) * priceCents },
            { day: exit?.day ?? 0, cents: (isEarly ? priceCents : 0) - (exit?.netCents ?? 0) },
          ];
        });
        const inCents = flows
          .filter((flow) => flow.day > (grid[0] ?? 0))
          .reduce((sum, flow) => sum + flow.cents, 0);
        const [start, end] = [sums[0]?.valueCents ?? 0, sums.at(-1)?.valueCents ?? 0];
        const parts = buyingGainCents + beforeValuesCents + sellingGainCents;
        expect(end - start - inCents).toBe(parts);
        for (const growth of timeWeightedReturns(sums, trades)) {
          if (growth !== null) expect(growth).toBeCloseTo(0, 9);
        }
      }),
      { seed: 571, numRuns: 500 },
    );
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
