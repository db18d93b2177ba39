/** Value over time: geometric interpolation between known values, only while held. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs, dayOf, parseMonth } from '../../kernel/time.ts';
import { fillDailyValues, type UnitHistory } from '../../market/history/daily-values.ts';
import { type Position, sumDays } from './value-history.ts';

const day = (date: string) => dayOf(Date.parse(date));

function line(
  firstMonth: string,
  valueCents: readonly (number | null)[],
  liveCents: number | null,
): UnitHistory {
  return { months: { firstMonth: parseMonth(firstMonth) ?? 0, valueCents }, liveCents };
}

function unitValues(of: UnitHistory, days: readonly number[]): Float64Array {
  const filled = new Float64Array(days.length);
  fillDailyValues(filled, of, Int32Array.from(days));
  return filled;
}

/** The values on given dates, the last of which is today; null if unknown. */
function values(of: UnitHistory, ...dates: readonly string[]): (number | null)[] {
  return [...unitValues(of, dates.map(day))].map((cents) => (Number.isNaN(cents) ? null : cents));
}

describe('the value of one unit', () => {
  test("is the month's value on its last day, and is interpolated geometrically in between", () => {
    // 100 → 133.10 → 133.10: a tenth every ten days of September, nothing in October.
    const of = line('2026-08', [100_00, 133_10, 133_10], 133_10);
    const month = ['2026-08-31', '2026-09-10', '2026-09-15', '2026-09-20', '2026-09-30'];
    // Halfway is the geometric mean of 100 and 133.10: 115.369… rounded to the cent.
    const expected = [100_00, 110_00, 115_37, 121_00, 133_10, 133_10, 133_10];
    expect(values(of, ...month, '2026-10-15', '2026-11-15')).toEqual(expected);
  });

  test('falls geometrically: 125 → 64 is a fifth less every ten days', () => {
    const falling = line('2026-08', [125_00, 64_00], 64_00);
    expect(values(falling, '2026-09-10', '2026-09-20', '2026-09-30', '2026-10-20')).toEqual([
      100_00, 80_00, 64_00, 64_00,
    ]);
  });

  test('approaches the live value after the last month, over any number of days', () => {
    // Fifteen days from the end of October, thirds at 5 and 10 November: × 12/11 each.
    const dates = ['2026-10-31', '2026-11-05', '2026-11-10', '2026-11-15'];
    expect(values(line('2026-10', [133_10], 172_80), ...dates)).toEqual([
      133_10, 145_20, 158_40, 172_80,
    ]);
    // On 7 November, September is still the last final month: 38 days, halfway on 19 October.
    expect(values(line('2026-09', [100_00], 144_00), '2026-10-19', '2026-11-07')).toEqual([
      120_00, 144_00,
    ]);
    // A day after the end of the month.
    expect(values(line('2026-10', [100_00], 150_00), '2026-10-31', '2026-11-01')).toEqual([
      100_00, 150_00,
    ]);
  });

  test.each([
    [28, 'of February', '2025-01', ['2025-02-01', '2025-02-10', '2025-02-28']],
    [29, 'of a leap February', '2024-01', ['2024-02-01', '2024-02-10', '2024-02-29']],
    [31, 'from one year to the next', '2025-12', ['2026-01-01', '2026-01-10', '2026-01-31']],
  ])('a cent that doubles every day does so on all %d days %s', (days, _, month, dates) => {
    const end = 2 ** days;
    const expected = [2, 1024, end, end];
    expect(values(line(month, [1, end], end), ...dates, '2027-01-01')).toEqual(expected);
  });

  test('is unknown before the end of the first month with a value', () => {
    const late = line('2026-07', [null, null, 80_00], 80_00);
    const before = ['2026-06-30', '2026-07-31', '2026-08-31', '2026-09-29'];
    expect(values(late, ...before, '2026-09-30', '2026-10-15')).toEqual([
      ...before.map(() => null),
      80_00,
      80_00,
    ]);
  });

  test('is known only today without months or month-end values', () => {
    const dates = ['2026-10-31', '2026-11-14', '2026-11-15'];
    const onlyToday = [null, null, 60_00];
    expect(values({ months: null, liveCents: 60_00 }, ...dates)).toEqual(onlyToday);
    expect(values(line('2026-08', [], 60_00), ...dates)).toEqual(onlyToday);
    expect(values(line('2026-09', [null, null], 60_00), ...dates)).toEqual(onlyToday);
  });

  test('stays constant after the last month, and is unknown today, without a live value', () => {
    const dates = ['2026-09-30', '2026-10-15', '2026-10-31', '2026-11-14', '2026-11-15'];
    // Halfway through October: 100 × 1.21^(15/31) = 109.66…
    const known = [100_00, 109_66, 121_00, 121_00, null];
    expect(values(line('2026-09', [100_00, 121_00], null), ...dates)).toEqual(known);
    expect(values({ months: null, liveCents: null }, ...dates)).toEqual(dates.map(() => null));
  });

  test('is the live value today, also on the last day of a month with a value', () => {
    const dates = ['2026-09-15', '2026-09-30'];
    // September ends today: interpolated from August to the live value, halfway geometrically.
    expect(values(line('2026-08', [100_00, 999_00], 144_00), ...dates)).toEqual([120_00, 144_00]);
  });

  test('skips any number of months between two days', () => {
    const of = line('2026-01', [1_00, 2_00, 3_00, 4_00, 5_00, 6_00, 7_00], 8_00);
    expect(values(of, '2026-01-31', '2026-03-31', '2026-07-31', '2026-08-15')).toEqual([
      1_00, 3_00, 7_00, 8_00,
    ]);
  });

  test('is interpolated linearly to and from 0', () => {
    // A third is left on 20 September; half of 60 is back after 15 days.
    const of = line('2026-08', [90_00, 0], 60_00);
    const dates = ['2026-09-10', '2026-09-20', '2026-09-30', '2026-10-15', '2026-10-30'];
    expect(values(of, ...dates)).toEqual([60_00, 30_00, 0, 30_00, 60_00]);
  });

  test('for no days is empty, and for today alone is the live value', () => {
    expect(values(line('2026-09', [50_00], 60_00))).toEqual([]);
    expect(values(line('2026-09', [50_00], 60_00), '2026-11-15')).toEqual([60_00]);
  });

  test('is in whole cents, and monotonic between known values', () => {
    const cents = fc.integer({ min: 1, max: 500_000_00 });
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 1, max: 60 }), (from, to, length) => {
        const end = day('2026-09-30');
        const days = Array.from({ length: length + 1 }, (_, index) => end + index);
        const moved = [...unitValues(line('2026-09', [from], to), days)];
        const ordered = moved.toSorted((a, b) => (from < to ? a - b : b - a));
        expect(moved).toEqual(ordered);
        expect([moved[0], moved.at(-1)]).toEqual([from, to]);
        expect(moved.every(Number.isInteger)).toBe(true);
      }),
      { seed: 21, numRuns: 200 },
    );
  });
});

const today = day('2026-11-15');
/** Worth 50.00 at all times. */
const fifty = line('2026-10', [50_00], 50_00);

/** Units at 40.00 each, with the units sold by date. */
function lot(
  bought: string,
  quantity: number,
  sold: Readonly<Record<string, number>> = {},
): Position {
  return {
    key: '1',
    condition: 'sealed',
    boughtOn: day(bought),
    quantity,
    priceCents: 40_00,
    isEstimated: false,
    isDated: true,
    exits: Object.entries(sold).map(([date, units]) => ({
      day: day(date),
      quantity: units,
      netCents: 0,
    })),
  };
}

/** Value and cost of lots on days of November, and then today. */
function sums(of: UnitHistory, positions: readonly Position[], ...dates: readonly number[]) {
  const days = [...dates.map((date) => day('2026-10-31') + date), today];
  const found = sumDays([{ history: of, positions }], days);
  expect(found.map((sum) => sum.day)).toEqual(days);
  return found.map((sum) => [sum.valueCents, sum.costCents]);
}

describe('a lot', () => {
  const none = [0, 0];
  const one = [50_00, 40_00];
  const two = [100_00, 80_00];
  const three = [150_00, 120_00];

  test('counts from the day of purchase on', () => {
    expect(sums(fifty, [lot('2026-11-05', 2)], 1, 4, 5, 6)).toEqual([none, none, two, two, two]);
  });

  test('no longer counts on the day of its sale', () => {
    const sold = lot('2025-01-01', 3, { '2026-11-05': 1, '2026-11-10': 1 });
    expect(sums(fifty, [sold], 4, 5, 9, 10)).toEqual([three, two, two, one, one]);
  });

  test('leaves no remainder when sold out', () => {
    const sold = lot('2025-01-01', 2, { '2026-11-05': 2 });
    expect(sums(fifty, [sold], 4, 5, 14)).toEqual([two, none, none, none]);
  });

  test('does not count units sold on the day of purchase', () => {
    const all = lot('2026-11-05', 2, { '2026-11-05': 2 });
    expect(sums(fifty, [all], 4, 5, 6)).toEqual([none, none, none, none]);
    const part = lot('2026-11-05', 3, { '2026-11-05': 2 });
    expect(sums(fifty, [part], 4, 5, 6)).toEqual([none, one, one, one]);
  });

  test('counts only from its purchase on, even if its sale is dated earlier', () => {
    const sold = lot('2026-11-10', 3, { '2026-11-05': 1 });
    expect(sums(fifty, [sold], 4, 5, 9, 10)).toEqual([none, none, none, two, two]);
  });

  test('with a future purchase date counts only today', () => {
    expect(sums(fifty, [lot('2026-12-24', 2)], 5, 14)).toEqual([none, none, two]);
  });

  test('with a future sale date loses the units only today', () => {
    const sold = lot('2025-01-01', 2, { '2026-12-24': 1 });
    expect(sums(fifty, [sold], 5, 14)).toEqual([two, two, one]);
  });

  test('without a value counts at its own price', () => {
    const unknown: UnitHistory = { months: null, liveCents: null };
    const lots = [lot('2025-01-01', 2), { ...lot('2026-11-05', 3), priceCents: 33_33 }];
    // 2 × 40, then 3 × 33.33 more
    expect(sums(unknown, lots, 4, 5)).toEqual([
      [80_00, 80_00],
      [179_99, 179_99],
      [179_99, 179_99],
    ]);
  });

  test('stands at cost until its value is known', () => {
    const dates = ['2026-10-30', '2026-10-31', '2026-11-15'].map(day);
    const found = sumDays([{ history: fifty, positions: [lot('2026-10-01', 2)] }], dates);
    expect(found.map((sum) => [sum.valueCents, sum.costCents])).toEqual([[80_00, 80_00], two, two]);
    expect(found.map(({ atCostCents }) => atCostCents)).toEqual([80_00, 0, 0]);
  });

  test('is rounded per unit first: three at 115.369… are 3 × 115.37', () => {
    const of = line('2026-08', [100_00, 133_10], 133_10);
    const days = [day('2026-09-15'), today];
    const [middle] = sumDays([{ history: of, positions: [lot('2026-01-01', 3)] }], days);
    expect(middle?.valueCents).toBe(346_11);
  });

  test('that was a gift costs nothing and counts at its value', () => {
    const present = { ...lot('2026-11-05', 2), priceCents: 0 };
    expect(sums(fifty, [present], 4, 5)).toEqual([none, [100_00, 0], [100_00, 0]]);
    const unknown: UnitHistory = { months: null, liveCents: null };
    expect(sums(unknown, [present], 4, 5)).toEqual([none, none, none]);
  });

  test('is counted apart from those of other sets bought and sold on the same days', () => {
    const own = { history: fifty, positions: [lot('2026-11-05', 2, { '2026-11-07': 1 })] };
    const days = [4, 5, 6, 7, 15].map((date) => day('2026-10-31') + date);
    const found = sumDays([own, own, own], days);
    expect(found.map((sum) => [sum.valueCents, sum.costCents])).toEqual([
      none,
      [300_00, 240_00],
      [300_00, 240_00],
      [150_00, 120_00],
      [150_00, 120_00],
    ]);
  });

  test('adds to the total of all holdings, which is 0 without any', () => {
    const other = { history: line('2026-10', [8_00], 8_00), positions: [lot('2026-11-06', 1)] };
    const holdings = [{ history: fifty, positions: [lot('2025-01-01', 2)] }, other];
    const days = [day('2026-11-05'), day('2026-11-06'), today];
    expect(sumDays(holdings, days)).toEqual([
      { day: day('2026-11-05'), valueCents: 100_00, costCents: 80_00, atCostCents: 0 },
      { day: day('2026-11-06'), valueCents: 108_00, costCents: 120_00, atCostCents: 0 },
      { day: today, valueCents: 108_00, costCents: 120_00, atCostCents: 0 },
    ]);
    expect(sumDays([], days).map((sum) => [sum.valueCents, sum.costCents])).toEqual([
      none,
      none,
      none,
    ]);
    expect(sumDays(holdings, [])).toEqual([]);
  });
});

test("today's total is the remaining units at the live value, whatever dates were recorded", () => {
  const anyLot = fc.record({
    key: fc.constant('1'),
    condition: fc.constant('sealed' as const),
    boughtOn: fc.integer({ min: today - 500, max: today + 5 }),
    priceCents: fc.nat({ max: 500_00 }),
    quantity: fc.integer({ min: 3, max: 9 }),
    isEstimated: fc.boolean(),
    isDated: fc.boolean(),
    exits: fc.array(
      fc.record({
        day: fc.integer({ min: today - 500, max: today + 5 }),
        quantity: fc.nat(1),
        netCents: fc.constant(0),
      }),
      { maxLength: 3 },
    ),
  });
  const live = fc.option(fc.nat({ max: 500_00 }));
  fc.assert(
    fc.property(fc.array(anyLot, { maxLength: 5 }), live, (positions, liveCents) => {
      const of = line('2026-08', [100_00, 120_00, 90_00], liveCents);
      const days = Array.from({ length: 31 }, (_, index) => today - 30 + index);
      const last = sumDays([{ history: of, positions }], days).at(-1);
      const left = positions.map(({ quantity, exits, priceCents }) => {
        const units = exits.reduce((rest, exit) => rest - exit.quantity, quantity);
        return { value: units * (liveCents ?? priceCents), cost: units * priceCents };
      });
      expect(last).toEqual({
        day: Math.floor(Date.parse('2026-11-15') / dayMs),
        valueCents: left.reduce((sum, one) => sum + one.value, 0),
        costCents: left.reduce((sum, one) => sum + one.cost, 0),
        atCostCents: liveCents === null ? left.reduce((sum, one) => sum + one.cost, 0) : 0,
      });
    }),
    { seed: 22, numRuns: 300 },
  );
});
