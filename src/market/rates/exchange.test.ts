/** Which exchange rate converts an amount, and how. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anOffer } from '../../../test/support/builders.ts';
import { dayMs, formatDay, parseDay } from '../../kernel/time.ts';
import {
  amountMax,
  mergeWindows,
  offerInDollars,
  oldestRateDay,
  rateWindow,
  toUsdCents,
  uncovered,
  windowSlices,
} from './exchange.ts';

const at = (date: string) => parseDay(date) ?? Number.NaN;

test('a rate is good for its day and seven days after it', () => {
  expect(oldestRateDay('2026-03-05')).toBe('2026-02-26');
  const window = rateWindow({ currency: 'EUR', date: '2026-02-26' }, null);
  expect(window).toEqual({ currency: 'EUR', from: at('2026-02-26'), to: at('2026-03-06') });
});

test.each([
  ['2026-02-27', '2026-02-27'],
  ['2026-03-06', '2026-03-06'],
  ['2026-03-07', '2026-03-06'],
])('a next rate on %s ends it on %s', (next, end) => {
  expect(rateWindow({ currency: 'EUR', date: '2026-02-26' }, next).to).toBe(at(end));
});

const anyDates = fc
  .uniqueArray(fc.integer({ min: 20_000, max: 20_060 }), { maxLength: 12 })
  .map((days) => days.sort((a, b) => a - b).map((day) => formatDay(day * dayMs)));

test('a time is uncovered if no rate of its day or the seven before it exists', () => {
  fc.assert(
    fc.property(anyDates, fc.integer({ min: 19_980, max: 20_090 }), (dates, day) => {
      const gaps = uncovered('EUR', dates);
      const date = formatDay(day * dayMs);
      const hasRate = dates.some((rate) => rate <= date && rate >= oldestRateDay(date));
      for (const time of [day * dayMs, (day + 1) * dayMs - 1]) {
        const found = gaps.filter(({ from, to }) => from <= time && time < to);
        expect(found).toHaveLength(hasRate ? 0 : 1);
      }
    }),
    { seed: 7 },
  );
});

test('windows of one currency that overlap or touch become one', () => {
  const window = (currency: string, from: number, to: number) => ({ currency, from, to });
  const given = [
    window('EUR', 5, 7),
    window('GBP', 1, 9),
    window('EUR', 0, 4),
    window('EUR', 7, 8),
    window('EUR', 1, 2),
    window('GBP', 3, 4),
  ];
  expect(mergeWindows(given)).toEqual([
    window('EUR', 0, 4),
    window('EUR', 5, 8),
    window('GBP', 1, 9),
  ]);
});

test('windows are cut into slices of time, without gaps or overlaps', () => {
  const window = (currency: string, from: number, to: number) => ({ currency, from, to });
  expect(windowSlices([], 10)).toEqual([]);
  const given = [window('EUR', 5, 31), window('GBP', -5, 10), window('EUR', 40, 50)];
  expect(windowSlices(given, 10)).toEqual([
    [window('GBP', -5, 0)],
    [window('EUR', 5, 10), window('GBP', 0, 10)],
    [window('EUR', 10, 20)],
    [window('EUR', 20, 30)],
    [window('EUR', 30, 31)],
    [window('EUR', 40, 50)],
  ]);
});

test.each([
  ['euros', 10_05, 1.1, 11_06],
  ['half a cent up', 1, 0.5, 1],
  ['less than half a cent', 1, 0.49, 0],
  ['500 yen', 500_00, 0.0065, 3_25],
  ['1,299,900 won', 1_299_900_00, 0.00072, 935_93],
])('%s are converted to cents', (_, hundredths, rate, cents) => {
  expect(toUsdCents(hundredths, rate)).toBe(cents);
});

describe('an offer', () => {
  const amounts = {
    priceCents: 100_00,
    listPriceCents: 120_00,
    lowestFbaCents: 90_00,
    buyBoxCents: null,
  };

  test('in dollars needs no rate', () => {
    const { currency: _, ...offer } = anOffer(amounts);
    expect(offerInDollars(anOffer(amounts), null)).toEqual(offer);
  });

  test('in another currency has all amounts converted, and is null without a rate', () => {
    const foreign = anOffer({ ...amounts, currency: 'EUR' });
    const { currency: _, ...offer } = foreign;
    expect(offerInDollars(foreign, null)).toBeNull();
    expect(offerInDollars(foreign, 1.1)).toEqual({
      ...offer,
      priceCents: 110_00,
      listPriceCents: 132_00,
      lowestFbaCents: 99_00,
    });
  });

  test('is never free, and never above the maximum', () => {
    const cheap = anOffer({ priceCents: 1, currency: 'JPY' });
    expect(offerInDollars(cheap, 0.0065)?.priceCents).toBe(1);
    const dear = anOffer({ priceCents: 100_000_000, currency: 'EUR' });
    expect(offerInDollars(dear, 1)?.priceCents).toBe(100_000_000);
    expect(offerInDollars(dear, 1.01)).toBeNull();
  });
});

test.each([
  ['USD', 1],
  ['EUR', 1],
  ['CZK', 10],
  ['JPY', 100],
  ['KRW', 1_000],
  ['IDR', 10_000],
])('the maximum of an amount in %s is $1,000,000 times %i', (currency, units) => {
  expect(amountMax(currency)).toBe(100_000_000 * units);
});
