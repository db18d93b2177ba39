/** Sets without a retail price: learned separately, with borrowed examples. */
import { describe, expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { unknownFacts } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { ValuationFacts } from '../estimator.ts';
import { type Estimate, estimateOf, type Prior } from './prior.ts';
import type { SetExample } from './set-prior.ts';
import { defaultUnpricedPrior, fitUnpricedPrior, unpricedPoints } from './unpriced-prior.ts';

const now = Date.UTC(2026, 10, 9);
const yearMs = 365.25 * dayMs;

function estimate(prior: Prior, facts: Partial<ValuationFacts>): Estimate | null {
  const point = unpricedPoints({ ...unknownFacts, ...facts })?.(now);
  return point ? estimateOf(prior, point) : null;
}

const dollars = (prior: Prior, facts: Partial<ValuationFacts>) =>
  Math.exp(estimate(prior, facts)?.log ?? Number.NaN) / 100;

/** Sets of a theme at a multiple of the starting prior, with noise. */
function examplesOf(
  count: number,
  { times, scatter, ...facts }: Partial<ValuationFacts> & { times: number; scatter: number },
): SetExample[] {
  const random = new Random(4, 'unpriced', count);
  return Array.from({ length: count }, () => {
    const releasedAt = now - random.between(1, 12) * yearMs;
    const pieces = Math.ceil(random.logNormal(60, 0.7));
    const of = { ...unknownFacts, pieces, releasedAt, ...facts };
    const log = (estimate(defaultUnpricedPrior, of)?.log ?? 0) + Math.log(times);
    return { facts: of, at: now, log: log + random.normal(0, scatter) };
  });
}

describe('the features of a set', () => {
  const pointOf = (facts: Partial<ValuationFacts>) => {
    const point = unpricedPoints({ ...unknownFacts, ...facts })?.(now);
    if (!point) throw new Error('The set has no point.');
    return point;
  };
  /** Time-independent: pieces, few pieces, minifigs, weight, box, estimated, class, price. */
  const lasting = (facts: Partial<ValuationFacts>) =>
    pointOf(facts)
      .features.slice(0, 10)
      .map((feature) => Number(feature.toFixed(6)));
  const log = (value: number) => Number(Math.log(value).toFixed(6));

  test('are pieces and other facts', () => {
    expect(lasting({ pieces: 100 })).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(lasting({ pieces: 30 })).toEqual([1, log(0.3), log(2), 0, 0, 0, 0, 0, 0, 0]);
    expect(lasting({ pieces: 60 })).toEqual([1, log(0.6), 0, 0, 0, 0, 0, 0, 0, 0]);
    const full = { pieces: 100, minifigs: 2, weightLbs: 0.56, cubicInches: 150, msrpCents: 5 };
    expect(lasting(full)).toEqual([1, 0, 0, log(3), log(2), log(2), 0, 0, 0, 1]);
    // With pieces derived from the weight, the weight feature is neutral.
    expect(lasting({ weightLbs: 0.28 })).toEqual([1, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    expect(pointOf({ weightLbs: 0.0001 }).base).toBeCloseTo(Math.log(200 + 11), 9);
  });

  test('include the class', () => {
    const classOf = (itemClass: ValuationFacts['itemClass']) =>
      lasting({ pieces: 100, itemClass }).slice(7, 9);
    expect(classOf('set')).toEqual([0, 0]);
    expect(classOf('polybag')).toEqual([1, 0]);
    expect(classOf('promotional')).toEqual([0, 1]);
    expect(classOf('sample')).toEqual([0, 1]);
  });

  test('clip ratios at a factor of ten', () => {
    const weightOf = (weightLbs: number) => lasting({ pieces: 100, weightLbs })[4];
    expect([0.001, 0.028, 0.14, 2.8, 99].map(weightOf)).toEqual([
      log(0.1),
      log(0.1),
      log(0.5),
      log(10),
      log(10),
    ]);
  });

  test('have a spread that depends on unknown facts', () => {
    const spreadOf = (facts: Partial<ValuationFacts>) => pointOf(facts).spreadFeatures.slice(2);
    const known = { pieces: 60, weightLbs: 1, retiredAt: now, releasedAt: now - yearMs };
    expect(spreadOf(known)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(spreadOf({ ...known, retiredAt: null })[0]).toBe(1);
    expect(spreadOf({ ...known, pieces: 120 })[1]).toBeCloseTo(Math.log(2), 9);
    expect(spreadOf({ ...known, pieces: null })[2]).toBe(1);
    expect(spreadOf({ ...known, weightLbs: null })[3]).toBe(1);
    expect(spreadOf({ ...known, itemClass: 'sample' })[4]).toBe(1);
    expect(spreadOf({ ...known, releasedAt: Date.UTC(1984, 0) }).slice(5)).toEqual([1, 1]);
    expect(pointOf({ ...known, retiredAt: now - yearMs }).spreadFeatures[1]).toBeCloseTo(
      Math.log(2),
      3,
    );
  });
});

describe('before anything was learned', () => {
  const fresh = { releasedAt: now - yearMs / 2, retiredAt: now + yearMs };

  test('a small one costs a few dollars, however few its pieces are', () => {
    expect(dollars(defaultUnpricedPrior, { ...fresh, pieces: 6, minifigs: 1 })).toBeWithin(2, 8);
    expect(dollars(defaultUnpricedPrior, { ...fresh, pieces: 45 })).toBeWithin(3, 9);
    expect(dollars(defaultUnpricedPrior, { ...fresh, pieces: 900 })).toBeWithin(40, 110);
  });

  test('weight, box and minifigs make it worth more, and a polybag is worth less', () => {
    const plain = { ...fresh, pieces: 100, weightLbs: 0.28, cubicInches: 75 };
    const base = dollars(defaultUnpricedPrior, plain);
    for (const more of [{ weightLbs: 0.6 }, { cubicInches: 200 }, { minifigs: 3 }]) {
      expect(dollars(defaultUnpricedPrior, { ...plain, ...more })).toBeGreaterThan(1.05 * base);
    }
    const polybag = dollars(defaultUnpricedPrior, { ...plain, itemClass: 'polybag' });
    expect(polybag).toBeLessThan(0.9 * base);
  });

  test('a wrong unit changes a ratio by at most a factor of ten', () => {
    const heavy = dollars(defaultUnpricedPrior, { ...fresh, pieces: 100, weightLbs: 2.8 });
    const absurd = dollars(defaultUnpricedPrior, { ...fresh, pieces: 100, weightLbs: 280 });
    expect(absurd).toBeCloseTo(heavy, 6);
  });

  test('unknown pieces are derived from weight, then minifigs', () => {
    const weighed = unpricedPoints({ ...unknownFacts, weightLbs: 0.28, minifigs: 2 })?.(now);
    expect(weighed?.base).toBeCloseTo(Math.log(200 + 11 * 100), 6);
    const figures = unpricedPoints({ ...unknownFacts, minifigs: 2 })?.(now);
    expect(figures?.base).toBeCloseTo(Math.log(200 + 11 * 12), 6);
    expect(unpricedPoints(unknownFacts)).toBeNull();
    expect(unpricedPoints({ ...unknownFacts, pieces: 0, minifigs: 0, weightLbs: 0 })).toBeNull();
  });

  test('large, old, unweighed and undated sets are more uncertain', () => {
    const small = { ...fresh, pieces: 50, weightLbs: 0.1 };
    const spread = (facts: Partial<ValuationFacts>) =>
      estimate(defaultUnpricedPrior, { ...small, ...facts })?.spread ?? 0;
    const least = spread({});
    const old = { releasedAt: now - 12 * yearMs, retiredAt: now - 10 * yearMs };
    for (const facts of [{ pieces: 900 }, { weightLbs: null }, { retiredAt: null }, old]) {
      expect(spread(facts)).toBeGreaterThan(1.1 * least);
    }
  });
});

describe('learning', () => {
  const gifts = { theme: 'Gifts', times: 4, scatter: 0.2 };
  const shop = { theme: 'Shop', times: 1.5, scatter: 0.1, msrpCents: 20_00 };

  test('without examples, the prior is the default', () => {
    expect(fitUnpricedPrior([])).toEqual(defaultUnpricedPrior);
  });

  test('a theme effect of four is learned', () => {
    const prior = fitUnpricedPrior([...examplesOf(150, gifts), ...examplesOf(150, shop)]);
    const of = { pieces: 60, releasedAt: now - 5 * yearMs, theme: 'Gifts' };
    const times = dollars(prior, of) / dollars(defaultUnpricedPrior, of);
    expect(times).toBeWithin(3.3, 4.6);
  });

  test('sets with a retail price are borrowed, but not for spreads', () => {
    const prior = fitUnpricedPrior(examplesOf(400, shop));
    const of = { pieces: 60, releasedAt: now - 5 * yearMs, theme: 'Shop' };
    expect(dollars(prior, of) / dollars(defaultUnpricedPrior, of)).toBeWithin(1.3, 1.7);
    expect(prior.spreads).toEqual(defaultUnpricedPrior.spreads);
  });

  test('spreads are learned, also by theme', () => {
    const quiet = { theme: 'Quiet', times: 1, scatter: 0.15 };
    const wild = { theme: 'Wild', times: 1, scatter: 0.8 };
    const prior = fitUnpricedPrior([...examplesOf(300, quiet), ...examplesOf(301, wild)]);
    const spread = (theme: string) =>
      estimate(prior, { pieces: 60, releasedAt: now - 5 * yearMs, theme })?.spread ?? 0;
    expect(spread('Quiet')).toBeWithin(0.12, 0.25);
    expect(spread('Wild')).toBeWithin(0.6, 1);
  });

  test('it does not depend on the order of examples, to the last bit', () => {
    const examples = [...examplesOf(60, gifts), ...examplesOf(60, shop)];
    const expected = JSON.stringify(fitUnpricedPrior(examples));
    expect(JSON.stringify(fitUnpricedPrior([...examples].reverse()))).toBe(expected);
  });
});
