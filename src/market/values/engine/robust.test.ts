/** Robustness: floods, wrong starts, and similar inputs. */
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
} from '../../../../test/support/valuation.ts';
import { dayMs, hourMs, weekOf } from '../../../kernel/time.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import type { SetToValue } from '../estimator.ts';

const established = soldEvery(5, scattered(200, 30), { until: noon - 10 * dayMs });
const hundreds = (count: number) => Array<number>(count).fill(100);

/** Sets with different values must have different hashes. */
function hashAndValue(set: SetToValue) {
  const { sealed, evidence } = unlearned.prepareSet(set).valueAt(noon);
  return { hash: evidence.inputHash, valueCents: sealed?.valueCents };
}

describe('one seller', () => {
  const flood = Array.from({ length: 10 }, (_, index) =>
    sold({ soldAt: noon - index * 6 * hourMs, priceCents: 100_00, seller: 'a' }),
  );

  test('cannot lower a value with ten sales at half the price', () => {
    expect(newDollars([...established, ...flood]) / newDollars(established)).toBeGreaterThan(0.95);
  });
});

describe('a wrong start', () => {
  test('is corrected by sixty later sales', () => {
    const typo = sold({ priceCents: 1000_00, soldAt: noon - 5000 * dayMs });
    const sales = [typo, ...soldEvery(45, hundreds(60))];
    expect(newDollars(sales, noon, unknownFacts)).toBeWithin(90, 110);
  });

  test('is corrected for a set at 2.5 times its prior', () => {
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

  test('is not caused by a quarantined sale', () => {
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

describe('a level shift', () => {
  test('of used sales does not affect a new value with its own sales', () => {
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

  test('is not delayed by an old outlier', () => {
    const fall = soldEvery(7, Array<number>(6).fill(90));
    const normal = soldEvery(7, scattered(200, 40), { until: noon - 47 * dayMs });
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

  // A foreign currency doubles the noise, even at a rate of 1.
  test('depends on the currency', () => {
    const foreign = sold({ priceCents: 150_00, currency: 'PAB' });
    expect(differs(setOf([foreign]), setOf([{ ...foreign, currency: 'USD' }]))).toBe(true);
  });

  // Sources matter only if they differ, which makes duplicates.
  test('depends on detected duplicates', () => {
    const sale = sold({ priceCents: 150_00, seller: 'a' });
    const again = { ...sale, sourceId: 'again' };
    const twice = setOf([sale, again]);
    expect(differs(twice, setOf([sale, { ...again, source: 'other' }]))).toBe(true);
  });

  test('depends on the week of a retailer’s price', () => {
    const at = (ago: number): SetToValue => ({
      ...setOf([], { ...unknownFacts, msrpCents: 100_00 }),
      retailWeeks: [{ week: weekOf(noon) - ago, priceCents: 70_00 }],
    });
    const [late, early] = [at(9), at(10)];
    expect(differs(late, early)).toBe(true);
  });
});

test('a tier in its grace period has an end', () => {
  const open = unlearned.prepareSet(setOf(soldEvery(5, scattered(200, 14))));
  const lostAt = open.valueAt(noon).changesAt ?? 0;
  const asked = open.valueAt(lostAt - 5 * dayMs);
  expect(asked.tier).toBe('high');
  expect(Math.abs((asked.changesAt ?? 0) - lostAt)).toBeLessThanOrEqual(2 * hourMs);
});
