/** Keepa's connector against a simulated server. */
import { describe, expect, test } from 'bun:test';
import { simulateKeepa } from '../../../simulator/sources/keepa.ts';
import { readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readAt, readOptions } from '../../../test/support/read-options.ts';
import { clientOf, connectionDeps } from '../../../test/support/source-client.ts';
import {
  type AskedItem,
  makeMarket,
  marketOffer,
  marketSet,
  plannerOf,
} from '../../../test/support/source-market.ts';
import { keepa } from '../../ingest/market/keepa.work.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { Offer } from '../../market/source-rows/source-rows.ts';
import { Secret } from '../secret.ts';
import { keepaSource } from './keepa.work.ts';

interface Given {
  readonly offers?: readonly Offer[];
  readonly items?: readonly AskedItem[];
  readonly key?: string;
  readonly tokens?: number;
  readonly perMinute?: number;
}

const harbour: AskedItem = { number: '10482', asin: 'B0HARBOUR1' };

function setUp(given: Given = {}) {
  const time = { now: readAt };
  const clock = () => time.now;
  const market = makeMarket({ offers: given.offers ?? [marketOffer()] });
  const { tokens, perMinute = 5 } = given;
  const server = simulateKeepa(
    { market, clock },
    {
      key: 'key-1',
      tokensPerMinute: perMinute,
      ...(tokens !== undefined && { tokensAtFirst: tokens }),
    },
  );
  const client = clientOf(server);
  const url = new URL('https://keepa.example.com/');
  const connector = keepaSource.connect(
    { url, key: new Secret(given.key ?? 'key-1'), everyMs: hourMs },
    { ...connectionDeps, clock },
  );
  const planner = plannerOf(given.items ?? [harbour]);
  const plan = (left: number | null, limit = 10) =>
    connector.plan({ source: 'keepa', cursor: null, at: time.now, limit, planner, left });
  return { time, client, connector, plan };
}

const many = (count: number): AskedItem[] =>
  Array.from({ length: count }, (_, index) => ({
    number: String(10_000 + index),
    asin: `B${String(index).padStart(9, '0')}`,
  }));

describe('a plan', () => {
  test('first requests the token level, which is free', async () => {
    const { plan, client } = setUp({ tokens: 42 });
    const first = await plan(null);
    expect(first.calls.map(({ subject, cost }) => [subject, cost])).toEqual([['tokens', 0]]);
    expect(await first.calls[0]?.ask(client)).toEqual({
      files: [],
      tokens: { left: 42, at: readAt, perMinute: 5 },
      hasMore: true,
    });
  });

  test.each([
    [300, [[100, 300]]],
    [301, [[100, 300]]],
    [
      453,
      [
        [100, 300],
        [51, 153],
      ],
    ],
    [60, [[20, 60]]],
    // Too few for a worthwhile call; the budget knows when there are enough.
    [10, [[20, 60]]],
    [-5, [[20, 60]]],
  ])('with %i tokens requests no more products than affordable', async (left, expected) => {
    const { plan } = setUp({ items: many(300) });
    const { calls } = await plan(left);
    expect(calls.map(({ questions, cost }) => [questions.length, cost])).toEqual(expected);
  });

  test('uses the ASIN if known, or else a barcode, and skips others', async () => {
    const items = [
      harbour,
      { number: '10483', barcodes: ['5702010000029', '0673419000024'] },
      { number: '10484' },
      { number: '10485', barcodes: ['5702010000043', '5702010000050'] },
    ];
    const { plan, client } = setUp({ items });
    const { calls } = await plan(300);
    expect(calls.map(({ subject }) => subject)).toEqual([
      '10482, offers',
      '10483 and 1 more, offers',
    ]);
    for (const call of calls) await call.ask(client);
    const asked = client.sent.map(({ url }) => Object.fromEntries(url.searchParams));
    // Complete histories of 100 products are large, and take a while.
    const limits = { bytesMax: 64 * 1024 * 1024, timeoutMs: 3 * minuteMs };
    expect(client.sent).toMatchObject([limits, limits]);
    expect(asked).toMatchObject([
      { asin: 'B0HARBOUR1', domain: '1', stats: '90', buybox: '1', history: '1' },
      // A UPC, or else the first barcode.
      { code: '673419000024,5702010000043' },
    ]);
  });

  test('is repeated after minutes, or an hour if there is nothing to ask', async () => {
    expect((await setUp().plan(300)).nextAt).toBe(readAt + 5 * minuteMs);
    expect((await setUp({ items: [] }).plan(300)).nextAt).toBe(readAt + 60 * minuteMs);
  });
});

describe('an answer', () => {
  test('is imported as the history of offers, and has the token level', async () => {
    const offers = [
      marketOffer({ observedAt: readAt - 9 * dayMs, priceCents: 11_999 }),
      marketOffer({ observedAt: readAt - 5 * dayMs, priceCents: 9_999 }),
      marketOffer({
        observedAt: readAt - 2 * dayMs,
        sellerType: 'third_party',
        priceCents: 15_000,
        buyBoxCents: 15_000,
      }),
      marketOffer({ observedAt: readAt + dayMs, priceCents: 1 }),
    ];
    const { plan, client } = setUp({ offers });
    const answer = await (await plan(300)).calls[0]?.ask(client);
    expect(answer?.tokens).toEqual({ left: 297, at: readAt, perMinute: 5 });
    expect(answer?.unknown).toEqual([]);
    const [file] = answer?.files ?? [];
    expect([file?.name, file?.format]).toEqual(['products-B0HARBOUR1.json', 'keepa']);
    const empty = readOptions();
    const market = { ...empty.store.market, listBarcodes: async () => [known] };
    const known = { number: '10482', upc: '673419000017', ean: null };
    const items = await readFiles(
      keepa,
      { 'a.json': Buffer.from(file?.bytes ?? []) },
      { options: readOptions({ store: { ...empty.store, market } }) },
    );
    expect(rejectsOf(items)).toEqual([]);
    const rows = items.flatMap((item) =>
      'result' in item && 'row' in item.result && 'offer' in item.result.row
        ? [item.result.row.offer]
        : [],
    );
    expect(rows.map(({ sellerType, priceCents }) => [sellerType, priceCents])).toEqual([
      ['retailer', 11_999],
      ['retailer', 9_999],
      ['third_party', 15_000],
      ['third_party', 15_000],
    ]);
  });

  test('marks unknown products, by ASIN and barcode', async () => {
    const items = [
      harbour,
      { number: '10483', asin: 'B0UNKNOWN1' },
      { number: '10484', barcodes: ['0673419000031'] },
    ];
    const { plan, client } = setUp({ items });
    const [byAsin, byCode] = (await plan(300)).calls;
    expect(await byAsin?.ask(client)).toMatchObject({
      files: [{ format: 'keepa' }],
      unknown: [{ kind: 'set', key: '10483', topic: 'offers' }],
    });
    expect(await byCode?.ask(client)).toMatchObject({
      files: [],
      unknown: [{ kind: 'set', key: '10484', topic: 'offers' }],
    });
  });

  test('is matched by barcode, which the store pads with a 0', async () => {
    const { plan, client } = setUp({ items: [{ number: '10482', barcodes: ['0673419000017'] }] });
    const answer = await (await plan(300)).calls[0]?.ask(client);
    expect(answer).toMatchObject({ files: [{ name: 'products-673419000017.json' }], unknown: [] });
  });

  test.each(['upcList', 'eanList', 'gtinList'])('is found by a UPC in %s', async (list) => {
    const { plan } = setUp({ items: [{ number: '10482', barcodes: ['0673419000017'] }] });
    const [call] = (await plan(300)).calls;
    const padded = {
      upcList: '673419000017',
      eanList: '0673419000017',
      gtinList: '00673419000017',
    };
    const products = [{ asin: 'B0HARBOUR1', [list]: [padded[list as keyof typeof padded]] }];
    const body = { products, tokensLeft: 9, refillRate: 5 };
    const answer = await call?.ask(clientOf(() => Response.json(body)));
    expect(answer?.unknown).toEqual([]);
  });

  test("subtracts Keepa's token flow reduction", async () => {
    const { connector } = setUp();
    const body = { tokensLeft: 3, refillRate: 5, tokenFlowReduction: 1.5 };
    expect(await connector.check(clientOf(() => Response.json(body)))).toBe(
      'Connected to Keepa. Tokens: 3 left, 3.5 a minute.',
    );
    const whole = { tokensLeft: 3, refillRate: 5 };
    expect(await connector.check(clientOf(() => Response.json(whole)))).toBe(
      'Connected to Keepa. Tokens: 3 left, 5 a minute.',
    );
  });
});

describe('no answer', () => {
  test('without tokens is retried when there are enough for the call', async () => {
    const { time, plan, client } = setUp({ items: many(20), tokens: 8 });
    time.now += 20_000;
    const [call] = (await plan(60)).calls;
    // 52 are missing: eleven refills of five, the first in 40 seconds.
    await expect(call?.ask(client)).rejects.toMatchObject({
      kind: 'later',
      retryAfterMs: 40_000 + 10 * minuteMs,
    });
    time.now += 40_000 + 10 * minuteMs;
    expect((await call?.ask(client))?.tokens).toMatchObject({ left: 3 });
  });

  test('an unpaid key stops the source', async () => {
    const { connector, client } = setUp({ key: 'other' });
    await expect(connector.check(client)).rejects.toMatchObject({ kind: 'stopped' });
  });

  test.each([
    [200, '{"tokensLeft":1', 'later'],
    [200, '{"tokensLeft":1,"refillRate":5}', 'later'],
    [200, '{"products":[]}', 'later'],
    [400, '{"error":{"type":"invalidParameter","message":"asin"}}', 'item'],
    [400, '{"error":{"type":"accessKeyInvalid"}}', 'stopped'],
    [429, '{}', 'later'],
  ] as const)('says when to ask again after status %i with %s', async (status, text, kind) => {
    const [call] = (await setUp().plan(300)).calls;
    const client = clientOf(() => new Response(text, { status }));
    await expect(call?.ask(client)).rejects.toMatchObject({ kind });
  });
});

test('a day of calls never exceeds the tokens', async () => {
  const { time, plan, client } = setUp({ items: many(500), perMinute: 7 });
  let level = (await (await plan(null)).calls[0]?.ask(client))?.tokens?.left ?? 0;
  let products = 0;
  while (time.now < readAt + dayMs) {
    for (const { cost, questions, ask } of (await plan(level)).calls) {
      if (cost > level) continue;
      level = (await ask(client)).tokens?.left ?? 0;
      products += questions.length;
      expect(level).toBeGreaterThanOrEqual(0);
    }
    time.now += 12 * minuteMs;
    level = Math.min(420, level + 12 * 7);
  }
  // The refills of a day, and the full bucket at its start.
  expect(products).toBeWithin(3_300, 3_501);
});

test('sets are matched only by their offers at retailer A', async () => {
  const sets = [marketSet({ number: '10482', upc: '673419000017' })];
  const offers = [marketOffer({ retailer: 'retailer_b' })];
  const server = simulateKeepa(
    { market: makeMarket({ sets, offers }), clock: () => readAt },
    { key: 'k', tokensPerMinute: 5 },
  );
  const url = 'https://keepa.example.com/product?key=k&domain=1&code=673419000017';
  expect(await (await server(new Request(url))).json()).toMatchObject({ products: [] });
});

test('the reach is three intervals, and at least three days', () => {
  const topicOf = (everyMs: number) =>
    keepaSource.connect(
      { url: new URL('https://keepa.example.com/'), key: new Secret('key-1'), everyMs },
      connectionDeps,
    ).topics;
  const topic = { name: 'offers', kind: 'set', condition: null, needs: 'asin-or-barcode' };
  const usual: unknown = [{ ...topic, reachDays: 3, restDays: 1 / 24 }];
  expect(topicOf(hourMs) as unknown).toEqual(usual);
  const slow: unknown = [{ ...topic, reachDays: 6, restDays: 2 }];
  expect(topicOf(2 * dayMs) as unknown).toEqual(slow);
});

test.each([
  [{ refillIn: 5_000, refillRate: 5, tokensLeft: 0 }, 5_000],
  // Three tokens: one refill of five, or two of two.
  [{ refillIn: 5_000, refillRate: 2, tokensLeft: 0 }, 5_000 + minuteMs],
  [{ refillIn: 5_000, refillRate: 1, tokensLeft: 0 }, 5_000 + 2 * minuteMs],
  [{ refillIn: 5_000, refillRate: 1, tokensLeft: 2 }, 5_000],
  [{ refillIn: 5_000, refillRate: 1, tokensLeft: 9 }, 5_000],
  [{ refillIn: 0, refillRate: 0, tokensLeft: 0 }, 0],
  [{ refillIn: -1, refillRate: 5 }, minuteMs],
  // Without a number of tokens left, all of them are missing.
  [{ refillIn: 5_000, refillRate: 1 }, 5_000 + 2 * minuteMs],
  [{}, minuteMs],
])('too few tokens: %j means to wait %d ms', async (body, retryAfterMs) => {
  const { plan } = setUp();
  const [call] = (await plan(300)).calls;
  const client = clientOf(() => Response.json(body, { status: 429 }));
  await expect(call?.ask(client)).rejects.toMatchObject({ kind: 'later', retryAfterMs });
});

test('too few tokens: a Retry-After of a proxy in front of Keepa takes precedence', async () => {
  const [call] = (await setUp().plan(300)).calls;
  const busy = { status: 429, headers: { 'retry-after': '7' } };
  const body = { refillIn: 5_000, refillRate: 5, tokensLeft: 0 };
  const client = clientOf(() => Response.json(body, busy));
  await expect(call?.ask(client)).rejects.toMatchObject({ kind: 'later', retryAfterMs: 7_000 });
  const others = clientOf(() => Response.json({}, { ...busy, status: 402 }));
  await expect(call?.ask(others)).rejects.toMatchObject({
    kind: 'stopped',
    message: expect.stringContaining('the subscription has ended'),
  });
  const good = { products: [], tokensLeft: 9, refillRate: 5 };
  const answer = await call?.ask(clientOf(() => Response.json(good, { ...busy, status: 200 })));
  expect(answer?.tokens?.left).toBe(9);
});

test('a free call is retried at the next refill', async () => {
  const { connector } = setUp();
  const body = { refillIn: 5_000, refillRate: 0.1, tokensLeft: 0 };
  const client = clientOf(() => Response.json(body, { status: 429 }));
  await expect(connector.check(client)).rejects.toMatchObject({ retryAfterMs: 5_000 });
});

test.each([
  [400, { error: { type: 'invalidParameter', message: 'No such domain' } }, 'item'],
  [400, { error: { message: 'Bad API key' } }, 'stopped'],
  [402, {}, 'stopped'],
  [200, { refillRate: 5 }, 'later'],
  [200, { tokensLeft: 5 }, 'later'],
  [200, { tokensLeft: 5, refillRate: 5 }, 'later'],
])('a response of %d with %j is an error: %s', async (status, body, kind) => {
  const { plan } = setUp();
  const [call] = (await plan(300)).calls;
  const client = clientOf(() => Response.json(body, { status }));
  await expect(call?.ask(client)).rejects.toMatchObject({ kind });
});

test('products of type 4 are unknown to Keepa', async () => {
  const { plan } = setUp();
  const [call] = (await plan(300)).calls;
  const answerOf = async (productType: number) => {
    const products = [{ asin: 'B0HARBOUR1', productType }];
    const body = { products, tokensLeft: 5, refillRate: 5, tokenFlowReduction: 7 };
    return call?.ask(clientOf(() => Response.json(body)));
  };
  expect(await answerOf(3)).toMatchObject({
    unknown: [],
    files: [{ name: 'products-B0HARBOUR1.json' }],
  });
  expect(await answerOf(4)).toMatchObject({ unknown: [{ key: '10482' }], files: [] });
  expect((await answerOf(3))?.tokens?.perMinute).toBe(0);
});
