/** Sales rates count days on which sales could be observed. */
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

/** An estimator with learned rates. */
const learned = (table: Partial<RateTable> = {}) => {
  const rates = { since: { set: 0, minifig: 0 }, priors: {}, ...table };
  return makeEstimator([stored(monthOf(noon), { rates })]);
};

const sealedRate = (estimator = unlearned, of = set) =>
  estimator.prepareSet(of).valueAt(noon).evidence.sealed?.rate;

describe('sales', () => {
  test('are counted over 180 days, by condition', () => {
    expect(sealedRate()).toMatchObject({ sales: 18, days: 180 });
    const { used } = unlearned.prepareSet(set).valueAt(noon).evidence;
    expect(used?.rate).toMatchObject({ sales: 0, days: 180 });
  });

  test('are counted from release and start of observation on', () => {
    const out = { ...restingFacts, releasedAt: noon - 30.5 * dayMs };
    const young = setOf(sales.slice(-3), out);
    expect(sealedRate(unlearned, young)).toMatchObject({ sales: 3, days: 31 });
    const since = { set: noon - 45 * dayMs, minifig: 0 };
    expect(sealedRate(learned({ since }))).toMatchObject({ sales: 5, days: 45 });
  });

  test('count on the first day, too', () => {
    const item = {
      kind: 'set',
      condition: 'sealed',
      releasedAt: noon - dayMs / 2,
      times: [noon - dayMs / 4],
    } as const;
    expect(salesSeen(item, noon, null)).toMatchObject({ sales: 1, days: 1 });
  });

  test('before the release mean that its date is wrong', () => {
    const wrong = setOf(sales, { ...restingFacts, releasedAt: noon - 30 * dayMs });
    expect(sealedRate(unlearned, wrong)).toMatchObject({ sales: 18, days: 180 });
    const ahead = setOf([], { ...restingFacts, releasedAt: noon + dayMs });
    expect(sealedRate(unlearned, ahead)).toMatchObject({ sales: 0, days: 0 });
  });
});

describe('similar items', () => {
  test('have public averages by age, until learned', () => {
    const old = sealedRate();
    expect(old).toMatchObject({ priorSales: 0.7 });
    // 2.7 sales in 180 days at ten years.
    expect(old?.priorDays).toBe(Math.round((0.7 * 180) / 2.7));
  });

  test('have similar sales, or are all items if the group has no prior', () => {
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

  test('are grouped by whether they sold within a year, or ever', () => {
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

test('instants are counted inclusively', () => {
  const counted = [0, 1, 2, 5, 9, 10].map((at) => countUntil([1, 5, 5, 9], at));
  expect(counted).toEqual([0, 1, 1, 3, 4, 4]);
});
