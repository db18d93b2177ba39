/** Month-ends of the baseline estimator: which sales count for which month. */
import { expect, test } from 'bun:test';
import type { MonthQuestion } from '../domain/estimator.ts';
import type { Condition, StoredSale } from '../domain/market.ts';
import { dayMs, monthCut, parseMonth } from '../domain/time.ts';
import { baselineEstimator } from './baseline.ts';

/** A sealed sale at an instant, in dollars, known at once. */
function sold(instant: string, dollars: number, facts: Partial<StoredSale> = {}): StoredSale {
  const soldAt = Date.parse(instant);
  return {
    source: 'shop',
    sourceId: instant,
    condition: 'sealed',
    priceCents: dollars * 100,
    shippingCents: 0,
    currency: 'USD',
    quantity: 1,
    soldAt,
    channel: null,
    seller: null,
    completeness: 'complete',
    ingestedAt: soldAt,
    retractedAt: null,
    usdPerUnit: 1,
    ...facts,
  };
}

function month(text: string): number {
  return parseMonth(text) ?? Number.NaN;
}

/** January to April, asked with all rows counting, or with those known at each month's cut. */
function questions(known: 'all' | 'at the cut'): MonthQuestion[] {
  return ['2026-01', '2026-02', '2026-03', '2026-04'].map((text) => ({
    month: month(text),
    knownBefore: known === 'all' ? null : monthCut(month(text)),
  }));
}

/** Value and sales of each month. */
function months(sales: readonly StoredSale[], known: 'all' | 'at the cut' = 'all') {
  return baselineEstimator
    .valueMonths(sales, 'sealed', questions(known))
    .map(({ value, salesCount }) => [value && value.valueCents / 100, salesCount]);
}

const learned = (instant: string) => ({ ingestedAt: Date.parse(instant) });
const takenBack = (instant: string) => ({ retractedAt: Date.parse(instant) });

test.each([
  [
    'it was never sold',
    [],
    [
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
    ],
  ],
  [
    'it was first sold in February, and not since',
    [sold('2026-02-10T00:00:00Z', 100)],
    [
      [null, 0],
      [100, 1],
      [100, 0],
      [100, 0],
    ],
  ],
  [
    'it was sold in the last moment of January',
    [sold('2026-01-31T23:59:59.999Z', 100)],
    [
      [100, 1],
      [100, 0],
      [100, 0],
      [100, 0],
    ],
  ],
  [
    'it was sold in the first moment of February',
    [sold('2026-02-01T00:00:00Z', 100)],
    [
      [null, 0],
      [100, 1],
      [100, 0],
      [100, 0],
    ],
  ],
  [
    'it rose month by month',
    [
      sold('2026-01-10T00:00:00Z', 100),
      sold('2026-02-10T00:00:00Z', 110),
      sold('2026-02-20T00:00:00Z', 112),
      sold('2026-04-20T00:00:00Z', 130),
    ],
    [
      [100, 1],
      [110, 2],
      [110, 0],
      [112, 1],
    ],
  ],
  [
    'only an incomplete and a used one were sold',
    [
      sold('2026-01-10T00:00:00Z', 50, { completeness: 'incomplete' }),
      sold('2026-02-10T00:00:00Z', 60, { condition: 'used' }),
    ],
    [
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
    ],
  ],
  [
    'an odd sale in March does not count',
    [
      sold('2026-01-10T00:00:00Z', 100),
      sold('2026-01-11T00:00:00Z', 100),
      sold('2026-01-12T00:00:00Z', 100),
      sold('2026-01-13T00:00:00Z', 100),
      sold('2026-03-10T00:00:00Z', 300),
    ],
    [
      [100, 4],
      [100, 0],
      [100, 0],
      [100, 0],
    ],
  ],
])('month by month, when %s', (_, sales, expected) => {
  expect(months(sales)).toEqual(expected);
});

const first = sold('2026-01-10T00:00:00Z', 100);

test.each([
  ['before the cut counts', '2026-02-07T23:59:59.999Z', [100, 1]],
  ['at the cut does not count', '2026-02-08T00:00:00Z', [null, 0]],
])('a January sale that is learned of %s in January', (_, instant, january) => {
  const sale = { ...first, ...learned(instant) };
  expect(months([sale], 'at the cut')).toEqual([january, [100, 0], [100, 0], [100, 0]]);
  // While the past is being loaded, it does not matter when a sale was learned of.
  expect(months([sale], 'all')[0]).toEqual([100, 1]);
});

test.each([
  ['before the cut never counted', '2026-02-07T23:59:59.999Z', [null, 0]],
  ['at the cut counts in January only', '2026-02-08T00:00:00Z', [100, 1]],
])('a January sale that is taken back %s', (_, instant, january) => {
  const sale = { ...first, ...takenBack(instant) };
  expect(months([sale], 'at the cut')).toEqual([january, [null, 0], [null, 0], [null, 0]]);
  expect(months([sale], 'all')[0]).toEqual([null, 0]);
});

test('two or more sales late at once are all counted from the month that knew them', () => {
  const sales = [
    { ...sold('2026-01-10T00:00:00Z', 100), ...learned('2026-03-20T00:00:00Z') },
    { ...sold('2026-01-11T00:00:00Z', 110), ...learned('2026-03-20T00:00:00Z') },
    sold('2026-02-11T00:00:00Z', 120),
  ];
  expect(months(sales, 'at the cut')).toEqual([
    [null, 0],
    [120, 1],
    [110, 0],
    [110, 0],
  ]);
});

test('a month is well supported by three sales within half a year', () => {
  const three = ['2026-01-10', '2026-01-11', '2026-01-12'].map((day) =>
    sold(`${day}T00:00:00Z`, 100),
  );
  const supported = (sales: readonly StoredSale[], text: string) =>
    baselineEstimator.valueMonths(sales, 'sealed', [{ month: month(text), knownBefore: null }])[0]
      ?.wellSupported;
  expect(supported(three, '2026-01')).toBe(true);
  expect(supported(three.slice(1), '2026-01')).toBe(false);
  expect(supported(three, '2026-06')).toBe(true);
  expect(supported(three, '2026-07')).toBe(false);
});

test('asking for months one by one gives the same answers as asking for all at once', () => {
  const sales = ['2026-01-10', '2026-01-31', '2026-02-11', '2026-04-12'].map((day, index) =>
    sold(`${day}T00:00:00Z`, 100 + index * 7),
  );
  for (const known of ['all', 'at the cut'] as const) {
    const one = questions(known).flatMap((question) =>
      baselineEstimator.valueMonths(sales, 'sealed', [question]),
    );
    expect(one).toEqual(baselineEstimator.valueMonths(sales, 'sealed', questions(known)));
  }
});

test('the first sale that counts is told for each condition, among those known', () => {
  const sales = [
    sold('2026-01-01T00:00:00Z', 50, { completeness: 'incomplete' }),
    sold('2026-01-02T00:00:00Z', 100, takenBack('2026-01-20T00:00:00Z')),
    sold('2026-01-03T00:00:00Z', 100, learned('2026-03-01T00:00:00Z')),
    sold('2026-01-04T00:00:00Z', 100),
    sold('2026-01-05T00:00:00Z', 70, { condition: 'used' }),
  ];
  const day = (condition: Condition, knownBefore: string | null) => {
    const before = knownBefore === null ? null : Date.parse(knownBefore);
    const at = baselineEstimator.firstSaleAt(sales, condition, before);
    return at === null ? null : new Date(at).getUTCDate();
  };
  expect(day('sealed', null)).toBe(3);
  expect(day('sealed', '2026-02-01T00:00:00Z')).toBe(4);
  expect(day('sealed', '2026-01-10T00:00:00Z')).toBe(2);
  expect(day('sealed', '2026-01-01T00:00:00Z')).toBeNull();
  expect(day('used', null)).toBe(5);
  expect(baselineEstimator.firstSaleAt([], 'used', dayMs)).toBeNull();
});
