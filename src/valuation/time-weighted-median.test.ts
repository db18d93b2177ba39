/** The value of sales: recent ones count more, odd ones not at all, and time alone is no news. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs } from '../domain/time.ts';
import type { Observation } from './normalise.ts';
import { timeWeightedMedian, toValue } from './time-weighted-median.ts';

const today = Date.UTC(2026, 10, 15);
const fixed = { seed: 60, numRuns: 300 };

/** A sale some days ago, in dollars. */
function sold(daysAgo: number, dollars: number, weight = 1): Observation {
  const at = today - daysAgo * dayMs;
  return { at, log: Math.log(dollars * 100), weight, knownAt: at, retractedAt: null };
}

function median(sales: readonly Observation[], condition: 'sealed' | 'used' = 'sealed') {
  const inOrder = sales.toSorted((a, b) => a.at - b.at);
  const found = timeWeightedMedian(inOrder, condition);
  return found && [found.valueCents / 100, found.lowCents / 100, found.highCents / 100];
}

test('without sales there is no value', () => {
  expect(timeWeightedMedian([], 'sealed')).toBeNull();
});

test.each([
  ['one sale is the value', [sold(0, 100)], 100],
  ['one old sale is the value too', [sold(2000, 100)], 100],
  ['two sales on a day meet halfway', [sold(0, 90), sold(0, 110)], 99.5],
  ['of three on a day the middle counts', [sold(0, 90), sold(0, 100), sold(0, 130)], 100],
  ['today outweighs 60 days ago', [sold(60, 200), sold(0, 100)], 100],
  [
    'two of 60 days ago weigh as much as today',
    [sold(60, 200), sold(60, 200), sold(0, 100)],
    141.42,
  ],
  ['three of 60 days ago outweigh today', [...three(60, 200), sold(0, 100)], 200],
  ['two of 120 days ago do not', [sold(120, 200), sold(120, 200), sold(0, 100)], 100],
  ['a damaged box weighs half', [sold(0, 100, 0.5), sold(0, 120, 0.5), sold(0, 130)], 124.9],
])('%s', (_, sales, dollars) => {
  expect(median(sales)?.[0]).toBe(dollars);
});

function three(daysAgo: number, dollars: number): Observation[] {
  return [sold(daysAgo, dollars), sold(daysAgo, dollars), sold(daysAgo, dollars)];
}

test('one sale has the range that sealed and used sets usually have', () => {
  expect(median([sold(0, 100)], 'sealed')).toEqual([100, 84.2, 118.76]);
  expect(median([sold(0, 100)], 'used')).toEqual([100, 77.71, 128.68]);
});

test('sales that agree make the range narrower, and sales that do not make it wider', () => {
  const width = (sales: readonly Observation[]) => {
    const [, low = 0, high = 0] = median(sales) ?? [];
    return high - low;
  };
  const one = width([sold(0, 100)]);
  expect(width([sold(0, 100), sold(0, 100), sold(0, 100)])).toBeLessThan(one);
  expect(width([sold(0, 70), sold(0, 100), sold(0, 140)])).toBeGreaterThan(one);
});

test('from ten sales on, the range holds the middle 80 % of them', () => {
  const sales = Array.from({ length: 10 }, (_, index) => sold(0, 91 + index));
  expect(median(sales)).toEqual([95.5, 91.5, 99.5]);
});

test('only the latest 32 sales count', () => {
  const latest = Array.from({ length: 32 }, (_, index) => sold(0, index < 16 ? 100 : 110));
  expect(median(latest)?.[0]).toBe(104.88);
  expect(median([sold(1, 100), ...latest])?.[0]).toBe(104.88);
});

test.each([
  ['three times the price', 300],
  ['a third of the price', 30],
])('four sales can tell that one for %s is odd; three cannot', (_, dollars) => {
  const odd = sold(0, dollars);
  const four = [sold(3, 100), sold(2, 100), sold(1, 100), odd];
  expect(timeWeightedMedian(four, 'sealed')?.rejected).toEqual(new Set([odd]));
  expect(timeWeightedMedian(four.slice(1), 'sealed')?.rejected).toEqual(new Set());
});

test('a sale within a third of the others is never odd, however well they agree', () => {
  const sales = [...Array.from({ length: 9 }, (_, index) => sold(9 - index, 100)), sold(0, 140)];
  expect(timeWeightedMedian(sales, 'sealed')?.rejected).toEqual(new Set());
});

const established = fc.array(
  fc.record({
    daysAgo: fc.double({ min: 0, max: 60, noNaN: true }),
    dollars: fc.double({ min: 92, max: 108, noNaN: true }),
  }),
  { minLength: 8, maxLength: 31 },
);

test('one sale at 3 or 0.3 times the price of established ones moves neither value nor range', () => {
  const odd = fc.record({
    daysAgo: fc.double({ min: 0, max: 60, noNaN: true }),
    dollars: fc.constantFrom(300, 30),
  });
  fc.assert(
    fc.property(established, odd, fc.constantFrom('sealed', 'used'), (facts, one, condition) => {
      const sales = facts.map((sale) => sold(sale.daysAgo, sale.dollars));
      const withOdd = [...sales, sold(one.daysAgo, one.dollars)];
      expect(median(withOdd, condition)).toEqual(median(sales, condition));
    }),
    fixed,
  );
});

test('a lasting change of the price is followed', () => {
  const before = Array.from({ length: 10 }, (_, index) => sold(100 + index, 100));
  const after = Array.from({ length: 8 }, (_, index) => sold(index, 200));
  expect(median([...before, ...after])?.[0]).toBe(200);
});

const anySales = fc.array(
  fc.record({
    daysAgo: fc.integer({ min: 0, max: 3000 }),
    dollars: fc.double({ min: 0.01, max: 1_000_000, noNaN: true }),
    weight: fc.constantFrom(0.25, 0.335, 0.5, 0.67, 1),
  }),
  { minLength: 1, maxLength: 50 },
);

test('low ≤ value ≤ high in whole cents above 0, whatever was sold', () => {
  fc.assert(
    fc.property(anySales, fc.constantFrom('sealed', 'used'), (facts, condition) => {
      const sales = facts.map((sale) => sold(sale.daysAgo, sale.dollars, sale.weight));
      const inOrder = sales.toSorted((a, b) => a.at - b.at);
      const value = timeWeightedMedian(inOrder, condition);
      const { lowCents = 0, valueCents = 0, highCents = 0 } = value ?? {};
      expect([lowCents, valueCents, highCents].every(Number.isSafeInteger)).toBe(true);
      expect(lowCents).toBeGreaterThanOrEqual(1);
      expect(valueCents).toBeGreaterThanOrEqual(lowCents);
      expect(highCents).toBeGreaterThanOrEqual(valueCents);
    }),
    fixed,
  );
});

test('the value lies between the lowest and the highest sale', () => {
  fc.assert(
    fc.property(anySales, (facts) => {
      const dollars = facts.map((sale) => sale.dollars);
      const [value = 0] = median(facts.map((s) => sold(s.daysAgo, s.dollars, s.weight))) ?? [];
      expect(value).toBeGreaterThanOrEqual(Math.min(...dollars) - 0.01);
      expect(value).toBeLessThanOrEqual(Math.max(...dollars) + 0.01);
    }),
    fixed,
  );
});

test('sales that all lie longer ago, equally far apart, have the same value', () => {
  fc.assert(
    fc.property(anySales, fc.integer({ min: 1, max: 5000 }), (facts, days) => {
      const sales = facts.map((sale) => sold(sale.daysAgo, sale.dollars, sale.weight));
      const older = sales.map((sale) => ({ ...sale, at: sale.at - days * dayMs }));
      expect(median(older)).toEqual(median(sales));
    }),
    fixed,
  );
});

test('rounding to cents keeps low ≤ value ≤ high, and a value is at least a cent', () => {
  expect(toValue(Math.log(0.2), Math.log(0.1), Math.log(0.3))).toEqual({
    valueCents: 1,
    lowCents: 1,
    highCents: 1,
  });
  expect(toValue(Math.log(100.4), Math.log(100.6), Math.log(99.4))).toEqual({
    valueCents: 100,
    lowCents: 100,
    highCents: 100,
  });
});

test.each([4, 6, 10, 20])(
  'after a year of silence, one sale at 3 times the price of %d others is odd',
  (count) => {
    const older = Array.from({ length: count }, (_, index) => sold(365 + index * 10, 100));
    expect(median([...older.reverse(), sold(0, 300)])?.[0]).toBe(100);
  },
);

test('two sales in a row at a new price are believed, also after a year of silence', () => {
  const older = Array.from({ length: 4 }, (_, index) => sold(400 + index * 10, 100));
  expect(median([...older.reverse(), sold(5, 150), sold(0, 150)])?.[0]).toBe(150);
});

test('a few recent sales among many old ones do not make the range as wide as an odd one', () => {
  const older = Array.from({ length: 12 }, (_, index) => sold(300 + index * 20, 100));
  const range = median([...older.reverse(), sold(20, 104), sold(10, 270), sold(0, 102)]);
  expect(range?.[2]).toBeLessThan(140);
});
