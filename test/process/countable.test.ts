/** A server with a missing or read-only store grants no calls and is not ready. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Served } from '../support/cli.ts';
import { type FullPlace, makeFullPlace } from '../support/full-place.ts';
import { castle } from '../support/market.ts';
import { readMetrics } from '../support/metrics.ts';
import { Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

/** How long calls may still be granted: the interval of the check, and a call. */
const noticeMs = 100;

let place: FullPlace;
let server: Served;

beforeEach(async () => {
  place = await makeFullPlace();
  server = await place.serve({ flags: ['--metrics-port', '0'] });
  expect(await statusOf()).toBe(200);
  await untilReadiness('ready');
});

afterEach(() => place.close());

const statusOf = async () => {
  const response = await server.get(`/set/${castle}`, place.key);
  await response.text();
  return response.status;
};

async function readiness(): Promise<string> {
  const response = await fetch(`${server.url}/readyz`);
  const { status } = (await response.json()) as { status: string };
  expect([status, response.status]).toEqual([status, status === 'ready' ? 200 : 503]);
  return status;
}

const untilReadiness = (wanted: string) =>
  until(async () => (await readiness()) === wanted, `/readyz to say ${wanted}`);

async function storeUp(): Promise<number[]> {
  const url = /Metrics are at (\S+)\.\n/.exec(server.errors())?.[1] ?? '';
  const metrics = readMetrics(await (await fetch(url)).text());
  return [metrics.value('brickmark_store_up'), metrics.value('brickmark_ready')];
}

/** Calls continuously from several clients; returns the statuses before and after `work`. */
async function callWhile(work: () => void): Promise<{ before: number[]; after: Set<number> }> {
  const before: number[] = [];
  const after = new Set<number>();
  let lostAt = Number.POSITIVE_INFINITY;
  let calls = 0;
  let isDone = false;
  const client = async () => {
    while (!isDone) {
      const startedAt = performance.now();
      const status = await statusOf();
      if (startedAt <= lostAt + noticeMs) before.push(status);
      else {
        after.add(status);
        calls++;
      }
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await until(() => before.length >= 100);
  work();
  lostAt = performance.now();
  await until(() => calls >= 100);
  isDone = true;
  await Promise.all(clients);
  return { before, after };
}

async function expectLost(message: string): Promise<void> {
  await untilReadiness('unavailable');
  expect(await storeUp()).toEqual([0, 0]);
  // Log lines are buffered.
  const findLine = () => /\{.*"event":"store".*\n/.exec(server.errors())?.[0] ?? '';
  await until(() => findLine() !== '');
  const line = findLine();
  expect(line).toContain(message);
  expect(line).toContain('restore a backup and start it again');
}

test('after the folder is deleted, every call fails', async () => {
  const visitor = new Visitor(server.url);
  const form = await visitor.get('/sign-in');
  const { before, after } = await callWhile(() => rmSync(place.data, { recursive: true }));
  expect(before).toContain(200);
  expect([...after]).toEqual([500]);
  await expectLost('accounts.db was deleted or moved while it was open');
  // Forms are rejected too, since their changes would be lost.
  const { email, password } = place;
  expect((await visitor.submit(form, '/sign-in', { email, password })).status).toBe(500);
  // A new store in the same place is not the open one.
  await place.run(['account', 'add', 'new@example.com']);
  await Bun.sleep(noticeMs);
  expect(await statusOf()).toBe(500);
});

test('after the folder is replaced by a copy, calls fail until the old one is back', async () => {
  const aside = `${place.data}-aside`;
  const { after } = await callWhile(() => {
    renameSync(place.data, aside);
    cpSync(aside, place.data, { recursive: true });
  });
  expect([...after]).toEqual([500]);
  await expectLost('accounts.db was replaced while it was open');
  rmSync(place.data, { recursive: true });
  renameSync(aside, place.data);
  expect(await statusOf()).toBe(200);
  await untilReadiness('ready');
  expect(await storeUp()).toEqual([1, 1]);
});

test('after one of its files is deleted, every call fails', async () => {
  const name = 'market.db-wal';
  const { after } = await callWhile(() => rmSync(join(place.data, name)));
  expect([...after]).toEqual([500]);
  await expectLost(`${name} was deleted or moved while it was open`);
});

// A limit on file sizes makes writes fail for this process only.
test.skipIf(Bun.which('prlimit') === null)(
  'not ready while writes fail; ready again afterwards, with calls counted',
  async () => {
    const limit = (size: string) => {
      const command = ['prlimit', '--pid', String(server.pid), `--fsize=${size}:unlimited`];
      expect(Bun.spawnSync(command).exitCode).toBe(0);
    };
    limit(String(statSync(join(place.data, 'accounts.db-wal')).size));
    expect([await statusOf(), await statusOf()]).toEqual([500, 500]);
    await untilReadiness('unavailable');
    expect(await storeUp()).toEqual([0, 0]);
    limit('unlimited');
    expect(await statusOf()).toBe(200);
    await untilReadiness('ready');
    expect(await storeUp()).toEqual([1, 1]);
    const keys = await place.json<{ keys: { used_today: number }[] }>(['key', 'list', place.email]);
    expect(keys.keys.map((key) => key.used_today)).toEqual([2]);
  },
);
