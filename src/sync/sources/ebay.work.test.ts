/** eBay's connector against a simulated server. */
import { describe, expect, test } from 'bun:test';
import { simulateEbay } from '../../../simulator/sources/ebay.ts';
import { readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readAt, readOptions } from '../../../test/support/read-options.ts';
import { clientOf, connectionDeps } from '../../../test/support/source-client.ts';
import {
  type AskedItem,
  makeMarket,
  marketSale,
  plannerOf,
} from '../../../test/support/source-market.ts';
import { ebaySales } from '../../ingest/market/ebay-sales.work.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import type { Answer } from '../connector.work.ts';
import { Secret } from '../secret.ts';
import { ebaySource } from './ebay.work.ts';

interface Given {
  readonly sales?: ReturnType<typeof marketSale>[];
  readonly items?: readonly AskedItem[];
  readonly rules?: { isAdmitted?: boolean; callsPerDay?: number; clientSecret?: string };
}

const sold = (given: Parameters<typeof marketSale>[0] = {}) =>
  marketSale({ channel: 'fixed', ...given });

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    sold({ sourceId: String(index), soldAt: readAt - dayMs - index * 1000 }),
  );

function setUp({ sales = [sold()], items = [{ number: '10482' }], rules = {} }: Given = {}) {
  const time = { now: readAt };
  const clock = () => time.now;
  const server = simulateEbay(
    { market: makeMarket({ sales }), clock },
    { clientId: 'app-1', clientSecret: 'secret-1', callsPerDay: 5000, ...rules },
  );
  const client = clientOf(server);
  const connector = ebaySource.connect(
    {
      url: new URL('https://api.example.com/'),
      clientId: new Secret('app-1'),
      clientSecret: new Secret('secret-1'),
      callsPerDay: 5000,
      everyMs: 20 * hourMs,
      marketplace: 'EBAY_US',
    },
    { ...connectionDeps, clock },
  );
  const planner = plannerOf(items);
  const plan = (cursor: JsonValue = null, limit = 10) =>
    connector.plan({ source: 'ebay', cursor, at: time.now, limit, planner, left: 5000 });
  const searches = () => client.sent.filter(({ method }) => method !== 'POST');
  return { time, client, connector, plan, searches };
}

/** Prices and reject reasons of imported responses. */
async function imported(answers: readonly Answer[]) {
  const files = answers.flatMap((answer) => answer.files);
  const { store } = readOptions();
  const set = {
    number: '10482',
    title: 'Set 10482',
    msrpCents: null,
    releaseDate: null,
    year: null,
  };
  const market = { ...store.market, findKnownSets: async () => new Map([['10482', set]]) };
  const items = await readFiles(
    ebaySales,
    Object.fromEntries(files.map(({ name, bytes }) => [name, Buffer.from(bytes)])),
    { options: readOptions({ store: { ...store, market } }) },
  );
  const sales = items.flatMap((item) =>
    'result' in item && 'row' in item.result && 'sale' in item.result.row
      ? [item.result.row.sale]
      : [],
  );
  return { sales, rejects: rejectsOf(items) };
}

test('a set is searched in both conditions, as far back as possible', async () => {
  const { plan, client, searches } = setUp();
  const { calls, nextAt } = await plan();
  expect(calls.map(({ subject, cost }) => [subject, cost])).toEqual([
    ['10482, sold-new', 1],
    ['10482, sold-used', 1],
  ]);
  expect(nextAt).toBe(readAt + hourMs);
  for (const call of calls) await call.ask(client);
  const [first, second] = searches();
  expect(first?.url.pathname).toBe('/buy/marketplace_insights/v1_beta/item_sales/search');
  expect(Object.fromEntries(first?.url.searchParams ?? [])).toEqual({
    q: 'lego,10482',
    category_ids: '19006',
    filter:
      'conditionIds:{1000|1500|1750},' +
      'lastSoldDate:[2026-08-17T12:00:00.000Z..2026-11-15T12:00:00.000Z]',
    limit: '200',
    offset: '0',
  });
  expect(first?.headers).toMatchObject({ 'x-ebay-c-marketplace-id': 'EBAY_US' });
  expect(second?.url.searchParams.get('filter')).toContain('{2000|2500|2750|3000|4000|5000|6000}');
});

test('a set is searched from shortly before the last search', async () => {
  const askedAt = readAt - 20 * dayMs;
  const { plan, client, searches } = setUp({ items: [{ number: '10482', askedAt }] });
  await (await plan()).calls[0]?.ask(client);
  expect(searches()[0]?.url.searchParams.get('filter')).toContain('[2026-10-23T12:00:00.000Z..');
});

test('a response is imported as sales; ambiguous titles are rejected', async () => {
  const sales = [
    sold({ sourceId: 'a', priceCents: 130_00, channel: 'auction' }),
    sold({ sourceId: 'b', priceCents: 250_00, quantity: 2 }),
    sold({ sourceId: 'c', condition: 'used', completeness: 'complete', priceCents: 80_00 }),
    sold({ sourceId: 'd', condition: 'used', completeness: 'incomplete' }),
    sold({ sourceId: 'e', soldAt: readAt - 100 * dayMs }),
    sold({ sourceId: 'f', channel: 'bricklink' }),
  ];
  const { plan, client } = setUp({ sales });
  const answers = await Promise.all((await plan()).calls.map((call) => call.ask(client)));
  const { sales: taken, rejects } = await imported(answers);
  expect(taken).toMatchObject([
    { condition: 'sealed', priceCents: 130_00, channel: 'auction' },
    { condition: 'used', priceCents: 80_00, completeness: 'complete' },
  ]);
  expect(rejects.map((reject) => reject.replace(/.*?: /, '').replace(/: '.*/, ''))).toEqual([
    'it may be for several sets',
    'something may be missing',
  ]);
});

describe('pages', () => {
  test('are fetched one after the other, and each is imported once', async () => {
    const { plan, client } = setUp({ sales: many(450) });
    const answers: Answer[] = [];
    let cursor: JsonValue = null;
    for (const call of (await plan()).calls) {
      const answer = await call.ask(client);
      answers.push(answer);
      cursor = answer.cursor ?? null;
    }
    expect(answers.map(({ hasMore }) => hasMore)).toEqual([true, true]);
    while (answers.at(-1)?.hasMore) {
      const [call] = (await plan(cursor, 1)).calls;
      expect(call?.questions).toEqual([]);
      const answer = await call?.ask(client);
      if (answer) answers.push(answer);
      cursor = answer?.cursor ?? null;
    }
    expect(answers.flatMap(({ files }) => files.map(({ name }) => name))).toEqual([
      '10482.sold-new.0.json',
      '10482.sold-new.200.json',
      '10482.sold-new.400.json',
    ]);
    expect(new Set((await imported(answers)).sales.map(({ sourceId }) => sourceId)).size).toBe(450);
    expect(cursor).toEqual([]);
  });

  test('end after a thousand items', async () => {
    const { plan, client } = setUp({ sales: many(1300) });
    const page = { number: '10482', topic: 'sold-new', from: readAt - 9 * dayMs, to: readAt };
    const [call] = (await plan([{ ...page, offset: 800 }], 1)).calls;
    expect(call?.subject).toBe('10482, sold-new, page 5');
    expect(await call?.ask(client)).toMatchObject({ hasMore: false, cursor: [] });
    const [earlier] = (await plan([{ ...page, offset: 600 }], 1)).calls;
    expect(await earlier?.ask(client)).toMatchObject({ hasMore: true, cursor: [{ offset: 800 }] });
  });

  test('that eBay rejects are skipped', async () => {
    const page = { number: '10482', topic: 'sold-new', from: 1, to: readAt, offset: 200 };
    const { plan } = setUp();
    const [call] = (await plan([page], 1)).calls;
    const client = clientOf(({ url }) =>
      url.endsWith('token')
        ? Response.json({ access_token: 't', expires_in: 7200 })
        : Response.json({ errors: [{ errorId: 1 }] }, { status: 400 }),
    );
    expect(await call?.ask(client)).toEqual({ files: [], cursor: [] });
  });

  test('an invalid cursor is ignored', async () => {
    const { plan } = setUp();
    const page = { number: '7', topic: 'sold-new', from: 1, to: 2 };
    expect((await plan([{ number: 7 }, 'x', page])).calls).toHaveLength(2);
  });
});

test('a set with a number that cannot be in titles is not searched, at no cost', async () => {
  const { plan, client } = setUp({ items: [{ number: '71019-4' }] });
  const [call] = (await plan()).calls;
  expect(call?.cost).toBe(0);
  const unknown = [{ kind: 'set', key: '71019-4', topic: 'sold-new' }];
  expect(await call?.ask(client)).toMatchObject({ files: [], unknown });
  expect(client.sent).toEqual([]);
});

test('a search without results has no file', async () => {
  const { plan, client } = setUp({ sales: [] });
  const answer = await (await plan()).calls[0]?.ask(client);
  expect(answer).toMatchObject({ files: [], hasMore: false });
  expect(answer?.unknown).toBe(undefined);
});

test('a token is reused until it expires', async () => {
  const { time, plan, client, searches } = setUp();
  const [call] = (await plan()).calls;
  await call?.ask(client);
  await call?.ask(client);
  expect(client.sent).toHaveLength(3);
  time.now += 2 * hourMs;
  await call?.ask(client);
  expect(client.sent).toHaveLength(5);
  expect(searches()).toHaveLength(3);
});

describe('no answer', () => {
  const failure = async (given: Given) => {
    const { plan, client } = setUp(given);
    return (await plan()).calls[0]?.ask(client).catch((error: unknown) => error);
  };

  test('an application without access, or an unknown one, stops the source', async () => {
    const error = await failure({ rules: { isAdmitted: false } });
    expect(error).toMatchObject({ kind: 'stopped' });
    expect(String(error)).toContain('has no access to eBay Marketplace Insights');
    expect(await failure({ rules: { clientSecret: 'other' } })).toMatchObject({ kind: 'stopped' });
  });

  test('a rejected search is not tried again', async () => {
    const { plan } = setUp();
    const client = clientOf(({ url }) =>
      url.endsWith('token')
        ? Response.json({ access_token: 't', expires_in: 7200 })
        : Response.json({ errors: [] }, { status: 400 }),
    );
    await expect((await plan()).calls[0]?.ask(client)).rejects.toMatchObject({
      kind: 'item',
      message: 'eBay rejected the request.',
    });
  });

  test('beyond the daily limit is retried later', async () => {
    expect(await failure({ rules: { callsPerDay: 0 } })).toMatchObject({ kind: 'later' });
  });

  test('a rejected token is replaced; a rejected new token stops the source', async () => {
    const { plan } = setUp();
    let isGood = true;
    let tokens = 0;
    const client = clientOf(({ url }) => {
      const token = { access_token: `t${tokens}`, expires_in: 7200 };
      if (url.endsWith('token')) {
        tokens++;
        return Response.json(token);
      }
      return Response.json({ total: 0 }, { status: isGood ? 200 : 401 });
    });
    const [call] = (await plan()).calls;
    await call?.ask(client);
    isGood = false;
    await expect(call?.ask(client)).rejects.toMatchObject({ kind: 'later', retryAfterMs: 60_000 });
    isGood = true;
    await call?.ask(client);
    expect(tokens).toBe(2);
    isGood = false;
    await expect(call?.ask(client)).rejects.toMatchObject({ kind: 'later' });
    await expect(call?.ask(client)).rejects.toMatchObject({ kind: 'stopped' });
  });

  test.each(['<html>', '{}', '[]'])('%s is retried later', async (text) => {
    const { plan } = setUp();
    const client = clientOf(({ url }) =>
      url.endsWith('token')
        ? Response.json({ access_token: 't', expires_in: 7200 })
        : new Response(text),
    );
    await expect((await plan()).calls[0]?.ask(client)).rejects.toMatchObject({ kind: 'later' });
  });
});

test('a check requests a token and a search, and reports the connection', async () => {
  const { connector, client } = setUp();
  expect(await connector.check(client)).toBe(
    'Connected to eBay (EBAY_US). Limit: 5,000 calls a day.',
  );
  expect(client.sent).toHaveLength(2);
});

test('each condition is a topic of sets, with a reach of 85 days', () => {
  const { connector } = setUp();
  const topic = { kind: 'set', reachDays: 85, restDays: 20 / 24, needs: null };
  expect(connector.topics as unknown).toEqual([
    { ...topic, name: 'sold-new', condition: 'sealed' },
    { ...topic, name: 'sold-used', condition: 'used' },
  ]);
  expect(connector.budget).toEqual({ kind: 'day', calls: 5000 });
});

test('remaining pages replace questions', async () => {
  const { plan } = setUp({ items: [{ number: '10482' }, { number: '10483' }] });
  const page = { topic: 'sold-new', from: 1, to: 2 };
  const left = [200, 400].map((offset) => ({ ...page, number: '7', offset }));
  const subjects = async (limit: number) =>
    (await plan(left, limit)).calls.map(({ subject }) => subject);
  expect(await subjects(1)).toEqual(['7, sold-new, page 2']);
  expect(await subjects(2)).toEqual(['7, sold-new, page 2', '7, sold-new, page 3']);
  expect(await subjects(3)).toEqual([
    '7, sold-new, page 2',
    '7, sold-new, page 3',
    '10482, sold-new',
  ]);
  expect((await plan(left, 3)).nextAt).toBe(readAt);
  expect((await plan(null, 10)).nextAt).toBe(readAt + hourMs);
});

test.each([
  [{ next: 'x', total: 201 }, true],
  [{ next: 'x', total: 200 }, false],
  [{ total: 201 }, false],
])('a response with %j has a next page: %p', async (body, hasMore) => {
  const { plan } = setUp();
  const client = clientOf((request) =>
    request.url.endsWith('/token')
      ? Response.json({ access_token: 't', expires_in: 7200 })
      : Response.json({ ...body, itemSales: [{}] }),
  );
  const answer = await (await plan()).calls[0]?.ask(client);
  expect(answer?.hasMore).toBe(hasMore);
  expect(answer?.files).toHaveLength(1);
});

test.each(['123', '12345678', '10482a'])('%s cannot be in titles', async (number) => {
  const { plan } = setUp({ items: [{ number }] });
  expect((await plan()).calls.map(({ cost }) => cost)).toEqual([0, 0]);
});

test.each(['1234', '1234567'])('%s can be in titles', async (number) => {
  const { plan } = setUp({ items: [{ number }] });
  expect((await plan()).calls.map(({ cost }) => cost)).toEqual([1, 1]);
});
