/** Returns: checked by hand, and always null or a finite number. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Flow, moneyWeightedReturn, timeWeightedReturns } from './returns.ts';
import type { DaySum } from './value-history.ts';

const startDay = 20_000;
const runs = { seed: 1, numRuns: 500 };

const sumOf = (day: number, valueCents: number): DaySum => ({
  day,
  valueCents,
  costCents: 0,
  atCostCents: 0,
});

/** One value in dollars per day, from the first day of the period on. */
function daily(dollars: readonly number[]): readonly DaySum[] {
  return dollars.map((value, index) => sumOf(startDay + index, value * 100));
}

/** Flows in dollars, by days after the first. */
function moved(flows: readonly (readonly [after: number, dollars: number])[]): readonly Flow[] {
  return flows.map(([after, dollars]) => ({ day: startDay + after, cents: dollars * 100 }));
}

/** A period with given ends; values in between do not affect the money-weighted return. */
function over(days: number, ends: { readonly from: number; readonly to: number }) {
  return daily([...Array.from({ length: days }, () => ends.from), ends.to]);
}

const still: readonly (readonly [number, number])[] = [];

/** Dollars that entered and left at market value, by days after the first. */
function traded(
  days: number,
  trades: { readonly entered?: Record<number, number>; readonly left?: Record<number, number> },
) {
  const cents = (dollars: Record<number, number> = {}) =>
    Float64Array.from({ length: days }, (_, day) => (dollars[day] ?? 0) * 100);
  return { enteredCents: cents(trades.entered), leftCents: cents(trades.left) };
}

test.each([
  ['a rise of a tenth', [100, 110], {}, 0.1],
  ['a tenth up, then a tenth down: 1.1 × 0.9', [100, 110, 99], {}, -0.01],
  ['a value that stays', [100, 100, 100], {}, 0],
  ['buying more, whatever was paid', [100, 200], { entered: { 1: 100 } }, 0],
  ['a tenth up on a day on which as much is bought', [100, 220], { entered: { 1: 110 } }, 0.1],
  ['selling half, whatever was received', [100, 50], { left: { 1: 50 } }, 0],
  ['selling half while the rest rises a tenth', [100, 55], { left: { 1: 50 } }, 0.1],
  [
    'a tenth up, all sold, nothing for a day, then 200 that become 220: 1.1 × 1.1',
    [100, 110, 0, 0, 200, 220],
    { left: { 2: 110 }, entered: { 4: 200 } },
    0.21,
  ],
  ['an empty start, then 50 that become 55', [0, 0, 50, 55], { entered: { 2: 50 } }, 0.1],
  ['a total loss, whatever is bought later', [100, 0, 75, 90], { entered: { 2: 75 } }, -1],
] as const)(
  'the time-weighted return ignores what comes and goes: %s',
  (_, dollars, trades, ratio) => {
    const found = timeWeightedReturns(daily(dollars), traded(dollars.length, trades));
    expect(found.at(-1)).toBeCloseTo(ratio, 12);
  },
);

test('time-weighted: there is a return for each day, null until the first linked one', () => {
  const found = timeWeightedReturns(daily([0, 100, 110, 121]), traded(4, { entered: { 1: 100 } }));
  expect(found.map((each) => each?.toFixed(4) ?? null)).toEqual([null, null, '0.1000', '0.2100']);
});

test.each([
  ['no values', [], {}],
  ['a single day', [100], {}],
  ['a portfolio that was always empty', [0, 0, 0], {}],
  ['nothing but a purchase on the last day', [0, 0, 30], { entered: { 2: 30 } }],
  ['everything sold on the first day', [100, 0], { left: { 1: 100 } }],
] as const)('time-weighted: null for %s', (_, dollars, trades) => {
  const found = timeWeightedReturns(daily(dollars), traded(dollars.length, trades));
  expect(found.at(-1) ?? null).toBeNull();
});

test.each([
  ['100 become 110 in a year', 365, { from: 100, to: 110 }, still, 0.1],
  ['100 become 121 in two years: 1.1²', 730, { from: 100, to: 121 }, still, 0.1],
  ['100 become 105 in a fifth of a year: 1.05⁵', 73, { from: 100, to: 105 }, still, 0.2762815625],
  ['100 become 50 in a year', 365, { from: 100, to: 50 }, still, -0.5],
  ['100 stay 100', 365, { from: 100, to: 100 }, still, 0],
  ['100 for two years and 100 for one: 121 + 110', 730, { from: 100, to: 231 }, [[365, 100]], 0.1],
  ['50 of 110 taken out, 60 become 66', 730, { from: 100, to: 66 }, [[365, -50]], 0.1],
  ['all sold for 110 after one year of two', 730, { from: 100, to: 0 }, [[365, -110]], 0.1],
  ['an empty year, then 200 become 180', 730, { from: 0, to: 180 }, [[365, 200]], -0.1],
  ['close to the lowest rate', 365, { from: 100, to: 2 }, still, -0.98],
  ['close to the highest rate', 365, { from: 100, to: 1099 }, still, 9.99],
] as const)('the money-weighted return is a yearly rate: %s', (_, days, ends, flows, rate) => {
  expect(moneyWeightedReturn(over(days, ends), moved(flows))).toBeCloseTo(rate, 12);
});

test.each([
  ['a total loss', 365, { from: 100, to: 0 }, still],
  ['less than −99 %', 730, { from: 10_000, to: 0.5 }, still],
  ['more than 1000 %', 365, { from: 100, to: 1101 }, still],
  ['a tenth within a day', 1, { from: 100, to: 110 }, still],
  ['a period without days', 0, { from: 100, to: 100 }, still],
  ['a portfolio that was always empty', 365, { from: 0, to: 0 }, still],
  ['nothing but gifts', 365, { from: 0, to: 100 }, still],
  [
    'buying and selling for as much on one day',
    365,
    { from: 0, to: 0 },
    [
      [9, 40],
      [9, -40],
    ],
  ],
  [
    'a gift sold for 100 before 50 were spent, which is a gain and not a debt',
    365,
    { from: 0, to: 0 },
    [
      [9, -100],
      [200, 50],
    ],
  ],
] as const)('money-weighted: null for %s', (_, days, ends, flows) => {
  expect(moneyWeightedReturn(over(days, ends), moved(flows))).toBeNull();
});

test('money-weighted: null without values', () => {
  expect(moneyWeightedReturn([], [])).toBeNull();
});

test('flows up to the first day are ignored, those after the last count on it', () => {
  const values = over(365, { from: 100, to: 110 });
  const outside = moved([
    [-1, 70],
    [0, 40],
    [0, -15],
  ]);
  expect(moneyWeightedReturn(values, outside)).toBe(moneyWeightedReturn(values, []));
  const bought = over(365, { from: 100, to: 160 });
  expect(moneyWeightedReturn(bought, moved([[366, 50]]))).toBe(moneyWeightedReturn(values, []));
});

test('a ratio that overflows is null', () => {
  // From a cent to a million dollars every day, with all but a cent sold again.
  const values = Array.from({ length: 90 }, (_, day) => sumOf(day, day % 2 ? 1e8 : 1));
  const left = Float64Array.from(values, (_, day) => (day > 0 && day % 2 === 0 ? 1e8 - 1 : 0));
  const trades = { enteredCents: new Float64Array(90), leftCents: left };
  expect(timeWeightedReturns(values, trades).at(-1)).toBeNull();
});

test('a period of centuries has a rate', () => {
  // Half is withdrawn after a year and deposited again a century before the end: no gain.
  const values = [0, 500].map((years) => ({ day: years * 365, valueCents: 100_000 }));
  const flows = [
    { day: 365, cents: -50_000 },
    { day: 400 * 365, cents: 50_000 },
  ];
  expect(moneyWeightedReturn(values, flows)).toBeCloseTo(0, 12);
});

const cents = fc.oneof(fc.constant(0), fc.nat(1000), fc.nat(100_000_000));
const anyValues = fc
  .array(cents, { maxLength: 80 })
  .map((all) => all.map((valueCents, day) => sumOf(day, valueCents)));
/** Some before and some after the period. */
const anyFlows = fc.array(
  fc.record({
    day: fc.integer({ min: -3, max: 83 }),
    cents: fc.oneof(
      cents,
      cents.map((amount) => -amount),
    ),
  }),
  { maxLength: 40 },
);

/** Periods long enough for most to have a rate, with flows of similar size. */
const longPeriod = fc
  .record({
    days: fc.integer({ min: 30, max: 18_000 }),
    from: fc.nat(1_000_000),
    to: fc.nat(1_000_000),
    flows: fc.array(
      fc.record({
        permille: fc.nat(1000),
        cents: fc.integer({ min: -300_000, max: 1_000_000 }),
      }),
      { maxLength: 20 },
    ),
  })
  .map(({ days, from, to, flows }) => ({
    values: [
      { day: 0, valueCents: from },
      { day: days, valueCents: to },
    ],
    flows: flows.map((flow) => ({
      day: Math.ceil((flow.permille * days) / 1000),
      cents: flow.cents,
    })),
  }));

test('without flows, both returns follow from the first and last value', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(fc.array(price, { minLength: 2, maxLength: 800 }), (prices) => {
      const values = prices.map((valueCents, day) => sumOf(day, valueCents));
      const ratio = (prices.at(-1) ?? Number.NaN) / (prices[0] ?? Number.NaN);
      const growth = timeWeightedReturns(values, traded(values.length, {})).at(-1) ?? Number.NaN;
      expect((growth + 1) / ratio).toBeCloseTo(1, 9);
      const yearly = ratio ** (365 / (prices.length - 1)) - 1;
      const rate = moneyWeightedReturn(values, []);
      // Excludes rates close to the limits, where rounding decides.
      if (yearly > -0.989 && yearly < 9.99) expect(rate).toBeCloseTo(yearly, 9);
      if (yearly < -0.991 || yearly > 10.01) expect(rate).toBeNull();
    }),
    runs,
  );
});

test('splitting or reordering flows does not change the result at all', () => {
  const whole = fc.oneof(fc.record({ values: anyValues, flows: anyFlows }), longPeriod);
  fc.assert(
    fc.property(whole, fc.nat(1000), ({ values, flows }, permille) => {
      const split = flows.flatMap((flow) => {
        const part = Math.trunc((flow.cents * permille) / 1000);
        return [
          { day: flow.day, cents: part },
          { day: flow.day, cents: flow.cents - part },
        ];
      });
      for (const same of [split, flows.toReversed(), flows.toSorted((a, b) => a.cents - b.cents)]) {
        expect(moneyWeightedReturn(values, same)).toBe(moneyWeightedReturn(values, flows));
      }
    }),
    runs,
  );
});

test('the net present value at the money-weighted return is 0', () => {
  let found = 0;
  fc.assert(
    fc.property(longPeriod, ({ values, flows }) => {
      const rate = moneyWeightedReturn(values, flows);
      if (rate === null) return;
      found++;
      const last = values.at(-1) ?? { day: 0, valueCents: 0 };
      const terms = [
        -(values[0]?.valueCents ?? 0),
        ...flows
          .filter(({ day }) => day > 0)
          .map((flow) => -flow.cents * (1 + rate) ** (-flow.day / 365)),
        last.valueCents * (1 + rate) ** (-last.day / 365),
      ];
      const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
      expect(terms.reduce((sum, term) => sum + term, 0) / size).toBeCloseTo(0, 9);
    }),
    runs,
  );
  expect(found).toBeGreaterThan(runs.numRuns / 2);
});

test('a return is null or a number in its range', () => {
  fc.assert(
    fc.property(anyValues, anyFlows, (values, flows) => {
      const rate = moneyWeightedReturn(values, flows) ?? 0;
      expect(rate >= -0.99 && rate <= 10).toBe(true);
    }),
    { ...runs, numRuns: 2000 },
  );
});
