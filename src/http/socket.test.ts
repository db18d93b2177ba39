/** Calls between our own processes: whole, however long they take, with all that callers send. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headerBytesMax } from '../contract/limits.ts';
import { callSocket } from './socket-call.ts';
import { serveSocket } from './socket-server.ts';

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

test('an answer may take longer than a connection may be silent', async () => {
  expect((await call('/slow')).status).toBe(418);
}, 180_000);

test('headers come through as large as callers may send them', async () => {
  const response = await call('/', new Headers({ 'X-Long': 'a'.repeat(headerBytesMax - 1_000) }));
  expect(await response.json()).toMatchObject({ length: headerBytesMax - 1_000 });
});

test('what is answered is passed on as it is, and what fails is told of', async () => {
  const response = await call('/a%20b?c=d');
  expect([response.status, response.headers.get('Location')]).toEqual([418, '/elsewhere']);
  expect(await response.json()).toMatchObject({ pathname: '/a%20b', search: '?c=d' });
  expect((await call('/fails')).status).toBe(500);
  expect(faults).toHaveLength(1);
});

test('one that stands still is given up, and one that only failed at a call is not', async () => {
  expect(givenUp).toBe(0);
  await expect(call('/slow', new Headers(), 50)).rejects.toThrow();
  expect(givenUp).toBe(1);
  const wrong = { target: '/', method: 'GET', headers: new Headers(), body: 'no' };
  await expect(callSocket(process, { ...wrong, patienceMs: 50 })).rejects.toThrow();
  expect(givenUp).toBe(1);
});
