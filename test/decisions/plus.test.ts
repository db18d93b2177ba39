/** The decisions about what is answered beside the contract, one test for each. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { plusPrefix } from '../../src/contract/limits.ts';
import { plusOpenApiDocument } from '../../src/contract/openapi.ts';
import type { ItemEvidence } from '../../src/contract/plus/evidence.ts';
import type { MaxBuy } from '../../src/contract/plus/max-buy.ts';
import type { Usage } from '../../src/contract/plus/usage.ts';
import { dayMs } from '../../src/domain/kernel/time.ts';
import { smallMarket } from '../support/market.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
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
  test('is served without a key, names its prefix, and has nothing of the contract', async () => {
    const response = await fetch(`${world.url}${plusPrefix}/openapi.json`);
    expect(await response.json()).toEqual(plusOpenApiDocument(world.url));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const contract = await (await fetch(`${world.url}/openapi.json`)).text();
    expect(contract).not.toContain('max-buy');
  });

  test('is what an unknown path is told of; version 1 goes on to tell of its own', async () => {
    expect(await refusal('/nothing')).toEqual([
      404,
      `There is nothing here; ${plusPrefix}/openapi.json lists what is under ${plusPrefix}.`,
    ]);
    const response = await world.call('/max-buy?set=75192', key);
    expect(await response.text()).toContain('/openapi.json lists what is under /api/v1.');
  });
});

describe('max-buy', () => {
  test('names exactly one item', async () => {
    const both = "Give exactly one of 'set' and 'minifig'.";
    expect(await refusal('/max-buy')).toEqual([400, both]);
    expect(await refusal('/max-buy?set=75192&minifig=cas001')).toEqual([400, both]);
    expect(await refusal('/max-buy?set=404404')).toEqual([404, "There is no set '404404'."]);
    expect(await refusal('/max-buy?minifig=x')).toEqual([404, "There is no minifig 'x'."]);
  });

  test('a set is sealed and a minifig is used, unless the query says otherwise', async () => {
    const conditionOf = async (query: string) =>
      (await dataOf<MaxBuy>(`/max-buy?${query}`)).condition;
    expect(await conditionOf('set=75192')).toBe('sealed');
    expect(await conditionOf('set=75192&condition=used')).toBe('used');
    expect(await conditionOf('minifig=cas001')).toBe('used');
  });

  test('a minifig has no value as sealed, and says so', async () => {
    const data = await dataOf<MaxBuy>('/max-buy?minifig=cas001&condition=sealed');
    expect(data).toMatchObject({ value_usd: null, reason: 'no_value', channels: [] });
  });

  test('an alias and a variant of the number are answered with the canonical one', async () => {
    expect((await dataOf<MaxBuy>('/max-buy?set=75192-1')).number).toBe('75192');
    expect((await dataOf<MaxBuy>('/max-buy?minifig=FIG-000001')).number).toBe('cas001');
  });

  test('a modeled value is told, and nothing is to be paid for it', async () => {
    const data = await dataOf<MaxBuy>('/max-buy?set=6002');
    expect(data).toMatchObject({ value_usd: 30, data_tier: 'modeled', reason: 'modeled_value' });
    expect(new Set(data.channels.map((channel) => channel.max_buy_usd))).toEqual(new Set([null]));
  });

  test('one channel can be asked for, also one that is not compared; fba needs a box', async () => {
    const ask = async (query: string) => dataOf<MaxBuy>(`/max-buy?${query}`);
    for (const channel of ['ebay', 'fba', 'other']) {
      const data = await ask(`set=75192&channel=${channel}`);
      expect(data.channels.map((each) => each.channel)).toEqual([channel] as never);
      expect(data.best_channel).toBe(channel as never);
    }
    const boxless = await ask('set=75192&condition=used&channel=fba');
    expect(boxless).toMatchObject({ reason: 'unknown_box', best_channel: null, channels: [] });
  });

  test('every line of a channel adds up, and the margin is on cost', async () => {
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

describe('evidence', () => {
  test('is found by every number of an item, and is 404 for one that is not there', async () => {
    const castle = await dataOf<ItemEvidence>('/set/75192-1/evidence');
    expect(castle).toMatchObject({ item_type: 'set', number: '75192', data_tier: 'high' });
    expect(castle.sealed).toMatchObject({ value_usd: 196, sales: { days_30: 6, ever: 14 } });
    expect(castle.tier_reasons[0]).toStartWith('Data tier high: sealed sales are');
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
  test('is what the rate headers say, and each of 30 days, today last', async () => {
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

  test('is of the key that asks, and counts what keys before it in its place spent', async () => {
    const email = 'places@example.com';
    await world.addAccount(email);
    for (let place = 0; place < 5; place++) {
      const spender = await world.addKey(email, { allowance: 100 });
      for (let calls = 0; calls < 2; calls++) await world.call('/catalog/themes', spender);
      const [last] = ((await world.store.accounts.listKeys(email, world.now)) ?? []).slice(-1);
      await world.store.accounts.revokeKey(last?.id ?? 0, world.now);
    }
    const fresh = await world.addKey(email, { allowance: 100 });
    await world.call('/catalog/themes', fresh);
    const { used, days } = await dataOf<Usage>('/usage', fresh);
    expect([used, days.at(-1)?.used]).toEqual([3, 1]);
  });

  test('is answered when an allowance was lowered below what was spent', async () => {
    await world.addAccount('lowered@example.com');
    const lowered = await world.addKey('lowered@example.com', { allowance: 5 });
    for (let calls = 0; calls < 3; calls++) await world.call('/catalog/themes', lowered);
    const [listed] = (await world.store.accounts.listKeys('lowered@example.com', world.now)) ?? [];
    await world.store.accounts.setAllowance(listed?.id ?? 0, 2);
    expect(await dataOf<Usage>('/usage', lowered)).toMatchObject({
      limit: 2,
      used: 3,
      remaining: 0,
    });
  });
});
