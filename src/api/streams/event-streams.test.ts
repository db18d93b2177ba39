/** Limits of streams, and streams that are not read. */
import { afterEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { plainUse, usualCaller } from '../../../test/support/callers.ts';
import { madeEvent } from '../../../test/support/event-log.ts';
import { failureLog } from '../../../test/support/server-settings.ts';
import { until } from '../../../test/support/until.ts';
import type { Caller } from '../../accounts/keys/quota.ts';
import { Metrics } from '../../http/metrics.ts';
import type { WholeAnswer } from '../handler.ts';
import { EventStreams, type EventStreamsDeps } from './event-streams.ts';

const asked = { after: 0, kinds: null, limit: 250, scope: 'all' } as const;
const latest = 1_000_000_000;
const ended: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** Streams of a log that never ends, each event a kilobyte. */
function makeStreams(changes: Partial<EventStreamsDeps> = {}) {
  const failures: unknown[] = [];
  const counts = { pages: 0 };
  const metrics = new Metrics(false);
  const title = 'é'.repeat(500);
  const streams = new EventStreams({
    market: {
      listEvents: async ({ after, limit }) => {
        if (after === null) return { events: [], next: latest, hasMore: false };
        // The rest is read once for all streams.
        if (after < latest) counts.pages++;
        const events = Array.from({ length: limit }, (_, index) =>
          madeEvent(after + 1 + index, { title }),
        );
        return { events, next: after + limit, hasMore: true };
      },
    },
    listActiveKeys: async (ids) => ids,
    admit: async ({ keyHash }, use) => {
      const admission = {
        caller: { ...usualCaller, accountId: keyHash[0] ?? 0 },
        used: 0,
        outcome: 'granted',
      } as const;
      return use({ admission, at: 0 });
    },
    findItems: async () => null,
    elapsed: () => performance.now(),
    streamsMax: 3,
    log: failureLog(failures),
    metrics,
    nameConnection: () => 'somebody 1',
    ...changes,
  });
  ended.push(() => streams.endAll());
  const prepare = (
    keyId: number,
    request = new Request('http://a/'),
    wanted: Parameters<EventStreams['prepare']>[1] = asked,
  ) =>
    streams.prepare({ ...usualCaller, keyId, accountId: keyId }, wanted, {
      request,
      requestId: 'r',
      key: { ...plainUse, keyHash: new Uint8Array(32).fill(keyId) },
    });
  return { streams, prepare, counts, metrics, failures };
}

test('a client that does not read is disconnected once buffers are full', async () => {
  const { streams, prepare, counts, metrics, failures } = makeStreams();
  // Bun's own timeout, shorter than ours. It checks every 4 seconds.
  const server = Bun.serve({
    port: 0,
    idleTimeout: 1,
    fetch: async (request) => new Response((await prepare(1, request)).start()),
  });
  ended.push(() => server.stop(true));
  const socket = connect(server.port ?? 0, '127.0.0.1', () => {
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  });
  socket.on('error', () => {});
  ended.push(() => socket.destroy());
  // On a busy machine, it may be disconnected before it is seen.
  await until(() => counts.pages > 0 && streams.count === 0);
  // Some megabytes; a page has a quarter of one.
  expect(counts.pages).toBeGreaterThan(1);
  expect(counts.pages).toBeLessThan(60);
  // The last page may have been read, but not sent.
  expect([0, 1]).toContain(counts.pages - metrics.streams.events / 250);
  expect([metrics.streams.open, streams.hasConnection('somebody 1')]).toEqual([0, false]);
  expect(failures).toEqual([]);
});

test('the total number is limited, and a freed slot can be used again', async () => {
  const { streams, prepare } = makeStreams();
  const [first] = await Promise.all([prepare(1), prepare(2), prepare(3)]);
  const refusal = 'The server has reached its limit of open streams; try again later.';
  await expect(prepare(4)).rejects.toThrow(refusal);
  first?.release();
  const again = await prepare(4);
  await expect(prepare(5)).rejects.toThrow(refusal);
  // A started stream keeps its slot until it ends.
  const body = again.start() as ReadableStream;
  again.release();
  await expect(prepare(5)).rejects.toThrow(refusal);
  await body.cancel();
  (await prepare(5)).release();
  streams.endAll();
  await expect(prepare(6)).rejects.toThrow('This server is shutting down');
});

test('Retry-After is ten seconds without a free slot, and one second during shutdown', async () => {
  const { streams, prepare } = makeStreams({ streamsMax: 1 });
  await prepare(1);
  await expect(prepare(2)).rejects.toMatchObject({ retryAfterSeconds: 10 });
  streams.endAll();
  await expect(prepare(2)).rejects.toMatchObject({ retryAfterSeconds: 1 });
});

/** Sleeps that end on demand. */
function makeSleep() {
  const waiting: { readonly ms: number; wake(): void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      waiting.push({ ms, wake });
    });
  /** Ends all sleeps so far, and returns their durations. */
  const pass = async () => {
    const passed = waiting.splice(0);
    for (const { wake } of passed) wake();
    await Bun.sleep(0);
    return passed.map(({ ms }) => ms);
  };
  return { sleep, pass };
}

const started = async (answer: Promise<WholeAnswer>) => (await answer).start() as ReadableStream;

test('the log is polled every 250 ms for all streams, or 25 ms, and not without any', async () => {
  const { sleep, pass } = makeSleep();
  const log = { looks: 0, hasMore: false };
  const listEvents = async ({ after }: { after: number | null }) => {
    if (after !== null) log.looks++;
    return { events: [], next: latest, hasMore: log.hasMore };
  };
  const { prepare, streams } = makeStreams({ market: { listEvents }, sleep });
  for (let round = 0; round < 2; round++) {
    const bodies = [];
    for (const keyId of [1, 2, 3]) bodies.push(await started(prepare(keyId)));
    await Bun.sleep(0);
    expect(await pass()).toEqual([250]);
    log.hasMore = true;
    expect([log.looks, await pass()]).toEqual([1, [250]]);
    log.hasMore = false;
    expect([log.looks, await pass()]).toEqual([2, [25]]);
    for (const body of bodies) await body.cancel();
    expect([await pass(), await pass(), streams.count]).toEqual([[250], [], 0]);
    log.looks = 0;
  }
});

test('streams that are behind read one page at a time per account, and two in total', async () => {
  const { sleep, pass } = makeSleep();
  let [now, reading] = [5, 0];
  const gate = Promise.withResolvers<void>();
  const listEvents = async ({ after }: { after: number | null }) => {
    if (after !== 0) return { events: [], next: latest, hasMore: false };
    reading++;
    await gate.promise;
    return { events: [], next: latest, hasMore: false };
  };
  const elapsed = () => now;
  const { prepare } = makeStreams({ market: { listEvents }, sleep, elapsed, streamsMax: 9 });
  const read = async (keyId: number) => {
    const reader = (await started(prepare(keyId))).getReader();
    await reader.read();
    reader.read();
    await Bun.sleep(0);
    return reading;
  };
  expect([await read(1), await read(1)]).toEqual([1, 1]);
  expect([await read(2), await read(3)]).toEqual([2, 2]);
  now = 15;
  gate.resolve();
  await Bun.sleep(0);
  // The pause is four times as long as the read.
  expect((await pass()).toSorted((a, b) => a - b)).toEqual([40, 40, 250]);
  expect(reading).toBe(4);
});

test('a stream is counted and logged, with what it has sent and cost', async () => {
  const events: unknown[] = [];
  const log = { ...failureLog([]), event: (_: string, facts: object) => events.push(facts) };
  let now = 1_000;
  const { prepare, metrics, streams } = makeStreams({ log, elapsed: () => now });
  const body = await started(prepare(2));
  expect([metrics.streams.open, streams.count]).toEqual([1, 1]);
  expect([streams.hasConnection('somebody 1'), streams.hasConnection('x')]).toEqual([true, false]);
  const reader = body.getReader();
  await reader.read();
  await reader.read();
  now += 90_400;
  await reader.cancel();
  expect(events).toEqual([
    {
      request_id: 'r',
      account_id: 2,
      key_id: 2,
      ended_by: 'client',
      seconds: 90,
      events: 250,
      cost: 1,
    },
  ]);
  expect([metrics.streams.open, metrics.streams.events]).toEqual([0, 250]);
  const next = await started(prepare(2));
  streams.endAll();
  expect(events[1]).toMatchObject({ ended_by: 'server', events: 0 });
  await expect(new Response(next).text()).resolves.toBe('');
});

test('a stream without a known connection belongs to none', async () => {
  const { prepare, streams } = makeStreams({ nameConnection: () => null });
  const body = await started(prepare(1));
  expect(streams.count).toBe(1);
  await body.cancel();
  expect(streams.count).toBe(0);
});

test('each further hour is charged and counted', async () => {
  let now = 0;
  const charged: [number, number][] = [];
  const onCharged = (cost: number, { keyId }: Caller) => charged.push([cost, keyId]);
  const { prepare, metrics } = makeStreams({ elapsed: () => now, onCharged });
  const reader = (await started(prepare(1))).getReader();
  await reader.read();
  now = 3_600_000;
  await reader.read();
  expect([metrics.streams.cost, charged]).toEqual([1, [[1, 1]]]);
  await reader.cancel();
});

test.each([
  ['the header', { 'Last-Event-ID': '7' }, 5, { events: [], next: 9, hasMore: false }, 7],
  ['the query', {}, 5, { events: [], next: 9, hasMore: false }, 5],
  ['the end of the log', {}, null, { events: [], next: 9, hasMore: false }, 9],
  ['the oldest event', {}, null, { oldest: 3 }, 3],
])('a stream starts after %s', async (_, headers, after, page, position) => {
  const queries: unknown[] = [];
  const listEvents = async (query: unknown) => {
    queries.push(query);
    return page;
  };
  const { prepare } = makeStreams({ market: { listEvents } });
  const request = new Request('http://a/', { headers: headers as HeadersInit });
  const reader = (await started(prepare(1, request, { ...asked, after }))).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain(`id: ${position}\n`);
  if (after === null) expect(queries[0]).toMatchObject({ after: null, limit: 1 });
  await reader.cancel();
});

test('a stream whose start is not found takes no slot', async () => {
  const listEvents = () => Promise.reject(new Error('away'));
  const { prepare } = makeStreams({ market: { listEvents }, streamsMax: 1 });
  for (let round = 0; round < 2; round++) {
    await expect(prepare(1, undefined, { ...asked, after: null })).rejects.toThrow('away');
  }
});

test('a stopping server does not wait for the log', async () => {
  const { prepare, streams } = makeStreams({ market: { listEvents: () => new Promise(() => {}) } });
  const body = (await prepare(1)).start() as ReadableStream;
  const reading = new Response(body).text();
  await Bun.sleep(0);
  streams.endAll();
  expect(await reading).toContain('event: position');
});

test('a stream that starts while the server stops is empty', async () => {
  const { streams, prepare } = makeStreams();
  const answer = await prepare(1);
  streams.endAll();
  expect(await new Response(answer.start()).text()).toBe('');
  expect(streams.count).toBe(0);
});

test('a key has ten slots, and can use freed ones again', async () => {
  const { prepare } = makeStreams({ streamsMax: 100 });
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => prepare(1)));
    await expect(prepare(1)).rejects.toThrow('This key has 10 streams open, which is the most;');
    (await prepare(2)).release();
    for (const answer of answers) answer.release();
  }
});

test('a client that disconnects before its stream starts frees its slot', async () => {
  const { streams, prepare } = makeStreams();
  const leaving = new AbortController();
  const answer = await prepare(1, new Request('http://a/', { signal: leaving.signal }));
  leaving.abort();
  answer.start();
  expect(streams.count).toBe(0);
});

test('a store failure is reported once, and again after it has passed', async () => {
  const { sleep, pass } = makeSleep();
  let isAway = true;
  const listEvents = async () => {
    if (isAway) throw new Error('away');
    return { events: [], next: 0, hasMore: false };
  };
  const { prepare, failures, streams } = makeStreams({ market: { listEvents }, sleep });
  const reader = ((await prepare(1)).start() as ReadableStream).getReader();
  await reader.read();
  const next = reader.read();
  const failuresIf = async (isAwayNow: boolean) => {
    isAway = isAwayNow;
    // The next poll comes no earlier than usual.
    for (let polls = 0; polls < 2; polls++) expect(await pass()).not.toContain(25);
    return failures.length;
  };
  const counted = [await failuresIf(true), await failuresIf(false), await failuresIf(true)];
  expect(counted).toEqual([1, 1, 2]);
  streams.endAll();
  expect((await next).done).toBe(true);
});
