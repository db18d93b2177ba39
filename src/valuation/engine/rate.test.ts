/** How often something sells is counted over days on which it could be sold and seen. */
import { describe, expect, test } from 'bun:test';
import {
  minifigOf,
  noon,
  restingFacts,
  setOf,
  soldEvery,
  stored,
  unlearned,
} from '../../../test/support/valuation.ts';
import { dayMs, monthOf } from '../../domain/kernel/time.ts';
import { makeEstimator } from './estimator.ts';
import { countUntil, type RateTable, salesSeen } from './rate.ts';

/** A sale every ten days for two years. */
const sales = soldEvery(10, Array<number>(73).fill(200));
const set = setOf(sales, restingFacts);

/** The estimator with what was learned of rates. */
const learned = (table: Partial<RateTable> = {}) => {
  const rates = { since: { set: 0, minifig: 0 }, priors: {}, ...table };
  return makeEstimator([stored(monthOf(noon), { rates })]);
};

const sealedRate = (estimator = unlearned, of = set) =>
  estimator.prepareSet(of).valueAt(noon).evidence.sealed?.rate;

describe('sales', () => {
  test('are counted over 180 days, in each condition for itself', () => {
    expect(sealedRate()).toMatchObject({ sales: 18, days: 180 });
    const { used } = unlearned.prepareSet(set).valueAt(noon).evidence;
    expect(used?.rate).toMatchObject({ sales: 0, days: 180 });
  });

  test('are counted from the release on, and from when sales were seen at all', () => {
    const out = { ...restingFacts, releasedAt: noon - 30.5 * dayMs };
    const young = setOf(sales.slice(-3), out);
    expect(sealedRate(unlearned, young)).toMatchObject({ sales: 3, days: 31 });
    const since = { set: noon - 45 * dayMs, minifig: 0 };
    expect(sealedRate(learned({ since }))).toMatchObject({ sales: 5, days: 45 });
  });

  test('before the release show that its date is wrong, and there are none before it', () => {
    const wrong = setOf(sales, { ...restingFacts, releasedAt: noon - 30 * dayMs });
    expect(sealedRate(unlearned, wrong)).toMatchObject({ sales: 18, days: 180 });
    const ahead = setOf([], { ...restingFacts, releasedAt: noon + dayMs });
    expect(sealedRate(unlearned, ahead)).toMatchObject({ sales: 0, days: 0 });
  });
});

describe('items like it', () => {
  test('are known from public averages, by age, until anything is learned', () => {
    const old = sealedRate();
    expect(old).toMatchObject({ priorSales: 0.7 });
    // 2.7 sales in 180 days at ten years.
    expect(old?.priorDays).toBe(Math.round((0.7 * 180) / 2.7));
  });

  test('are those that have sold as it has, and all of them where those are too few', () => {
    const all = { sales: 0.5, days: 40 };
    const often = { sales: 0.8, days: 100 };
    const inForce = (priors: RateTable['priors']) => sealedRate(learned({ priors }));
    expect(inForce({ 'set sealed': all, 'set sealed 10+': often })).toMatchObject({
      priorSales: 0.8,
      priorDays: 100,
    });
    expect(inForce({ 'set sealed': all, 'set sealed 3-9': often })?.priorDays).toBe(40);
    expect(inForce({ 'set used': all })?.priorSales).toBe(0.7);
  });

  test('are told apart by whether they were sold within a year, or ever', () => {
    const groupAfter = (days: number | null) => {
      const times = days === null ? [noon + dayMs] : [noon - days * dayMs];
      const item = { kind: 'set', condition: 'used', releasedAt: null, times } as const;
      return salesSeen(item, noon, null).group.name;
    };
    expect([1, 180, 365, 366, null].map(groupAfter)).toEqual([
      'set used 1-2',
      'set used 0',
      'set used 0',
      'set used long ago',
      'set used never',
    ]);
  });

  test('of a minifig are minifigs', () => {
    const priors = { 'minifig used 3-9': { sales: 0.9, days: 70 } };
    const minifig = minifigOf(soldEvery(10, [5, 5, 5], { condition: 'used' }));
    const { used } = learned({ priors }).prepareMinifig(minifig).valueAt(noon).evidence;
    expect(used?.rate).toEqual({ sales: 3, days: 180, priorSales: 0.9, priorDays: 70 });
  });
});

test('instants are counted up to one, that one among them', () => {
  const counted = [0, 1, 2, 5, 9, 10].map((at) => countUntil([1, 5, 5, 9], at));
  expect(counted).toEqual([0, 1, 1, 3, 4, 4]);
});
