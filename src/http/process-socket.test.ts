/** Calls between our own processes: whole, however long they take, with all that callers send. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headerBytesMax } from '../contract/limits.ts';
import { callSocket, serveSocket } from './process-socket.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-socket-'));
const socket = join(folder, 'calls');
const faults: unknown[] = [];
const server = serveSocket(socket, {
  answer: async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/fails') throw new Error('no');
    // Bun ends a request on a socket after ten silent seconds, and looks every four.
    if (pathname === '/slow') await Bun.sleep(12_500);
    const told = { pathname, search, length: request.headers.get('X-Long')?.length ?? 0 };
    return Response.json(told, { status: 418, headers: { Location: '/elsewhere' } });
  },
  onFault: (error) => faults.push(error),
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

let givenUp = 0;
const process = {
  socket: async () => socket,
  giveUp: () => {
    givenUp++;
  },
};

const call = (target: string, headers = new Headers(), patienceMs = 60_000) =>
  callSocket(process, { target, method: 'GET', headers, body: null, patienceMs });

test('a response may take longer than the idle timeout', async () => {
  expect((await call('/slow')).status).toBe(418);
});

test('headers can be as large as callers may send', async () => {
  const response = await call('/', new Headers({ 'X-Long': 'a'.repeat(headerBytesMax - 1_000) }));
  expect(await response.json()).toMatchObject({ length: headerBytesMax - 1_000 });
});

test('Headers of more than twice that size are refused', async () => {
  const response = await call('/', new Headers({ 'X-Long': 'a'.repeat(2 * headerBytesMax) }));
  expect(response.status).toBe(431);
});

test('a response is passed on unchanged, and a fault is reported', async () => {
  const response = await call('/a%20b?c=d');
  expect([response.status, response.headers.get('Location')]).toEqual([418, '/elsewhere']);
  expect(await response.json()).toMatchObject({ pathname: '/a%20b', search: '?c=d' });
  expect((await call('/fails')).status).toBe(500);
  expect(faults).toHaveLength(1);
});

test('a hanging process is given up, but not after a single failed call', async () => {
  expect(givenUp).toBe(0);
  await expect(call('/slow', new Headers(), 50)).rejects.toThrow();
  expect(givenUp).toBe(1);
  const wrong = { target: '/', method: 'GET', headers: new Headers(), body: 'no' };
  await expect(callSocket(process, { ...wrong, patienceMs: 50 })).rejects.toThrow();
  expect(givenUp).toBe(1);
});

test('a process that ends still answers what it was asked before', async () => {
  const path = join(folder, 'ending');
  const started = Promise.withResolvers<void>();
  const ending = serveSocket(path, {
    answer: async () => {
      started.resolve();
      await Bun.sleep(300);
      return new Response('imported');
    },
    onFault: () => {},
  });
  const asked = { target: '/', method: 'POST', headers: new Headers(), body: 'a file' };
  const answer = callSocket(
    { socket: async () => path, giveUp: () => {} },
    { ...asked, patienceMs: 60_000 },
  );
  await started.promise;
  const stopped = ending.stop();
  expect(await (await answer).text()).toBe('imported');
  await stopped;
});
