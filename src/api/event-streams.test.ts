/** Streams that nobody reads, and the most that there may be: what a process bounds. */
import { afterEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { madeEvent } from '../../test/support/event-log.ts';
import { failureLog } from '../../test/support/server-settings.ts';
import { until } from '../../test/support/until.ts';
import type { KeyHash } from '../domain/account/keys.ts';
import type { Caller } from '../domain/account/quota.ts';
import { Metrics } from '../http/metrics.ts';
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
  const caller = { plan: 'reseller', allowance: 5, privateVersion: 0 } as const;
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
    admit: async (_, use) => {
      const admission = {
        caller: { ...caller, keyId: 1, accountId: 1 },
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
  const prepare = (keyId: number, request = new Request('http://a/')) =>
    streams.prepare({ ...caller, keyId, accountId: keyId } satisfies Caller, asked, {
      request,
      requestId: 'r',
      keyHash: new Uint8Array(32) as KeyHash,
    });
  return { streams, prepare, counts, metrics, failures };
}

test('a client that reads nothing is given what the system holds for it, and is ended', async () => {
  const { streams, prepare, counts, metrics, failures } = makeStreams();
  // What Bun does by itself, with a shorter time than ours. It looks every 4 seconds.
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
  await until(() => streams.count > 0);
  expect(streams.hasConnection('somebody 1')).toBe(true);
  await until(() => streams.count === 0);
  // Some megabytes; a page has a quarter of one.
  expect(counts.pages).toBeGreaterThan(1);
  expect(counts.pages).toBeLessThan(60);
  expect(metrics.streams.events).toBe(250 * counts.pages);
  expect([metrics.streams.open, streams.hasConnection('somebody 1')]).toEqual([0, false]);
  expect(failures).toEqual([]);
}, 180_000);

test('there are so many in all, whoever has them, and a place that is given back is free', async () => {
  const { streams, prepare } = makeStreams();
  const [first] = await Promise.all([prepare(1), prepare(2), prepare(3)]);
  const refusal = 'The server has reached its limit of open streams; try again later.';
  await expect(prepare(4)).rejects.toThrow(refusal);
  first?.release();
  const again = await prepare(4);
  await expect(prepare(5)).rejects.toThrow(refusal);
  // One that was started keeps its place until it ends.
  const body = again.start() as ReadableStream;
  again.release();
  await expect(prepare(5)).rejects.toThrow(refusal);
  await body.cancel();
  (await prepare(5)).release();
  streams.endAll();
  await expect(prepare(6)).rejects.toThrow('This server is shutting down');
});

test('the log is looked at once for all of them, and by nobody when they have ended', async () => {
  let looks = 0;
  const listEvents = async () => {
    looks++;
    return { events: [], next: latest, hasMore: false };
  };
  const { prepare, streams } = makeStreams({ market: { listEvents } });
  const bodies = [];
  for (const keyId of [1, 2, 3]) bodies.push((await prepare(keyId)).start() as ReadableStream);
  looks = 0;
  const startedAt = performance.now();
  await Bun.sleep(600);
  // Every quarter of a second.
  const quarters = (performance.now() - startedAt) / 250;
  expect(looks).toBeWithin(1, quarters + 2);
  for (const body of bodies) await body.cancel();
  await Bun.sleep(300);
  looks = 0;
  await Bun.sleep(300);
  expect([looks, streams.count]).toEqual([0, 0]);
});

test('a server that ends does not wait for the log', async () => {
  const { prepare, streams } = makeStreams({ market: { listEvents: () => new Promise(() => {}) } });
  const body = (await prepare(1)).start() as ReadableStream;
  const reading = new Response(body).text();
  await Bun.sleep(0);
  streams.endAll();
  expect(await reading).toContain('event: position');
});

test('one that begins while the server ends is empty', async () => {
  const { streams, prepare } = makeStreams();
  const answer = await prepare(1);
  streams.endAll();
  expect(await new Response(answer.start()).text()).toBe('');
  expect(streams.count).toBe(0);
});

test('a key has ten, and as many again once they are given back', async () => {
  const { prepare } = makeStreams({ streamsMax: 100 });
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => prepare(1)));
    await expect(prepare(1)).rejects.toThrow('This key has 10 streams open, which is the most;');
    (await prepare(2)).release();
    for (const answer of answers) answer.release();
  }
});

test('a client that has left before its stream begins leaves its place', async () => {
  const { streams, prepare } = makeStreams();
  const leaving = new AbortController();
  const answer = await prepare(1, new Request('http://a/', { signal: leaving.signal }));
  leaving.abort();
  answer.start();
  expect(streams.count).toBe(0);
});

test('a store that fails is told of once, and where it fails first, nobody has a place', async () => {
  let looks = 0;
  const listEvents = async () => {
    looks++;
    throw new Error('away');
  };
  const { prepare, failures, streams } = makeStreams({ market: { listEvents } });
  const reader = ((await prepare(1)).start() as ReadableStream).getReader();
  await reader.read();
  const next = reader.read();
  // It is asked again, and fails again.
  await until(() => looks >= 3);
  expect(failures).toHaveLength(1);
  streams.endAll();
  expect((await next).done).toBe(true);
});
