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
} from '../../../../test/support/valuation.ts';
import { dayMs, monthOf } from '../../../kernel/time.ts';
import { makeEstimator } from './estimator.ts';
import { channelShares, countUntil, type RateTable, salesSeen } from './rate.ts';

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
      channels: new Map(),
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
      const item = {
        kind: 'set',
        condition: 'used',
        releasedAt: null,
        times,
        channels: new Map(),
      } as const;
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
    expect(used?.rate).toEqual({
      sales: 3,
      days: 180,
      priorSales: 0.9,
      priorDays: 70,
      shares: { fixed: 1 },
    });
  });
});

describe('channels', () => {
  test('share the sales of an item, and those of all items like four of its own', () => {
    const own = new Map([
      ['fixed', 3],
      ['bricklink', 1],
      ['unknown', 90],
    ] as const);
    expect(channelShares(own)).toEqual({ fixed: 0.75, bricklink: 0.25 });
    expect(channelShares(own, { bricklink: 0.5, amazon: 0.5 })).toEqual({
      fixed: 0.375,
      bricklink: 0.375,
      amazon: 0.25,
    });
    expect(channelShares(new Map(), { amazon: 1 })).toEqual({ amazon: 1 });
    expect(channelShares(new Map([['unknown', 2]]))).toBeUndefined();
  });

  test('are those of the kind', () => {
    const shares = { set: { amazon: 1 }, minifig: { bricklink: 1 } };
    // 73 own sales and 4 of all sets.
    expect(sealedRate(learned({ shares }))?.shares).toEqual({ fixed: 0.948, amazon: 0.052 });
  });
});

test('a busy season is recorded with the sales in it', () => {
  const season = new Array<number>(12).fill(1.5);
  expect(sealedRate(learned({ season }))?.seasonIndex).toBe(1.5);
  expect(sealedRate()?.seasonIndex).toBeUndefined();
});

test('instants are counted inclusively', () => {
  const counted = [0, 1, 2, 5, 9, 10].map((at) => countUntil([1, 5, 5, 9], at));
  expect(counted).toEqual([0, 1, 1, 3, 4, 4]);
});
