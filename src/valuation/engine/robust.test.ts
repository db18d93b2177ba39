/** What would fool a simpler engine: floods, wrong beginnings, and inputs that look alike. */
import { describe, expect, test } from 'bun:test';
import {
  newDollars,
  noon,
  scattered,
  setOf,
  sold,
  soldEvery,
  unknownFacts,
  unlearned,
} from '../../../test/support/valuation.ts';
import { dayMs, hourMs, weekOf } from '../../domain/kernel/time.ts';
import type { SetToValue } from '../../domain/market/estimator.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';

const established = soldEvery(5, scattered(200, 30), { until: noon - 10 * dayMs });
const hundreds = (count: number) => Array<number>(count).fill(100);

/** Whether two sets have one hash; if so, they must have one value. */
function hashAndValue(set: SetToValue) {
  const { sealed, evidence } = unlearned.prepareSet(set).valueAt(noon);
  return { hash: evidence.inputHash, valueCents: sealed?.valueCents };
}

describe('one seller', () => {
  const flood = Array.from({ length: 10 }, (_, index) =>
    sold({ soldAt: noon - index * 6 * hourMs, priceCents: 100_00, seller: 'a' }),
  );

  test('cannot bring a value down by ten sales at half the price', () => {
    expect(newDollars([...established, ...flood]) / newDollars(established)).toBeGreaterThan(0.95);
  });
});

describe('a wrong beginning', () => {
  test('does not last when sixty later sales agree on another price', () => {
    const typo = sold({ priceCents: 1000_00, soldAt: noon - 5000 * dayMs });
    const sales = [typo, ...soldEvery(45, hundreds(60))];
    expect(newDollars(sales, noon, unknownFacts)).toBeWithin(90, 110);
  });

  test('does not last when a set is worth 2.5 times what sets like it are', () => {
    const inShops = {
      ...unknownFacts,
      msrpCents: 100_00,
      pieces: 900,
      releasedAt: noon - 1500 * dayMs,
      retiredAt: noon + 100 * dayMs,
    };
    const dollars = 2.5 * newDollars([], noon, inShops);
    const sales = soldEvery(45, Array<number>(9).fill(dollars));
    expect(newDollars(sales, noon, inShops)).toBeGreaterThan(0.8 * dollars);
  });

  test('is not made by a sale that does not count', () => {
    const inShops = { ...unknownFacts, msrpCents: 100_00, releasedAt: noon - 900 * dayMs };
    const retailWeeks = [4, 3, 2].map((ago) => ({ week: weekOf(noon) - ago, priceCents: 70_00 }));
    const dollars = (sales: StoredSale[]) => {
      const set = { ...setOf(sales, inShops), retailWeeks };
      return unlearned.prepareSet(set).valueAt(noon).sealed?.valueCents;
    };
    const odd = sold({ soldAt: noon - 60 * dayMs, priceCents: 1000_00 });
    expect(dollars([odd])).toBe(dollars([]));
  });
});

describe('a new level', () => {
  test('of used ones leaves a new value that has its own sales alone', () => {
    const used = soldEvery(3, Array<number>(8).fill(120), {
      condition: 'used',
      until: noon - 10 * dayMs,
    });
    const before = [...established, ...used].sort((a, b) => a.soldAt - b.soldAt);
    const dear = (dollars: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        sold({
          condition: 'used',
          soldAt: noon - (count - index) * hourMs,
          priceCents: dollars * 100,
          seller: `seller ${index}`,
        }),
      );
    for (const [dollars, count] of [
      [60, 3],
      [48, 5],
      [228, 3],
      [300, 5],
    ] as const) {
      const share = newDollars([...before, ...dear(dollars, count)]) / newDollars(before);
      expect(share).toBeWithin(0.96, 1.04);
    }
  });

  test('is not held up by an odd sale of months ago', () => {
    const fall = soldEvery(7, Array<number>(5).fill(90));
    const normal = soldEvery(7, scattered(200, 40), { until: noon - 40 * dayMs });
    const stray = sold({ soldAt: noon - 150 * dayMs, priceCents: 90_00 });
    const strayed = [...normal, stray].sort((a, b) => a.soldAt - b.soldAt);
    expect(newDollars([...normal, ...fall])).toBeWithin(85, 100);
    expect(newDollars([...strayed, ...fall])).toBeWithin(85, 100);
  });
});

describe('the hash', () => {
  const differs = (a: SetToValue, b: SetToValue) => {
    const [one, two] = [hashAndValue(a), hashAndValue(b)];
    expect(one.valueCents).not.toBe(two.valueCents);
    return one.hash !== two.hash;
  };

  // A foreign currency doubles the noise, even where it is worth a dollar.
  test('tells the currency', () => {
    const foreign = sold({ priceCents: 150_00, currency: 'PAB' });
    expect(differs(setOf([foreign]), setOf([{ ...foreign, currency: 'USD' }]))).toBe(true);
  });

  // A source does not matter by itself, but whether two are different does.
  test('tells whether a sale was taken for one that was told of twice', () => {
    const sale = sold({ priceCents: 150_00, seller: 'a' });
    const again = { ...sale, sourceId: 'again' };
    const twice = setOf([sale, again]);
    expect(differs(twice, setOf([sale, { ...again, source: 'other' }]))).toBe(true);
  });

  test('tells the week of a retailer’s price', () => {
    const at = (ago: number): SetToValue => ({
      ...setOf([], { ...unknownFacts, msrpCents: 100_00 }),
      retailWeeks: [{ week: weekOf(noon) - ago, priceCents: 70_00 }],
    });
    const [late, early] = [at(9), at(10)];
    expect(differs(late, early)).toBe(true);
  });
});

test('a tier in its grace says when it is lost', () => {
  const open = unlearned.prepareSet(setOf(soldEvery(5, scattered(200, 14))));
  const lostAt = open.valueAt(noon).changesAt ?? 0;
  const asked = open.valueAt(lostAt - 5 * dayMs);
  expect(asked.tier).toBe('high');
  expect(Math.abs((asked.changesAt ?? 0) - lostAt)).toBeLessThanOrEqual(2 * hourMs);
});
