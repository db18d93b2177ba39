/** Max buy prices in responses: decimals, the best channel, and charges after a disconnect. */
import { describe, expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { dataIn } from '../../../test/support/handled.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import type { Evaluation } from '../../contract/plus/evaluate.ts';
import type { MaxBuy } from '../../contract/plus/max-buy.ts';
import { setExample } from '../../contract/set.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { assumedEffects } from '../../market/grades/grades.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { buyingHandlers } from './buying.ts';
import { dealsHandlers } from './deals.ts';

const now = Date.UTC(2026, 5, 1);

const evidence = someEvidence({
  tier: 'high',
  offsets: { fixed: 0, bricklink: Math.log(0.95) },
  listings: {
    sealed: [
      { channel: 'fixed', observedAt: now, units: 0, lowestCents: null },
      { channel: 'bricklink', observedAt: now, units: 3, lowestCents: null },
    ],
    used: [],
  },
  sealed: {
    valueCents: 100_00,
    lowCents: 90_00,
    highCents: 110_00,
    valueSpread: 0.05,
    saleSpread: 0.1,
    sales: { ever: 1, days30: 1, days90: 1, days180: 1, days365: 1 },
    firstSale: null,
    latestSale: null,
    rate: {
      sales: 9,
      days: 365,
      priorSales: 1,
      priorDays: 30,
      shares: { fixed: 0.5, bricklink: 0.5 },
    },
  },
});

const body = JSON.stringify(setExample);
const record = { key: '1', number: '1', body, evidence, retail: null };
const deps = {
  market: {
    store: {
      findResaleRecords: async () => new Map([['1', record]]),
      findGradeEffects: async () => ({
        ...assumedEffects,
        complete: { share: 0.97, sales: 40 },
      }),
    },
  },
  accounts: { findBuyingSettings: async () => usualSettings },
  tables: { fees: builtInFees, postage: builtInPostage },
  clock: () => now,
} as unknown as HandlerDeps;

const terms = { share: 0.8, margin_pct: 25 };
const input = (query: object) => ({ params: {}, query: { ...terms, ...query }, body: null });

const handlersWith: (given: HandlerDeps) => Pick<Handlers, 'getMaxBuy' | 'evaluateBox'> =
  buyingHandlers;

async function maxBuy(query: object, given = deps): Promise<MaxBuy> {
  const work = handlersWith(given).getMaxBuy(input({ set: '1', ...query }));
  return dataIn(await work.read({ accountId: 1, scopes: 15 } as never, { used: 0, at: 0 }));
}

test('the best channel is a learned one, and its selling time is that of the response', async () => {
  const { channels, ...answer } = await maxBuy({});
  expect(answer).toMatchObject({ sales_per_month: 0.77, value_usd: 100 });
  const mostOf = (assumed: boolean) =>
    Math.max(...channels.filter((c) => c.assumed === assumed).map((c) => c.max_buy_usd ?? 0));
  const best = channels.find(({ channel }) => channel === answer.best_channel);
  expect([answer.reason, best?.assumed, best?.max_buy_usd]).toEqual([null, false, mostOf(false)]);
  expect(mostOf(true)).toBeGreaterThan(mostOf(false));
  expect(answer.wait_days).toBe(best?.wait_days ?? -1);
});

test('the time to sell is that of the channel, with other units for sale where they are known', async () => {
  const { channels } = await maxBuy({});
  const waitOn = (name: string) => {
    const { wait_days, rivals, wait_assumed } =
      channels.find(({ channel }) => channel === name) ?? {};
    return { wait_days, rivals, wait_assumed };
  };
  // Ten sales in 395 days: the median is 395 × (2^(1/10) − 1) = 28.4 days; half are on eBay.
  expect(waitOn('ebay')).toEqual({ wait_days: 56.7, rivals: 0, wait_assumed: false });
  expect(waitOn('bricklink')).toEqual({ wait_days: 226.8, rivals: 3, wait_assumed: false });
  expect(waitOn('facebook')).toMatchObject({ rivals: null, wait_assumed: true });
});

test('without a max buy price there is no best channel and no selling time', async () => {
  const answer = await maxBuy({ channel: 'ebay', condition: 'used' });
  expect(answer).toMatchObject({ reason: 'no_value', best_channel: null, wait_days: null });
  const usual = { best_channel: 'ebay', wait_days: 56.7 } as const;
  expect(await maxBuy({ channel: 'ebay' })).toMatchObject(usual);
});

test('a jump that is not confirmed is a warning, and the value stays', async () => {
  const doubt = { valueCents: 50_00, sales: 3, sellers: 2, since: '2026-05-01', expectedSales: 1 };
  const doubted = { ...evidence, sealed: evidence.sealed && { ...evidence.sealed, doubt } };
  const findResaleRecords = async () => new Map([['1', { ...record, evidence: doubted }]]);
  const given = { ...deps, market: { store: { findResaleRecords } } } as unknown as HandlerDeps;
  const [usual, answer] = [await maxBuy({}), await maxBuy({}, given)];
  expect([usual.warnings, answer.warnings]).toEqual([[], ['recent_jump']]);
  expect([usual.value_usd, answer.value_usd]).toEqual([100, 100]);
  const price = ({ channels }: MaxBuy) => channels[0]?.price_usd ?? 0;
  expect(price(answer) / price(usual)).toBeCloseTo(0.5, 3);
});

test('a box without a bid has no best channel', async () => {
  const ask = async (inboundCents: number): Promise<Evaluation['summary']> => {
    const findBuyingSettings = async () => ({ ...usualSettings, inboundCents });
    const handlers = handlersWith({
      ...deps,
      accounts: { findBuyingSettings } as never,
    });
    const body = { items: [{ set: '1' }], cost_usd: 50 };
    const work = handlers.evaluateBox({ params: {}, query: {}, body });
    const answer = await work.read({ accountId: 1, scopes: 15 } as never, { used: 0, at: 0 });
    return dataIn(answer).summary;
  };
  const bid = await ask(0);
  expect([bid.best_channel, bid.max_bid_usd === null]).toEqual(['bricklink', false]);
  expect(await ask(500_00)).toMatchObject({ max_bid_usd: null, best_channel: null });
});

test('boxes and deals are charged once computed, even if the caller disconnects', () => {
  const sent = { items: [{ set: '1' }, { set: '1-1' }, { minifig: '1' }] };
  const box = handlersWith(deps).evaluateBox({ params: {}, query: {}, body: sent });
  expect([box.isExpensive, box.cost]).toEqual([true, 2]);
  const query = { ...terms, min_tier: 'low', limit: 1, offset: 0 } as const;
  const list = dealsHandlers(deps).listDeals({ params: {}, query, body: null });
  expect(list.isExpensive).toBe(true);
});

test('values that no sale supports are no basis for a price', async () => {
  const modeled = { ...record, evidence: { ...evidence, tier: 'modeled' } };
  const market = { store: { findResaleRecords: async () => new Map([['1', modeled]]) } };
  const given = { ...deps, market } as unknown as HandlerDeps;
  expect(await maxBuy({}, given)).toMatchObject({ reason: 'modeled_value', value_usd: 100 });
  const body = { items: [{ set: '1' }] };
  const box = handlersWith(given).evaluateBox({ params: {}, query: {}, body });
  const { summary } = dataIn(await box.read({ accountId: 1, scopes: 15 } as never, spent));
  expect(summary).toMatchObject({ units: 1, max_bid_usd: null });
});

const spent = { used: 0, at: 0 };

test('an item that does not exist is missing', async () => {
  const store = { findResaleRecords: async () => new Map() };
  const given = { ...deps, market: { store } } as unknown as HandlerDeps;
  const work = handlersWith(given).getMaxBuy(input({ minifig: 'x' }));
  const answer: unknown = await work.read({ accountId: 1, scopes: 15 } as never, spent);
  expect(answer).toEqual({ missing: "There is no minifig 'x'." });
});

test.each([
  [{}, "Give exactly one of 'set' and 'minifig'; got neither."],
  [{ set: '1', minifig: '1' }, "Give exactly one of 'set' and 'minifig'; got both."],
])('a max buy price of %j is refused', (query, message) => {
  expect(() => handlersWith(deps).getMaxBuy(input(query))).toThrow(message);
});

const manySets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ set: String(index) }));

test.each<[string, object, string | null]>([
  ['neither', { items: [{ set: '1' }, {}] }, "In 'items.1', give exactly one of 'set' and"],
  ['100 items', { items: manySets(100) }, null],
  ['101 items', { items: manySets(101) }, 'The box has 101 unique items; at most 100 are allowed.'],
  [
    '100,000 units',
    {
      items: [
        { set: '1', quantity: 60_000 },
        { set: '2', quantity: 40_000 },
      ],
    },
    null,
  ],
  [
    '100,001 units',
    { items: [{ set: '1', quantity: 100_000 }, { set: '2' }] },
    'The box has 100001 units; at most 100000 are allowed.',
  ],
  ['four decimals', { items: [{ set: '1' }], share: 0.1234, margin_pct: 0.25 }, null],
  [
    'five decimals',
    { items: [{ set: '1' }], share: 0.12345 },
    "In the body, 'share' must have at most four decimals; got 0.12345.",
  ],
  [
    'three decimals',
    { items: [{ set: '1' }], cost_usd: 0.125 },
    "In the body, 'cost_usd' must have at most two decimals; got 0.125.",
  ],
])('the limits of a box: %s', (_, body, message) => {
  const prepare = () =>
    handlersWith(deps).evaluateBox({ params: {}, query: {}, body: body as never });
  if (message === null) expect(prepare).not.toThrow();
  else expect(prepare).toThrow(message);
});

describe('a grade', () => {
  test('lowers prices by its effect, and says how that is known', async () => {
    const whole = await maxBuy({});
    const damaged = await maxBuy({ grade: 'damaged_box' });
    expect(damaged).toMatchObject({
      condition: 'sealed',
      value_usd: 90,
      data_tier: whole.data_tier,
      grade: 'damaged_box',
      grade_value_pct: 90,
      grade_effect_is: 'assumed',
    });
    const prices = (of: MaxBuy) => of.channels.map(({ price_usd }) => price_usd);
    for (const [index, price] of prices(damaged).entries()) {
      expect(price).toBeCloseTo((prices(whole)[index] ?? 0) * 0.9, 1);
    }
    expect(await maxBuy({ grade: 'perfect' })).toEqual({
      ...whole,
      grade: 'perfect',
      grade_value_pct: 100,
      grade_effect_is: 'none',
    });
    expect(await maxBuy({ grade: 'complete' })).toMatchObject({
      condition: 'used',
      grade_value_pct: 97,
      grade_effect_is: 'learned',
    });
  });

  test('is of one condition', () => {
    const refused = input({ set: '1', condition: 'used', grade: 'damaged_box' });
    expect(() => handlersWith(deps).getMaxBuy(refused)).toThrow(
      "Leave out 'condition', or send 'sealed': the grade 'damaged_box' is of a sealed unit, " +
        'not of a used one.',
    );
  });

  test('separates items of a box', async () => {
    const items = [{ set: '1' }, { set: '1', grade: 'damaged_box', quantity: 2 }];
    const work = handlersWith(deps).evaluateBox({
      params: {},
      query: {},
      body: { items },
    });
    const box = dataIn(await work.read({ accountId: 1, scopes: 15 } as never, { used: 0, at: 0 }));
    expect(work.cost).toBe(2);
    expect(box.items).toMatchObject([
      { quantity: 1, unit_value_usd: 100 },
      { quantity: 2, unit_value_usd: 90, grade: 'damaged_box', grade_effect_is: 'assumed' },
    ]);
    expect(box.items[0]).not.toHaveProperty('grade');
    expect(box.summary.sum_of_values_usd).toBe(280);
  });
});
