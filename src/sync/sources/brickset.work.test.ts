/** Brickset's connector against a simulated server. */
import { describe, expect, test } from 'bun:test';
import { simulateBrickset } from '../../../simulator/sources/brickset.ts';
import { factsOf, readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readAt } from '../../../test/support/read-options.ts';
import { clientOf, connectionDeps } from '../../../test/support/source-client.ts';
import { makeMarket, marketSet, plannerOf } from '../../../test/support/source-market.ts';
import type { SetFacts } from '../../catalog/items/catalog.ts';
import { brickset } from '../../ingest/catalog/brickset.work.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Answer } from '../connector.work.ts';
import { Secret } from '../secret.ts';
import { bricksetSource } from './brickset.work.ts';

const everyMs = 6 * 3_600_000;

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => marketSet({ number: String(10_001 + index) }));

function setUp(given: { sets?: SetFacts[]; callsPerDay?: number; key?: string } = {}) {
  const time = { now: readAt };
  const market = makeMarket({ sets: given.sets ?? numbered(3) });
  const updates = new Map<string, number>();
  const server = simulateBrickset(
    { market, clock: () => time.now },
    {
      key: 'key-1',
      callsPerDay: given.callsPerDay ?? 100,
      updatedAt: ({ number }) => updates.get(number) ?? 0,
    },
  );
  const client = clientOf(server);
  const connector = bricksetSource.connect(
    {
      url: new URL('https://sets.example.com/api/v3.asmx/'),
      everyMs,
      key: new Secret(given.key ?? 'key-1'),
      callsPerDay: 100,
    },
    connectionDeps,
  );
  const plan = (cursor: JsonValue, limit = 50) =>
    connector.plan({
      source: 'brickset',
      cursor,
      at: time.now,
      limit,
      planner: plannerOf([]),
      left: 100,
    });
  /** Plans and calls until there is no more. */
  const sweep = async (from: JsonValue, limit?: number) => {
    let cursor = from;
    const answers: Answer[] = [];
    for (;;) {
      for (const call of (await plan(cursor, limit)).calls) {
        const answer = await call.ask(client);
        answers.push(answer);
        cursor = answer.cursor ?? null;
      }
      if (!answers.at(-1)?.hasMore) return { cursor, answers };
    }
  };
  return { time, client, connector, updates, plan, sweep };
}

/** Set numbers of the imported responses. */
async function numbersIn(answers: readonly Answer[]): Promise<string[]> {
  const files = answers.flatMap((answer) => answer.files);
  const items = await readFiles(
    brickset,
    Object.fromEntries(files.map(({ name, bytes }) => [name, Buffer.from(bytes)])),
  );
  expect(rejectsOf(items)).toEqual([]);
  return Object.keys(factsOf(items));
}

describe('the first sweep', () => {
  test('reads every set once, page by page, with as many calls as there are pages', async () => {
    const { client, sweep } = setUp({ sets: numbered(1203) });
    const { answers, cursor } = await sweep(null);
    expect(client.sent).toHaveLength(3);
    expect(answers.flatMap(({ files }) => files.map(({ name }) => name))).toEqual([
      'sets-0001.json',
      'sets-0002.json',
      'sets-0003.json',
    ]);
    expect(new Set(await numbersIn(answers)).size).toBe(1203);
    expect(cursor).toEqual({ since: readAt });
  });

  test('continues after the last imported page', async () => {
    const { client, plan } = setUp({ sets: numbered(1203) });
    const first = await (await plan(null)).calls[0]?.ask(client);
    expect(first).toMatchObject({ hasMore: true, cursor: { page: 2, pages: 3 } });
    const next = await plan(first?.cursor ?? null);
    expect(next.calls.map(({ subject }) => subject)).toEqual(['page 2 of 3', 'page 3 of 3']);
    expect(next.calls[0]?.reason).toBe('all sets');
  });

  test('requests all years up to the next two, in a stable order', async () => {
    const { client, sweep } = setUp();
    await sweep(null);
    const [sent] = client.sent;
    expect(sent?.bytesMax).toBe(32 * 1024 * 1024);
    const params = JSON.parse(new URLSearchParams(sent?.body).get('params') ?? '{}');
    const years = Array.from({ length: 2028 - 1948 }, (_, index) => 1949 + index).join(',');
    expect(params).toEqual({
      year: years,
      extendedData: 1,
      orderBy: 'Number',
      pageSize: 500,
      pageNumber: 1,
    });
  });

  test('plans one page if the last known page is behind', async () => {
    const { calls } = await setUp().plan({ startedAt: readAt, page: 5, pages: 3 });
    expect(calls.map(({ subject }) => subject)).toEqual(['page 5 of 3']);
  });

  test('plans no more pages than allowed calls', async () => {
    const { sweep } = setUp({ sets: numbered(2001) });
    expect((await sweep(null, 2)).answers).toHaveLength(5);
  });
});

describe('later sweeps', () => {
  test('request changes since two days before the last one started', async () => {
    const { time, updates, client, sweep, plan } = setUp({ sets: numbered(9) });
    const { cursor } = await sweep(null);
    const before = client.sent.length;
    time.now += 7 * dayMs;
    updates.set('10002', readAt + dayMs);
    updates.set('10003', readAt - dayMs);
    expect((await plan(cursor)).calls[0]?.reason).toBe('sets that changed since Nov 13, 2026');
    const later = await sweep(cursor);
    expect(await numbersIn(later.answers)).toEqual(['10002', '10003']);
    expect(client.sent.length - before).toBe(1);
    expect(later.cursor).toEqual({ since: time.now });
  });

  test('import nothing if nothing changed', async () => {
    const { time, sweep } = setUp();
    const { cursor } = await sweep(null);
    time.now += 7 * dayMs;
    expect((await sweep(cursor)).answers).toMatchObject([{ files: [], hasMore: false }]);
  });

  test('start after the interval of the settings', async () => {
    const { plan } = setUp();
    expect((await plan(null)).nextAt).toBe(readAt + everyMs);
  });
});

test('all facts of a set are imported', async () => {
  const sets = [
    marketSet({
      number: '10482-2',
      subtheme: 'Lighthouses',
      pieces: 1204,
      msrpCents: 11_999,
      ean: '5702010000012',
      upc: '673419000017',
      releaseDate: '2024-01-02',
      box: { widthIn: 22.91, heightIn: 14.88, depthIn: 4.92, weightLbs: 5.51 },
    }),
  ];
  const { sweep } = setUp({ sets });
  const [file] = (await sweep(null)).answers.flatMap(({ files }) => files);
  const items = await readFiles(brickset, { 'a.json': Buffer.from(file?.bytes ?? []) });
  expect(factsOf(items)).toMatchObject({
    '10482-2': {
      subtheme: 'Lighthouses',
      pieces: 1204,
      msrpCents: 11_999,
      ean: '5702010000012',
      releaseDate: '2024-01-02',
      box: { widthIn: 22.91, weightLbs: 5.51 },
    },
  });
});

test('the key is in no URL', async () => {
  const { client, sweep, connector } = setUp();
  await sweep(null);
  await connector.check(client);
  expect(client.sent.map(({ url }) => url.href).join(' ')).not.toContain('key-1');
});

describe('no answer', () => {
  test('a wrong key stops the source', async () => {
    const { plan, client } = setUp({ key: 'other' });
    const [call] = (await plan(null)).calls;
    await expect(call?.ask(client)).rejects.toMatchObject({
      kind: 'stopped',
      message: expect.stringContaining('rejected the key'),
    });
  });

  test('beyond the daily limit is retried later', async () => {
    const { plan, client } = setUp({ callsPerDay: 0 });
    const [call] = (await plan(null)).calls;
    await expect(call?.ask(client)).rejects.toMatchObject({
      kind: 'later',
      retryAfterMs: 3 * 3_600_000,
    });
  });

  test.each(['', '{"status":"success"}', '{"status":"error"}', '{"status":"success","sets":{}}'])(
    "'%s' is retried later",
    async (text) => {
      const [call] = (await setUp().plan(null)).calls;
      const client = clientOf(() => new Response(text));
      await expect(call?.ask(client)).rejects.toMatchObject({ kind: 'later' });
    },
  );
});

describe('a check', () => {
  test('reports the usage, which is not counted itself', async () => {
    const { client, connector, sweep } = setUp();
    expect(await connector.check(client)).toBe(
      'Connected to Brickset. Calls in the last 30 days: none.',
    );
    await sweep(null);
    expect(await connector.check(client)).toBe(
      'Connected to Brickset. Calls on Nov 15, 2026: 1 of 100.',
    );
  });

  test('reports the latest day with calls, in any order of days', async () => {
    const { connector } = setUp();
    const usage = { '2026-11-12': 3, '2026-11-14': 7, '2026-11-13': 5, '2026-11-15': 0 };
    const apiKeyUsage = Object.entries(usage).map(([dateStamp, count]) => ({ dateStamp, count }));
    const client = clientOf(() => Response.json({ status: 'success', apiKeyUsage }));
    expect(await connector.check(client)).toBe(
      'Connected to Brickset. Calls on Nov 14, 2026: 7 of 100.',
    );
  });
});
