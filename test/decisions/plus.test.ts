/** Decisions about the endpoints beyond the contract, one test for each. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { usualSettings } from '../../src/buying/prices/buying-settings.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import { plusOpenApiDocument } from '../../src/contract/openapi.ts';
import type { DealPage } from '../../src/contract/plus/deals.ts';
import type { Evaluation } from '../../src/contract/plus/evaluate.ts';
import type { EventPage } from '../../src/contract/plus/events.ts';
import type { ItemEvidence } from '../../src/contract/plus/evidence.ts';
import type { MaxBuy } from '../../src/contract/plus/max-buy.ts';
import type { Usage } from '../../src/contract/plus/usage.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { dayMs, formatInstant, hourMs } from '../../src/kernel/time.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { setWorth } from '../support/person.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { batch, type FeedLine, noon, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

/** A set that sells for $100.00, with retail offers. */
function bargain(number: string, offers: readonly FeedLine[]): FeedLine[] {
  return [
    ...setWorth(number, { sealed: 100 }),
    ...offers.map((offer) => ({
      kind: 'offer',
      set_number: number,
      in_stock: true,
      seller_type: 'retailer',
      ...offer,
    })),
  ];
}

beforeAll(async () => {
  world = await startWorld(noon, sellingEngine);
  await world.load(smallMarket);
  await world.load([
    ...bargain('8001', [
      { retailer: 'retailer_a', observed_at: '2026-11-15T11:00:00Z', price: 30 },
      {
        retailer: 'retailer_b',
        observed_at: '2026-11-13T11:00:00Z',
        price: 40.5,
        seller_type: 'third_party',
        product_url: 'https://retailer-b.example.com/8001',
      },
    ]),
    ...bargain('8002', [
      { retailer: 'retailer_a', observed_at: '2026-11-15T11:00:00Z', price: 90 },
    ]),
    ...bargain('8003', [
      { retailer: 'retailer_a', observed_at: '2026-11-08T11:00:00Z', price: 10 },
    ]),
  ]);
  await world.load([
    { kind: 'minifig', minifig_number: 'cas009', name: 'Herald' },
    ...(['sealed', 'used'] as const).map((condition) => ({
      kind: 'sale',
      source: 'market',
      source_id: `herald ${condition}`,
      item_type: 'minifig',
      item: 'cas009',
      condition,
      price: condition === 'sealed' ? 25 : 10,
      sold_at: '2026-11-10T12:00:00Z',
    })),
  ]);
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com', { allowance: 100_000 });
});

afterAll(() => world.close());

async function dataOf<T>(path: string, callKey = key): Promise<T> {
  const response = await world.call(`${plusPrefix}${path}`, callKey);
  const body = (await response.json()) as { data: T };
  expect([path, response.status]).toEqual([path, 200]);
  return body.data;
}

async function refusal(path: string): Promise<[number, string]> {
  const response = await world.call(`${plusPrefix}${path}`, key);
  const { error } = (await response.json()) as { error: { message: string } };
  return [response.status, error.message];
}

describe('the document', () => {
  test('is served without a key, has its prefix, and nothing of the contract', async () => {
    const response = await fetch(`${world.url}${plusPrefix}/openapi.json`);
    expect(await response.json()).toEqual(plusOpenApiDocument(world.url));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const contract = await (await fetch(`${world.url}/openapi.json`)).text();
    expect(contract).not.toContain('max-buy');
  });

  test('is linked from the 404 of an unknown path; version 1 links its own', async () => {
    expect(await refusal('/nothing')).toEqual([
      404,
      `There is nothing here; ${plusPrefix}/openapi.json lists what is under ${plusPrefix}.`,
    ]);
    const response = await world.call('/max-buy?set=75192', key);
    expect(await response.text()).toContain('/openapi.json lists what is under /api/v1.');
  });
});

describe('max-buy', () => {
  test('requires exactly one item', async () => {
    const one = "Give exactly one of 'set' and 'minifig'; got";
    expect(await refusal('/max-buy')).toEqual([400, `${one} neither.`]);
    expect(await refusal('/max-buy?set=75192&minifig=cas001')).toEqual([400, `${one} both.`]);
    expect(await refusal('/max-buy?set=404404')).toEqual([404, "There is no set '404404'."]);
    expect(await refusal('/max-buy?minifig=x')).toEqual([404, "There is no minifig 'x'."]);
  });

  test('a set is sealed and a minifig is used by default', async () => {
    const conditionOf = async (query: string) =>
      (await dataOf<MaxBuy>(`/max-buy?${query}`)).condition;
    expect(await conditionOf('set=75192')).toBe('sealed');
    expect(await conditionOf('set=75192&condition=used')).toBe('used');
    expect(await conditionOf('minifig=cas001')).toBe('used');
  });

  test('a sealed minifig without a value has the reason', async () => {
    const data = await dataOf<MaxBuy>('/max-buy?minifig=cas001&condition=sealed');
    expect(data).toMatchObject({ value_usd: null, reason: 'no_value', channels: [] });
    expect(data.data_tier).toBeNull();
  });

  test('a sealed minifig has the value of its evidence, also in a box', async () => {
    const { value_usd, range } = (await dataOf<ItemEvidence>('/minifig/cas009/evidence')).sealed;
    expect(value_usd).toBe(25);
    const answer = await dataOf<MaxBuy>('/max-buy?minifig=cas009&condition=sealed');
    expect(answer).toMatchObject({ condition: 'sealed', value_usd, reason: null });
    expect(answer.data_tier).not.toBe('modeled');
    expect(answer.channels.map(({ max_buy_usd }) => max_buy_usd)).not.toContain(null);
    const used = await dataOf<MaxBuy>('/max-buy?minifig=cas009');
    expect([used.condition, used.value_usd]).toEqual(['used', 10]);
    const items = [{ minifig: 'cas009', condition: 'sealed', quantity: 2 }, { minifig: 'cas009' }];
    const response = await world.call(`${plusPrefix}/evaluate`, key, batch({ items }));
    const { data } = (await response.json()) as { data: Evaluation };
    expect(data.items.map(({ unit_value_usd }) => unit_value_usd)).toEqual([value_usd, 10]);
    expect(data.summary).toMatchObject({ units_valued: 3, sum_of_values_usd: 60 });
    const alone = { items: [{ minifig: 'cas009', condition: 'sealed' }] };
    const one = await world.call(`${plusPrefix}/evaluate`, key, batch(alone));
    const { summary } = ((await one.json()) as { data: Evaluation }).data;
    expect({ low: summary.low_usd, high: summary.high_usd }).toEqual(range as never);
  });

  test('an alias or a variant of the number gets the canonical one', async () => {
    expect((await dataOf<MaxBuy>('/max-buy?set=75192-1')).number).toBe('75192');
    expect((await dataOf<MaxBuy>('/max-buy?minifig=FIG-000001')).number).toBe('cas001');
  });

  test('a modeled value is shown, without a max buy price', async () => {
    const data = await dataOf<MaxBuy>('/max-buy?set=6002');
    expect(data).toMatchObject({ value_usd: 30, data_tier: 'modeled', reason: 'modeled_value' });
    expect(new Set(data.channels.map((channel) => channel.max_buy_usd))).toEqual(new Set([null]));
  });

  test("Amazon's fees that depend on how you sell are named, not charged", async () => {
    const { channels } = await dataOf<MaxBuy>('/max-buy?set=75192');
    const named = channels.filter(({ not_included }) => not_included.length > 0);
    expect(named.map(({ channel, not_included }) => [channel, not_included])).toEqual([
      ['amazon', ['selling_plan']],
      ['fba', ['selling_plan', 'inbound_placement']],
    ]);
  });

  test('one channel can be requested, also one that is not compared; fba needs a box', async () => {
    const ask = async (query: string) => dataOf<MaxBuy>(`/max-buy?${query}`);
    for (const channel of ['ebay', 'fba', 'other']) {
      const data = await ask(`set=75192&channel=${channel}`);
      expect(data.channels.map((each) => each.channel)).toEqual([channel] as never);
      expect(data.best_channel).toBe(channel as never);
    }
    const boxless = await ask('set=75192&condition=used&channel=fba');
    expect(boxless).toMatchObject({ reason: 'unknown_box', best_channel: null, channels: [] });
  });

  test('the lines of every channel add up, and the margin is on cost', async () => {
    const { channels } = await dataOf<MaxBuy>('/max-buy?set=75192&margin_pct=50&share=0.5');
    for (const { price_usd, fees_usd, postage_usd, net_usd, max_buy_usd } of channels) {
      expect(Math.round((price_usd - fees_usd - postage_usd) * 100)).toBe(
        Math.round(net_usd * 100),
      );
      const most = Math.round((max_buy_usd ?? 0) * 100);
      expect(Math.ceil(most * 1.5)).toBeLessThanOrEqual(Math.round(net_usd * 100));
      expect(Math.ceil((most + 1) * 1.5)).toBeGreaterThan(Math.round(net_usd * 100));
    }
  });
});

describe('deals', () => {
  const found = async (query = '') => {
    const { deals, pagination } = await dataOf<DealPage>(`/deals?min_tier=low${query}`);
    expect(pagination.total).toBeGreaterThanOrEqual(deals.length);
    return deals.map((deal) => [deal.set_number, deal.retailer, deal.price_usd]);
  };
  const cheap = ['8001', 'retailer_a', 30];
  const third = ['8001', 'retailer_b', 40.5];

  test('are offers up to the max buy price, by profit per month', async () => {
    expect(await found()).toEqual([cheap, third]);
    const { deals } = await dataOf<DealPage>('/deals?min_tier=low');
    const { channels } = await dataOf<MaxBuy>('/max-buy?set=8001&channel=ebay');
    const half = await dataOf<MaxBuy>('/max-buy?set=8001&channel=ebay&share=0.5');
    const net = half.channels[0]?.net_usd ?? 0;
    expect(deals[1]).toEqual({
      set_number: '8001',
      title: 'Set 8001',
      theme: deals[0]?.theme ?? '',
      retailer: 'retailer_b',
      price_usd: 40.5,
      max_buy_usd: channels[0]?.max_buy_usd ?? -1,
      best_channel: 'ebay',
      net_usd: net,
      profit_usd: Math.round((net - 40.5) * 100) / 100,
      roi_pct: Math.round(((net - 40.5) / 40.5) * 10_000) / 100,
      wait_days: channels[0]?.wait_days ?? -1,
      // At the unrounded time to sell of 64.68 days.
      profit_per_month_usd: Math.round(((net - 40.5) * 30 * 100) / 64.68) / 100,
      part_out_ratio: null,
      warnings: ['stale_price', 'third_party_seller', 'low_tier', 'guessed_postage'],
      observed_at: '2026-11-13T11:00:00.000Z',
      product_url: 'https://retailer-b.example.com/8001',
    });
  });

  test('satisfy every filter, with inclusive bounds', async () => {
    const [profit = 0, roi = 0] = await dataOf<DealPage>('/deals?min_tier=low').then(
      ({ deals }) => {
        return [deals[0]?.profit_usd, deals[0]?.roi_pct];
      },
    );
    expect(await found('&retailer=retailer_b')).toEqual([third]);
    expect(await found('&max_price_usd=40.49')).toEqual([cheap]);
    expect(await found('&max_price_usd=40.5')).toEqual([cheap, third]);
    expect(await found(`&min_profit_usd=${profit}`)).toEqual([cheap]);
    expect(await found(`&min_roi_pct=${roi}`)).toEqual([cheap]);
    expect(await found('&theme=Nothing')).toEqual([]);
    expect(await found('&status_id=1')).toEqual([]);
    expect((await dataOf<DealPage>('/deals')).deals).toEqual([]);
  });

  test('depend on share and margin, and are paged', async () => {
    expect(await found('&margin_pct=100&share=0.95')).toEqual([cheap]);
    expect(await found('&limit=1&offset=1')).toEqual([third]);
    const { pagination } = await dataOf<DealPage>('/deals?min_tier=low&limit=1');
    expect(pagination).toEqual({ total: 2, limit: 1, offset: 0, has_more: true });
  });
});

describe('the settings of an account', () => {
  test('apply to its own responses only; share and margin of a call take precedence', async () => {
    const email = 'settings@example.com';
    await world.addAccount(email);
    const own = await world.addKey(email);
    const path = '/max-buy?set=75192&channel=ebay';
    const before = await dataOf<MaxBuy>(path);
    expect(await dataOf<MaxBuy>(path, own)).toEqual(before);
    const limits = async (whose: string) => {
      const box = batch({ items: [{ set: '8001' }] });
      const response = await world.call(`${plusPrefix}/evaluate`, whose, box);
      const { data } = (await response.json()) as { data: Evaluation };
      const { deals } = await dataOf<DealPage>('/deals?min_tier=low', whose);
      return [data.summary.max_bid_usd ?? 0, deals[0]?.max_buy_usd ?? 0] as const;
    };
    const [bid, dealMost] = await limits(own);
    const id = (await world.store.accounts.findAccount(email, world.now))?.id ?? 0;
    const ownRates = [{ platform: 'ebay' as const, basisPoints: 1000, feeCents: 0 }];
    const settings = { ...usualSettings, share: 0.9, marginBasisPoints: 100, ownRates };
    await world.store.accounts.saveBuyingSettings(id, { ...settings, taxBasisPoints: 1000 });
    const after = await dataOf<MaxBuy>(path, own);
    expect(after).toMatchObject({ share: 0.8, margin_pct: 25 });
    const [channel] = after.channels;
    const price = channel?.price_usd ?? 0;
    expect(price).toBe(before.channels[0]?.price_usd ?? -1);
    expect(channel?.fees_usd).toBe(Math.round(price * 10) / 100);
    // 10% tax, and a margin of 25% on cost.
    const most = ((channel?.net_usd ?? 0) / 1.25 / 1.1) * 100;
    expect(Math.abs((channel?.max_buy_usd ?? 0) * 100 - most)).toBeLessThan(2);
    const [ownBid, ownDealMost] = await limits(own);
    expect([ownBid < bid, ownDealMost < dealMost]).toEqual([true, true]);
    expect(await limits(key)).toEqual([bid, dealMost]);
    expect(await dataOf<MaxBuy>(path)).toEqual(before);
  });
});

describe('evaluate', () => {
  const path = `${plusPrefix}/evaluate`;
  const used = async (email: string) =>
    (await world.store.accounts.listKeys(email, world.now))?.[0]?.usedToday;
  const evaluate = async (body: unknown) => {
    const response = await world.call(path, key, batch(body));
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: Evaluation }).data;
  };

  test('costs one call per item and condition, all or nothing', async () => {
    const email = 'boxes@example.com';
    await world.addAccount(email);
    const small = await world.addKey(email, { allowance: 5 });
    const items = [
      { set: '75192' },
      { set: '75192-1', quantity: 3 },
      { set: '75192', condition: 'used' },
      { set: '404404' },
    ];
    expect((await world.call(path, small, batch({ items }))).status).toBe(200);
    expect(await used(email)).toBe(3);
    const refused = await world.call(path, small, batch({ items }));
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('needs 3 of the daily allowance of 5 calls and 2 are');
    expect(await used(email)).toBe(3);
  });

  test('merges duplicates, keeps the order, and lists unknown items', async () => {
    const { items, summary } = await evaluate({
      items: [{ minifig: 'fig-000001' }, { set: '404404' }, { minifig: 'cas001', quantity: 2 }],
    });
    expect(items).toEqual([
      {
        item_type: 'minifig',
        number: 'cas001',
        title: 'Knight of the Café',
        condition: 'used',
        quantity: 3,
        found: true,
        unit_value_usd: 8,
        total_value_usd: 24,
        data_tier: 'low',
        cost_usd: null,
      },
      {
        item_type: 'set',
        number: '404404',
        title: null,
        condition: 'sealed',
        quantity: 1,
        found: false,
        unit_value_usd: null,
        total_value_usd: null,
        data_tier: null,
        cost_usd: null,
      },
    ]);
    expect(summary).toMatchObject({ units: 4, units_valued: 3, sum_of_values_usd: 24 });
    expect(summary.profit_usd).toBeNull();
  });

  test('one unit has the published range of its set, and the price of half of its sales', async () => {
    const { summary } = await evaluate({ items: [{ set: '75192' }] });
    const response = await world.call('/set/75192', key);
    const { data } = (await response.json()) as { data: SetRecord };
    const { low, high } = data.value_range ?? {};
    const half = await dataOf<MaxBuy>('/max-buy?set=75192&channel=ebay&share=0.5');
    const range = [summary.low_usd, summary.median_usd, summary.high_usd];
    expect(range as unknown[]).toEqual([low, half.channels[0]?.price_usd, high]);
  });

  test('a share can have four decimals', async () => {
    const bid = async (share: number) =>
      (await evaluate({ items: [{ set: '75192' }], share })).summary.max_bid_usd;
    expect(await bid(0.5765)).toBeLessThan((await bid(0.5)) ?? 0);
  });

  test('of a box of unknown items is null except for the counts', async () => {
    const { summary } = await evaluate({ items: [{ set: '404404' }, { set: '7001' }] });
    const known = { units: 2, units_valued: 0, sum_of_values_usd: 0 };
    const unknown = { low_usd: null, median_usd: null, high_usd: null, max_bid_usd: null };
    expect(summary).toEqual({ ...known, ...unknown, best_channel: null, profit_usd: null });
  });

  test.each([0, 0.01, 100, 123.45])('a cost of %p is split to the cent', async (cost) => {
    const sets = ['75192', '404404', '6002', '7001'].map((set) => ({ set, quantity: 3 }));
    const { items } = await evaluate({ items: sets, cost_usd: cost });
    expect(items.map(({ cost_usd }) => cost_usd === null)).toEqual([false, true, false, false]);
    const cents = items.reduce((sum, item) => sum + Math.round((item.cost_usd ?? 0) * 100), 0);
    expect(cents).toBe(Math.round(cost * 100));
  });

  test('100 unique items are accepted, however often they are repeated', async () => {
    const items = Array.from({ length: 300 }, (_, index) => ({ set: `${20_000 + (index % 100)}` }));
    expect((await evaluate({ items })).items).toHaveLength(100);
  });

  const one = { set: '75192' };
  test.each([
    ['an empty body', {}, "In the body, 'items' is missing."],
    ['no items', { items: [] }, "'items' must not be empty"],
    ['an item without a number', { items: [one, {}] }, "In 'items.1', give exactly one of"],
    ['both numbers', { items: [{ ...one, minifig: 'a' }] }, "one of 'set' and 'minifig'"],
    [
      'a set number that is not a string',
      { items: [{ set: 75192 }] },
      "'items.0.set' must be a string of 1 to 64 characters",
    ],
    [
      'an unknown field',
      { items: [{ set: '1', quantiy: 1 }] },
      "Unknown property 'quantiy' in 'items.0'; did you mean 'quantity'?",
    ],
    [
      'an unknown property',
      { items: [one], cost: 1 },
      "'cost' in the body; did you mean 'cost_usd'?",
    ],
    [
      'no units',
      { items: [{ ...one, quantity: 0 }] },
      "'items.0.quantity' must be a whole number from 1 to 10000",
    ],
    [
      'half a unit',
      { items: [{ ...one, quantity: 1.5 }] },
      'must be a whole number from 1 to 10000',
    ],
    [
      'too many units',
      { items: [{ ...one, quantity: 10_001 }] },
      'must be a whole number from 1 to 10000',
    ],
    [
      'another condition',
      { items: [{ ...one, condition: 'new' }] },
      "'items.0.condition' must be one of sealed, used",
    ],
    ['a negative cost', { items: [one], cost_usd: -1 }, "'cost_usd' must be a number from 0 to"],
    ['a fraction of a cent', { items: [one], cost_usd: 1.234 }, "'cost_usd' must have at most two"],
    ['a cost as text', { items: [one], cost_usd: '1' }, "'cost_usd' must be a number from 0 to"],
    [
      'a share that is too low',
      { items: [one], share: 0.4 },
      "'share' must be a number from 0.5 to 0.95",
    ],
    [
      'a share with five decimals',
      { items: [one], share: 0.81234 },
      "'share' must have at most four",
    ],
    [
      'a margin that is too high',
      { items: [one], margin_pct: 500.01 },
      "'margin_pct' must be a number from 0 to 500",
    ],
    [
      'more than 100 unique items',
      { items: Array.from({ length: 101 }, (_, index) => ({ set: `${index + 1}` })) },
      'The box has 101 unique items; at most 100 are allowed.',
    ],
    [
      'more than 100,000 units, in repeated items',
      { items: Array.from({ length: 11 }, () => ({ ...one, quantity: 10_000 })) },
      'The box has 110000 units; at most 100000 are allowed.',
    ],
  ])('%s is 400 at no cost, with the reason', async (_, body, why) => {
    const before = await used('caller@example.com');
    const response = await world.call(path, key, batch(body));
    const { error } = (await response.json()) as { error: { message: string } };
    expect([response.status, error.message]).toEqual([400, expect.stringContaining(why)]);
    expect(await used('caller@example.com')).toBe(before);
  });
});

describe('evidence', () => {
  test('is found by every number of an item, and is 404 for an unknown one', async () => {
    const castle = await dataOf<ItemEvidence>('/set/75192-1/evidence');
    expect(castle).toMatchObject({ item_type: 'set', number: '75192', data_tier: 'high' });
    expect(castle.sealed).toMatchObject({ value_usd: 196, sales: { days_30: 6, ever: 14 } });
    expect(castle.tier_reasons[0]).toStartWith('Data tier high: 14 sealed sales in 90 days');
    const knight = await dataOf<ItemEvidence>('/minifig/fig-000001/evidence');
    expect([knight.number, knight.used.value_usd, knight.sealed.value_usd]).toEqual([
      'cas001',
      8,
      null,
    ]);
    expect(await refusal('/set/404404/evidence')).toEqual([404, "There is no set '404404'."]);
  });
});

describe('usage', () => {
  test('agrees with the rate headers, and has 30 days with today last', async () => {
    await world.addAccount('days@example.com');
    const days = await world.addKey('days@example.com', { allowance: 10 });
    await world.call('/set/75192', days);
    world.now += dayMs;
    await world.call('/set/75192', days);
    await world.call('/set/404404', days);
    const response = await world.call(`${plusPrefix}/usage`, days);
    const { data, meta } = (await response.json()) as { data: Usage; meta: { rate_limit: object } };
    const { days: told, used, ...rate } = data;
    expect(rate as object).toEqual(meta.rate_limit);
    expect([rate.remaining, used, told.length]).toEqual([8, 2, 30]);
    expect(told.slice(-2)).toEqual([
      { date: '2026-11-15', used: 1 },
      { date: '2026-11-16', used: 2 },
    ]);
    expect(told[0]).toEqual({ date: '2026-10-18', used: 0 });
    world.now -= dayMs;
  });

  test('is that of the calling key, including keys that it replaced', async () => {
    const email = 'places@example.com';
    await world.addAccount(email);
    for (let place = 0; place < 5; place++) {
      const spender = await world.addKey(email, { allowance: 100 });
      for (let calls = 0; calls < 2; calls++) await world.call('/catalog/themes', spender);
      const [last] = ((await world.store.accounts.listKeys(email, world.now)) ?? []).slice(-1);
      await keysById(world.store.accounts).revokeKey(last?.id ?? 0, world.now);
    }
    const fresh = await world.addKey(email, { allowance: 100 });
    await world.call('/catalog/themes', fresh);
    const { used, days } = await dataOf<Usage>('/usage', fresh);
    expect([used, days.at(-1)?.used]).toEqual([3, 1]);
  });

  test('is available when the allowance was lowered below the usage', async () => {
    await world.addAccount('lowered@example.com');
    const lowered = await world.addKey('lowered@example.com', { allowance: 5 });
    for (let calls = 0; calls < 3; calls++) await world.call('/catalog/themes', lowered);
    const [listed] = (await world.store.accounts.listKeys('lowered@example.com', world.now)) ?? [];
    await keysById(world.store.accounts).setAllowance(listed?.id ?? 0, 2);
    expect(await dataOf<Usage>('/usage', lowered)).toMatchObject({
      limit: 2,
      used: 3,
      remaining: 0,
    });
  });
});

describe('events', () => {
  const events = (query = '', callKey = key) => dataOf<EventPage>(`/events${query}`, callKey);
  const offer = (price: number, set_number = '75192') => ({
    kind: 'offer',
    retailer: 'retailer_b',
    set_number,
    observed_at: formatInstant(world.now),
    price,
    in_stock: true,
    seller_type: 'third_party',
  });
  const sale = (item_type: string, item: string, price: number) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${item} for ${price}`,
    item_type,
    item,
    condition: 'used',
    price,
    currency: 'USD',
    sold_at: formatInstant(world.now),
  });
  let from: number;
  let holderKey: string;

  beforeAll(async () => {
    await world.addAccount('holder@example.com');
    holderKey = await world.addKey('holder@example.com');
    await world.load([...smallCollection('holder@example.com'), offer(180), offer(50, '6001')]);
    ({ next: from } = await events());
    world.now += hourMs;
    await world.load([offer(153), offer(40, '6001'), sale('minifig', 'cas001', 99)]);
  });

  test('without `after` start now: the response has the position', async () => {
    const { next } = await events();
    expect(await events()).toEqual({ events: [], next, has_more: false });
    expect(next).toBeGreaterThan(from);
    expect(await events(`?after=${next}`)).toEqual({ events: [], next, has_more: false });
  });

  test('have the published data now and before, in order of position', async () => {
    const page = await events(`?after=${from}`);
    expect(page.events.map(({ number, kind }) => `${number} ${kind}`)).toEqual([
      'cas001 value.move',
      '75192 retail.price',
      '75192 retail.low',
      '6001 retail.price',
      '6001 retail.low',
    ]);
    const [knight, castle] = page.events;
    expect(knight).toMatchObject({
      item_type: 'minifig',
      retailer: null,
      before: { current_value_usd: 8 },
      after: { current_value_usd: 99 },
    });
    expect(castle).toEqual({
      position: world.now * 1_000 + 1,
      at: formatInstant(world.now),
      kind: 'retail.price',
      item_type: 'set',
      number: '75192',
      title: 'Grand Castle',
      retailer: 'retailer_b',
      before: { price_usd: 180 },
      after: {
        price_usd: 153,
        has_offer: true,
        seller_type: 'third_party',
        in_stock: true,
        change_pct: -15,
        at_lowest: true,
        new_value_usd: 196,
        below_value_pct: 21.94,
      },
    });
    const positions = page.events.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect([page.next, page.has_more]).toEqual([positions.at(-1) ?? 0, false]);
  });

  test('can be filtered by kind and by holdings, and paged', async () => {
    const of = async (query: string, callKey = key) => {
      const page = await events(`?after=${from}${query}`, callKey);
      return page.events.map(({ number, kind }) => `${number} ${kind}`);
    };
    expect(await of('&kinds=value.move,value.tier')).toEqual(['cas001 value.move']);
    expect(await of('&scope=holdings')).toEqual([]);
    expect(await of('&scope=holdings&kinds=retail.price', holderKey)).toEqual([
      '75192 retail.price',
    ]);
    const first = await events(`?after=${from}&limit=2`);
    expect([first.events.length, first.has_more]).toEqual([2, true]);
    const rest = await events(`?after=${first.next}&limit=250`);
    expect([rest.events.length, rest.has_more]).toEqual([3, false]);
  });

  test('of watched items are those on the caller’s lists as they are now', async () => {
    const { accounts } = world.store;
    const watched = async (callKey = holderKey) => {
      const page = await events(`?after=${from}&scope=watch&kinds=retail.low,value.move`, callKey);
      return page.events.map(({ number, kind }) => `${number} ${kind}`);
    };
    const owner = (await accounts.findAccount('holder@example.com', world.now))?.id ?? 0;
    expect(await watched()).toEqual([]);
    const made = await accounts.addWatchList(owner, { name: 'Wanted', at: world.now });
    const listId = typeof made === 'object' ? made.id : 0;
    const watch = (kind: 'set' | 'minifig', key: string) => {
      const items = [{ kind, key, number: key, targetCents: null, note: '' }];
      return accounts.saveWatchedItems(owner, listId, { items, at: world.now });
    };
    await watch('set', '6001');
    await watch('minifig', '75192');
    expect(await watched()).toEqual(['6001 retail.low']);
    expect(await watched(key)).toEqual([]);
    // A number of the minifig other than that of its events.
    await watch('minifig', 'fig-000001');
    expect(await watched()).toEqual(['cas001 value.move', '6001 retail.low']);
    await accounts.removeWatchList(owner, listId);
    expect(await watched()).toEqual([]);
  });

  test('with an unknown kind, scope or limit are 400', async () => {
    for (const query of ['kinds=retail', 'kinds=', 'scope=watched', 'limit=251', 'after=-1']) {
      expect((await refusal(`/events?${query}`))[0]).toBe(400);
    }
    const [, message] = await refusal('/events?kinds=retail.price,x');
    expect(message).toStartWith("The query parameter 'kinds' must be some of retail.price,");
  });

  test('that are no longer kept are 400 with the oldest position, at no cost', async () => {
    const { next } = await events();
    await world.store.market.pruneEvents(world.now + 1, 1_000);
    const used = async () => (await dataOf<Usage>('/usage')).used;
    const before = await used();
    const message = (after: number) =>
      `Events up to position ${next} are no longer kept; ` +
      `'after' must be at least ${next}, not ${after}.`;
    expect(await refusal(`/events?after=${next - 1}`)).toEqual([400, message(next - 1)]);
    expect(await refusal('/events?after=0&scope=holdings')).toEqual([400, message(0)]);
    expect(await used()).toBe(before);
    expect(await events(`?after=${next}`)).toEqual({ events: [], next, has_more: false });
  });
});
