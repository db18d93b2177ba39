/** BrickLink's connector against a simulated server. */
import { describe, expect, test } from 'bun:test';
import { simulateBricklink } from '../../../simulator/sources/bricklink.ts';
import { readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readAt } from '../../../test/support/read-options.ts';
import { clientOf } from '../../../test/support/source-client.ts';
import {
  type AskedItem,
  makeMarket,
  marketSale,
  plannerOf,
} from '../../../test/support/source-market.ts';
import { bricklinkInventories } from '../../ingest/catalog/bricklink-inventories.work.ts';
import { bricklinkPrices } from '../../ingest/market/bricklink-prices.work.ts';
import type { Format } from '../../ingest/runner/format.work.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import type { AnswerFile, PlannedCall } from '../connector.work.ts';
import { Secret } from '../secret.ts';
import { bricklinkSource } from './bricklink.work.ts';

const secrets = {
  consumerKey: 'CONSUMER7F74',
  consumerSecret: 'consumer/secret+',
  token: 'TOKEN01',
  tokenSecret: 'token secret',
};

interface Given {
  readonly sales?: ReturnType<typeof marketSale>[];
  readonly items?: readonly AskedItem[];
  readonly rules?: { callsPerDay?: number; isElsewhere?: boolean; tokenSecret?: string };
  readonly settings?: { currency?: string; region?: string };
  readonly limit?: number;
}

/** A connector with its simulated server and plans. */
async function setUp(given: Given = {}) {
  const { sales = [marketSale()], items = [{ number: '10482' }], limit = 20 } = given;
  const clock = () => readAt;
  const world = { market: makeMarket({ sales }), clock };
  const server = simulateBricklink(world, { ...secrets, callsPerDay: 5000, ...given.rules });
  const client = clientOf(server);
  let nonce = 0;
  const connector = bricklinkSource.connect(
    {
      url: new URL('https://api.example.com/api/store/v1/'),
      consumerKey: new Secret(secrets.consumerKey),
      consumerSecret: new Secret(secrets.consumerSecret),
      token: new Secret(secrets.token),
      tokenSecret: new Secret(secrets.tokenSecret),
      callsPerDay: 5000,
      currency: 'USD',
      region: null,
      everyMs: 20 * hourMs,
      ...given.settings,
    },
    { clock, makeNonce: () => String(++nonce) },
  );
  const planner = plannerOf(items);
  const plan = await connector.plan({
    source: 'bricklink',
    cursor: null,
    at: readAt,
    limit,
    planner,
    left: 5000,
  });
  const ask = (topic: string) => {
    const call = plan.calls.find(({ questions }) => questions[0]?.topic === topic);
    return (call as PlannedCall).ask(client);
  };
  return { connector, client, plan, ask };
}

async function imported(format: Format, files: readonly AnswerFile[]) {
  const items = await readFiles(
    format,
    Object.fromEntries(files.map(({ name, bytes }) => [name, Buffer.from(bytes)])),
  );
  const rows = items.flatMap((item) =>
    'result' in item && 'row' in item.result ? [item.result.row] : [],
  );
  return { rows, rejects: rejectsOf(items) };
}

describe('a plan', () => {
  test('asks about sets new and used, and about minifigs used', async () => {
    const items = [{ number: '10482' }, { number: 'cst001', kind: 'minifig' as const }];
    const { plan } = await setUp({ items });
    expect(plan.calls.map(({ subject, cost }) => [subject, cost])).toEqual([
      ['10482, sold-new', 1],
      ['10482, sold-used', 1],
      ['cst001, sold-used', 1],
      ['10482, stock-new', 1],
      ['10482, stock-used', 1],
      ['cst001, stock-used', 1],
      ['10482, subsets', 1],
    ]);
  });

  test('requests one inventory in ten calls and one stock in five, and continues at once if it is full', async () => {
    const items = Array.from({ length: 40 }, (_, index) => ({ number: String(10_000 + index) }));
    const { plan } = await setUp({ items, limit: 20 });
    const topics = plan.calls.map(({ questions }) => questions[0]?.topic);
    expect(plan.calls).toHaveLength(20);
    expect(topics.filter((topic) => topic === 'subsets')).toHaveLength(2);
    expect(topics.filter((topic) => topic?.startsWith('stock'))).toHaveLength(4);
    expect(plan.nextAt).toBe(readAt);
  });

  test('repeats price questions by the setting, stocks monthly, and inventories twice a year', async () => {
    const { connector } = await setUp();
    const prices = { reachDays: 170, restDays: 20 / 24, needs: 'bricklink-number' };
    const month = { ...prices, condition: null, reachDays: 30, restDays: 20 };
    const stock = [
      { name: 'stock-new', kind: 'set', ...month },
      { name: 'stock-used', kind: 'set', ...month },
      { name: 'stock-used', kind: 'minifig', ...month },
    ];
    expect(connector.topics as unknown).toEqual([
      { name: 'sold-new', kind: 'set', condition: 'sealed', ...prices },
      { name: 'sold-used', kind: 'set', condition: 'used', ...prices },
      { name: 'sold-used', kind: 'minifig', condition: 'used', ...prices },
      ...stock,
      { ...prices, name: 'subsets', kind: 'set', condition: null, reachDays: 365, restDays: 182.5 },
    ]);
    expect(connector.budget).toEqual({ kind: 'day', calls: 5000 });
  });

  test('with fewer than ten calls requests no inventory', async () => {
    const items = Array.from({ length: 40 }, (_, index) => ({ number: String(10_000 + index) }));
    const inventories = async (limit: number) => {
      const { plan } = await setUp({ items, limit });
      expect(plan.calls).toHaveLength(limit);
      return plan.calls.filter(({ questions }) => questions[0]?.topic === 'subsets').length;
    };
    expect([await inventories(9), await inventories(10), await inventories(19)]).toEqual([0, 1, 1]);
  });

  test('uses numbers with a variant, -1 by default', async () => {
    const { plan } = await setUp({ items: [{ number: '10482' }, { number: '10483-22' }] });
    const body = { meta: { code: 200 }, data: { price_detail: [] } };
    const client = clientOf(() => Response.json(body));
    for (const call of plan.calls.slice(0, 4)) await call.ask(client);
    expect(new Set(client.sent.map(({ url }) => url.pathname.split('/').at(-2)))).toEqual(
      new Set(['10482-1', '10483-22']),
    );
  });

  test('is repeated after an hour if there is little to ask', async () => {
    expect((await setUp({ items: [] })).plan).toEqual({ calls: [], nextAt: readAt + 3_600_000 });
  });

  test('skips items without a BrickLink number', async () => {
    const { plan } = await setUp({ items: [{ number: '10482', bricklink: [] }] });
    expect(plan.calls).toEqual([]);
  });

  test('requests a minifig under each of its numbers, and counts every call', async () => {
    const fig = { number: 'cst001', kind: 'minifig' as const, bricklink: ['cst001', 'cst002'] };
    const { plan, ask, client } = await setUp({ items: [fig] });
    expect(plan.calls.map(({ cost }) => cost)).toEqual([2, 2]);
    expect((await ask('sold-used')).files.map(({ name }) => name)).toEqual([
      'cst001.sold-used.json',
      'cst002.sold-used.json',
    ]);
    expect(client.sent).toHaveLength(2);
  });

  test('stores responses under valid file names', async () => {
    const fig = { number: 'cst001', kind: 'minifig' as const, bricklink: ['cst(ü 1)'] };
    const { plan } = await setUp({ items: [fig] });
    const body = { meta: { code: 200 }, data: { price_detail: [] } };
    const answer = await plan.calls[0]?.ask(clientOf(() => Response.json(body)));
    expect(answer?.files.map(({ name }) => name)).toEqual(['cst___1_.sold-used.json']);
  });
});

describe('an answer', () => {
  test('is a guide that imports as the sales of six months', async () => {
    const sales = [
      marketSale({ quantity: 2, priceCents: 20_001 }),
      marketSale({ soldAt: readAt - 5 * dayMs, priceCents: 12_345 }),
      marketSale({ soldAt: readAt - 200 * dayMs }),
      marketSale({ soldAt: readAt + dayMs }),
      marketSale({ condition: 'used' }),
      marketSale({ channel: 'auction' }),
    ];
    const { ask } = await setUp({ sales });
    const { files } = await ask('sold-new');
    expect(files.map(({ name, format }) => [name, format])).toEqual([
      ['10482-1.sold-new.json', 'bricklink-prices'],
    ]);
    const { rows, rejects } = await imported(bricklinkPrices, files);
    expect(rejects).toEqual([]);
    expect(rows.map((row) => ('sale' in row ? row.sale : null))).toMatchObject([
      { itemKey: '10482', condition: 'sealed', priceCents: 20_001, quantity: 2 },
      { itemKey: '10482', condition: 'sealed', priceCents: 12_345, quantity: 1 },
    ]);
  });

  test('about stock imports as the units for sale', async () => {
    const sales = [
      marketSale({ quantity: 2, priceCents: 20_000 }),
      marketSale({ soldAt: readAt - 5 * dayMs, priceCents: 12_345 }),
    ];
    const { ask, client } = await setUp({ sales });
    const { files } = await ask('stock-new');
    expect(client.sent[0]?.url.searchParams.get('guide_type')).toBe('stock');
    const { rows, rejects } = await imported(bricklinkPrices, files);
    expect(rejects).toEqual([]);
    expect(rows).toMatchObject([
      { kind: 'listings', listings: { itemKey: '10482', units: 3, lowestCents: 100_00 } },
    ]);
  });

  test('has the currency and region of the settings', async () => {
    const { ask, client } = await setUp({ settings: { currency: 'EUR', region: 'europe' } });
    const { rows } = await imported(bricklinkPrices, (await ask('sold-new')).files);
    expect(rows).toMatchObject([{ sale: { currency: 'EUR', priceCents: 10_908 } }]);
    expect(Object.fromEntries(client.sent[0]?.url.searchParams ?? [])).toEqual({
      guide_type: 'sold',
      new_or_used: 'N',
      currency_code: 'EUR',
      vat: 'N',
      region: 'europe',
    });
  });

  test('is from one country if two letters are set', async () => {
    const { ask, client } = await setUp({ settings: { region: 'DE' } });
    await ask('sold-new');
    expect(client.sent[0]?.url.searchParams.get('country_code')).toBe('DE');
    expect(client.sent[0]?.url.searchParams.has('region')).toBe(false);
  });

  test('is an inventory that imports as the minifigs of the set', async () => {
    const { ask } = await setUp();
    const { files } = await ask('subsets');
    const { rows, rejects } = await imported(bricklinkInventories, files);
    expect(rejects).toEqual([]);
    expect(rows.at(-1)).toMatchObject({
      facts: { number: '10482', minifigs: ['cst001', 'cst002'], minifigsCount: 2 },
    });
  });

  test('of a guide without sales is stored, that of an empty inventory is not', async () => {
    const { ask } = await setUp({ sales: [], items: [{ number: '10483' }] });
    expect((await ask('sold-new')).files).toHaveLength(1);
    const empty = await ask('subsets');
    expect(empty.files).toEqual([]);
    expect(empty.unknown).toEqual([{ kind: 'set', key: '10483', topic: 'subsets' }]);
  });

  test('about an unknown number is marked as unknown', async () => {
    const { ask } = await setUp({ items: [{ number: '99999' }] });
    expect(await ask('sold-new')).toEqual({
      files: [],
      unknown: [{ kind: 'set', key: '99999', topic: 'sold-new' }],
    });
  });

  test('for a set number that is no file name is not requested', async () => {
    const { ask, client } = await setUp({ items: [{ number: '../x-1' }] });
    expect((await ask('subsets')).files).toEqual([]);
    expect(client.sent).toEqual([]);
  });
});

describe('no answer', () => {
  const failure = async (given: Given) => {
    const { ask } = await setUp(given);
    return ask('sold-new').catch((error: unknown) => error);
  };

  test('from an unregistered IP address stops the source and names it', async () => {
    const error = await failure({ rules: { isElsewhere: true } });
    expect(error).toMatchObject({ kind: 'stopped' });
    expect(String(error)).toMatch(/server's IP address \(203\.0\.113\.9\)\. Register it/);
    expect(String(error)).not.toContain(secrets.consumerKey);
  });

  test('with a wrong secret stops the source', async () => {
    const error = await failure({ rules: { tokenSecret: 'another' } });
    expect(error).toMatchObject({ kind: 'stopped' });
    expect(String(error)).toContain('rejected the keys');
  });

  test.each(['TIMESTAMP_REFUSED: 1', 'NONCE_USED: 1'])(
    '%s suggests to check the clock',
    async (words) => {
      const { plan } = await setUp();
      const meta = { code: 401, message: 'BAD_OAUTH_REQUEST', description: words };
      const client = clientOf(() => Response.json({ meta }));
      await expect(plan.calls[0]?.ask(client)).rejects.toMatchObject({
        kind: 'later',
        message: "BrickLink rejected the time of the request. Check this server's clock.",
      });
    },
  );

  test('beyond the daily limit is retried later', async () => {
    const error = await failure({ rules: { callsPerDay: 0 } });
    expect(error).toMatchObject({ kind: 'later', retryAfterMs: 3_600_000 });
  });

  test('in an unsupported currency stops the source', async () => {
    expect(await failure({ settings: { currency: 'XTS' } })).toMatchObject({ kind: 'stopped' });
  });

  test.each(['<html>Bad Gateway</html>', '{"meta":{}}', '[]', '{"meta":{"code":500}}'])(
    '%s is retried later',
    async (text) => {
      const { plan } = await setUp();
      const client = clientOf(() => new Response(text));
      await expect(plan.calls[0]?.ask(client)).rejects.toMatchObject({ kind: 'later' });
    },
  );

  const bad = 'BrickLink rejected the request. Check the currency and the region.';
  const keys = 'BrickLink rejected the keys. Check the consumer key, the token and both secrets.';
  const address =
    "BrickLink does not allow this server's IP address. " +
    'Register it at https://www.bricklink.com/v2/api/register_consumer.page.';
  test.each<[code: number | null, words: string, kind: string, message: string]>([
    [199, '', 'later', 'BrickLink returned an error (199).'],
    [300, '', 'later', 'BrickLink returned an error (300).'],
    [400, 'INVALID_CURRENCY', 'stopped', bad],
    [401, 'SIGNATURE_INVALID', 'stopped', keys],
    [401, 'TOKEN_IP_MISMATCHED', 'stopped', address],
    [402, 'TOKEN_IP_MISMATCHED', 'later', 'BrickLink returned an error (402).'],
    [403, 'TIMESTAMP', 'stopped', keys],
    [429, '', 'later', "BrickLink's rate limit is reached."],
    [null, '', 'later', 'BrickLink sent a response without a status code.'],
  ])('the code %d %s is %s: %s', async (code, description, kind, message) => {
    const { plan } = await setUp();
    const client = clientOf(() => Response.json({ meta: { code: code ?? 'none', description } }));
    await expect(plan.calls[0]?.ask(client)).rejects.toMatchObject({ kind, message });
  });

  test.each([
    [400, bad],
    [401, keys],
    [403, keys],
  ])('the body explains a response with status %d', async (status, message) => {
    const { plan } = await setUp();
    const client = clientOf(() => Response.json({ meta: { code: status } }, { status }));
    await expect(plan.calls[0]?.ask(client)).rejects.toMatchObject({ kind: 'stopped', message });
  });

  test.each([
    [200, 'found'],
    [299, 'found'],
    [404, 'unknown'],
    [400, 'unknown'],
  ])('the code %d about an item is %s', async (code, expected) => {
    const { plan } = await setUp();
    const body = { meta: { code, description: 'No such Item' }, data: { price_detail: [] } };
    const answer = await plan.calls[0]?.ask(clientOf(() => Response.json(body)));
    expect(answer?.files.length === 1 ? 'found' : 'unknown').toBe(expected);
    expect(answer?.unknown === undefined ? 'found' : 'unknown').toBe(expected);
  });

  test('a success code without data is retried later', async () => {
    const { plan } = await setUp();
    const client = clientOf(() => Response.json({ meta: { code: 200 }, data: {} }));
    for (const { ask } of plan.calls) {
      await expect(ask(client)).rejects.toMatchObject({ kind: 'later' });
    }
  });
});

test('a check makes one call, and reports the connection', async () => {
  const { connector, client } = await setUp();
  expect(await connector.check(client)).toBe('Connected to BrickLink. Limit: 5,000 calls a day.');
  // A set that every catalog has.
  expect(client.sent.map(({ url }) => url.pathname)).toEqual(['/api/store/v1/items/SET/75192-1']);
});

test('every call has a unique nonce', async () => {
  const { ask, client } = await setUp();
  await ask('sold-new');
  await ask('sold-used');
  const nonces = client.sent.map(({ headers }) =>
    /nonce="(\w+)"/.exec(headers?.authorization ?? ''),
  );
  expect(new Set(nonces.map((match) => match?.[1])).size).toBe(2);
  const seconds = /timestamp="(\d+)"/.exec(client.sent[0]?.headers?.authorization ?? '')?.[1];
  expect(Number(seconds)).toBe(Math.floor(readAt / 1000));
});
