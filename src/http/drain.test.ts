/** Stopping a server: what clients are told. */
import { expect, test } from 'bun:test';
import { until } from '../../test/support/until.ts';
import { anotherNodeHeader, Drain } from './drain.ts';
import { lastStreamedAt, streamedIfLong } from './streamed.ts';

const request = (headers: Record<string, string> = {}) => new Request('http://h/', { headers });

test('a proxy with another node is turned away while this one stops; others are not', async () => {
  const drain = new Drain();
  const proxied = request({ [anotherNodeHeader]: '1' });
  expect(drain.turnAway(proxied)).toBeNull();
  drain.isLeaving = true;
  expect(drain.turnAway(request())).toBeNull();
  const answer = drain.turnAway(proxied);
  expect(answer?.status).toBe(503);
  expect(answer?.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer?.json()).toEqual({ status: 'draining' });
});

test('the last response of a connection says so, and is otherwise unchanged', async () => {
  const given = new Response('body', { status: 404, headers: { 'X-A': 'b' } });
  const last = await new Drain().last(Promise.resolve(given));
  expect(last.headers.get('Connection')).toBe('close');
  expect([last.status, last.headers.get('X-A'), await last.text()]).toEqual([404, 'b', 'body']);
  const bare = await new Drain().last(new Response(null, { status: 204 }));
  expect([bare.status, bare.body]).toEqual([204, null]);
});

test('responses between 12,000 and 200,000 characters are streamed, and noted', async () => {
  const isStream = (length: number) => streamedIfLong('x'.repeat(length)) instanceof ReadableStream;
  expect([12_000, 12_001, 199_999, 200_000].map(isStream)).toEqual([false, true, true, false]);
  const before = performance.now();
  const body = streamedIfLong('y'.repeat(13_000));
  expect(lastStreamedAt()).toBeGreaterThanOrEqual(before);
  expect(await new Response(body).text()).toBe('y'.repeat(13_000));
});

/** A server that stops at once, without pending requests by default. */
function stopping(facts: { pendingRequests?: number } = {}) {
  const stops: boolean[] = [];
  const server = {
    pendingRequests: 0,
    ...facts,
    stop: async (isForced = false) => {
      stops.push(isForced);
    },
  };
  return { server: server as unknown as Bun.Server<undefined>, stops };
}

test('a server reports unreadiness, ends its streams, and stops once there are no requests', async () => {
  const drain = new Drain();
  const { server, stops } = stopping();
  let streams = 'open';
  const endStreams = () => {
    streams = drain.isEnding ? 'ended' : 'ended too early';
  };
  const startedAt = performance.now();
  const ended = drain.end(server, { leavingMs: 150, endStreams });
  expect([drain.isLeaving, drain.isEnding]).toEqual([true, false]);
  await until(() => drain.isEnding);
  expect(performance.now() - startedAt).toBeGreaterThan(120);
  expect([streams, stops]).toEqual(['ended', []]);
  await ended;
  expect(stops).toEqual([false, true]);
});

test('a request in progress keeps the server from stopping', async () => {
  const { server, stops } = stopping({ pendingRequests: 1 });
  const ended = new Drain(60_000).end(server, { leavingMs: 0, endStreams: () => {} });
  await until(() => stops.length > 0);
  await Bun.sleep(400);
  expect(stops).toEqual([false]);
  Object.assign(server, { pendingRequests: 0 });
  await ended;
  expect(stops).toEqual([false, true]);
});
