/** Rebrickable's connector against a simulated server. */
import { describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import type { SourceHandler } from '../../../simulator/sources/faults.ts';
import { simulateRebrickable } from '../../../simulator/sources/rebrickable.ts';
import { factsOf, readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readAt } from '../../../test/support/read-options.ts';
import { clientOf, connectionDeps } from '../../../test/support/source-client.ts';
import { makeMarket, marketSet, plannerOf } from '../../../test/support/source-market.ts';
import { rebrickable } from '../../ingest/catalog/rebrickable.work.ts';
import { asObject, type JsonValue } from '../../kernel/json.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Answer } from '../connector.work.ts';
import { rebrickableSource } from './rebrickable.work.ts';

const connector = rebrickableSource.connect(
  {
    url: new URL('https://cdn.example.com/downloads/'),
    everyMs: dayMs,
  },
  connectionDeps,
);

const names = [
  'sets.csv.gz',
  'minifigs.csv.gz',
  'themes.csv.gz',
  'inventories.csv.gz',
  'inventory_minifigs.csv.gz',
  'inventory_sets.csv.gz',
];

/** Two sets, and a third that is released the next day. */
function setUp(change: (source: SourceHandler) => SourceHandler = (source) => source) {
  const time = { now: readAt };
  const figs = ['cst001', 'cst001', 'cst002'];
  const market = makeMarket({
    sets: [
      marketSet({ number: '10482-1', theme: 'Coastline', subtheme: 'Harbour', minifigs: figs }),
      marketSet({ number: '10483-1', theme: 'Coastline', title: 'Office, "old"' }),
      marketSet({ number: '10484-1', theme: 'Space', releaseDate: '2026-11-16' }),
    ],
  });
  const source = change(simulateRebrickable({ market, clock: () => time.now }));
  const client = clientOf(source);
  const ask = async (cursor: JsonValue): Promise<Answer> => {
    const request = {
      source: 'rebrickable',
      cursor,
      at: time.now,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const [call] = (await connector.plan(request)).calls;
    if (call === undefined) throw new Error('Nothing is planned.');
    client.asked.length = 0;
    return call.ask(client);
  };
  return { time, client, ask };
}

describe('the six tables', () => {
  test('come together, and can be imported', async () => {
    const { ask } = setUp();
    const { files } = await ask(null);
    expect(files.map(({ name }) => name)).toEqual(names);
    expect(new Set(files.map(({ format }) => format))).toEqual(new Set(['rebrickable']));
    const read = Object.fromEntries(files.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
    const items = await readFiles(rebrickable, read);
    expect(rejectsOf(items)).toEqual([]);
    expect(factsOf(items)).toMatchObject({
      '10482': {
        theme: 'Coastline',
        subtheme: 'Harbour',
        minifigs: ['fig-000001', 'fig-000002'],
        minifigsCount: 3,
      },
      '10483': { title: 'Office, "old"', theme: 'Coastline', subtheme: null },
      'fig-000001': { name: 'Keeper cst001' },
    });
  });

  test('that are unchanged are not sent again', async () => {
    const { ask, client, time } = setUp();
    const { cursor = null } = await ask(null);
    time.now += dayMs / 4;
    expect(await ask(cursor)).toEqual({ files: [] });
    expect(client.asked).toEqual(names.map((name) => `/downloads/${name} 304`));
  });

  test('are all fetched once if one has changed', async () => {
    const { ask, client, time } = setUp();
    const first = await ask(null);
    time.now += dayMs;
    const second = await ask(first.cursor ?? null);
    expect(second.files.map(({ name }) => name)).toEqual(names);
    // Unchanged minifigs belong to the new tables, too.
    expect(second.files[1]).toEqual(first.files[1] as never);
    expect(client.asked).toEqual([
      ...names.map((name) => `/downloads/${name} 200`),
      '/downloads/sets.csv.gz 304',
    ]);
    expect(second.cursor).not.toEqual(first.cursor as never);
    expect(await ask(second.cursor ?? null)).toEqual({ files: [] });
  });

  test('are planned again after the interval', async () => {
    const request = {
      source: 'rebrickable',
      cursor: null,
      at: readAt,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const plan = await connector.plan(request);
    expect(plan.nextAt).toBe(readAt + dayMs);
    expect(plan.calls.map(({ subject, reason, cost }) => [subject, reason, cost])).toEqual([
      ['6 tables', 'nothing has been fetched yet', 1],
    ]);
    const reasonOf = async (cursor: JsonValue) =>
      (await connector.plan({ ...request, cursor })).calls[0]?.reason;
    const { cursor: all = null } = await setUp().ask(null);
    expect(await reasonOf(all)).toBe('they may have changed');
    // Without the others, one table is not enough.
    const { sets = null } = asObject(all) ?? {};
    expect(await reasonOf({ sets: sets as JsonValue })).toBe('nothing has been fetched yet');
  });

  test('that change during the download are rejected', async () => {
    const { ask, time } = setUp((source) => (request) => {
      const answer = source(request);
      if (request.url.endsWith('/inventories.csv.gz')) time.now = readAt + dayMs;
      return answer;
    });
    expect(await ask(null).catch(({ kind, message }) => `${kind}: ${message}`)).toBe(
      'later: Rebrickable published new tables during the download.',
    );
  });

  test('are recognized as unchanged even if sent again', async () => {
    const { ask, client } = setUp((source) => (request) => source(new Request(request.url)));
    const { files, cursor = null } = await ask(null);
    expect(files).toHaveLength(6);
    expect(client.asked.at(-1)).toBe('/downloads/sets.csv.gz 200');
    expect((await ask(cursor)).files).toHaveLength(6);
  });

  test('without validators are fetched every time', async () => {
    const { ask } = setUp((source) => async (request) => {
      const answer = await source(request);
      return new Response(await answer.bytes(), { status: answer.status });
    });
    const { cursor = null } = await ask(null);
    expect((await ask(cursor)).files).toHaveLength(6);
  });

  test('with only a date are not sent again', async () => {
    const { ask, client } = setUp((source) => async (request) => {
      const answer = await source(request);
      answer.headers.delete('ETag');
      return answer;
    });
    const { cursor = null } = await ask(null);
    expect(await ask(cursor)).toEqual({ files: [] });
    expect(client.sent[0]?.bytesMax).toBe(32 * 1024 * 1024);
  });

  test('that arrive uncompressed are named so', async () => {
    const { ask } = setUp((source) => async (request) => {
      const answer = await source(request);
      return new Response(gunzipSync(await answer.bytes()));
    });
    const { files } = await ask(null);
    expect(files.map(({ name }) => name)).toEqual(names.map((name) => name.replace('.gz', '')));
  });
});

describe('one invalid table rejects all', () => {
  const broken: Record<string, (bytes: Uint8Array) => Uint8Array | string> = {
    'a page': () => '<html>Maintenance</html>',
    'half of it': (bytes) => bytes.subarray(0, bytes.length / 2),
    'another table': () => 'id,version,set_num\n1,1,10482-1\n',
  };
  for (const [what, breakIt] of Object.entries(broken)) {
    test(what, async () => {
      const { ask } = setUp((source) => async (request) => {
        const answer = await source(request);
        if (!request.url.endsWith('/inventory_sets.csv.gz')) return answer;
        return new Response(breakIt(await answer.bytes()) as BodyInit);
      });
      expect(await ask(null).catch(({ kind, message }) => `${kind}: ${message}`)).toBe(
        'later: Rebrickable sent a file that is not its inventory_sets.',
      );
    });
  }

  test('a missing table', async () => {
    const { ask } = setUp((source) => (request) => {
      const isGone = request.url.endsWith('/minifigs.csv.gz');
      return isGone ? new Response('', { status: 404 }) : source(request);
    });
    expect(await ask(null).catch(({ kind, message }) => `${kind}: ${message}`)).toBe(
      "later: cdn.example.com has no such file (404). Check 'url'.",
    );
  });
});

test('a check fetches the smallest table', async () => {
  const { client } = setUp();
  expect(await connector.check(client)).toBe(
    'Connected to Rebrickable. Its tables can be downloaded.',
  );
  expect(client.asked).toEqual(['/downloads/themes.csv.gz 200']);
  const gone = clientOf(() => new Response('', { status: 404 }));
  await expect(connector.check(gone)).rejects.toThrow('has no such file');
});
