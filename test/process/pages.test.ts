/** Pages are made beside the server: what happens to them does not happen to callers. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { childrenOf, signal, untilGone } from '../support/processes.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let key: string;
let server: Served;

beforeEach(async () => {
  place = makeWorkplace();
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts', msrp_usd: 50 };
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: [set] });
  server = await place.serve();
});

afterEach(() => place.close());

const page = async (path: string) => (await fetch(server.url + path)).status;

/** Where the processes of a server meet. */
const meetingPlaces = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`brickmark-serve-${server.pid}-`));

test('the process for pages starts with the first page and ends with the server', async () => {
  await server.get('/set/1000', key);
  expect(childrenOf(server.pid)).toEqual([]);
  expect(await page('/sets/1000')).toBe(200);
  const [child = 0, ...others] = childrenOf(server.pid);
  expect(others).toEqual([]);
  expect(meetingPlaces()).toHaveLength(1);
  // Ctrl-C in a terminal reaches both; the server decides when pages end.
  signal(child, 'SIGINT');
  signal(child, 'SIGTERM');
  expect(await page('/sign-in')).toBe(200);
  expect(await server.kill('SIGTERM')).toBe(0);
  await untilGone([child]);
  expect(meetingPlaces()).toEqual([]);
});

test('when it is killed, callers do not notice, and the next page has another one', async () => {
  expect(await page('/sign-in')).toBe(200);
  const [first = 0] = childrenOf(server.pid);
  signal(first, 'SIGKILL');
  expect((await server.get('/set/1000', key)).status).toBe(200);
  await untilGone([first]);
  await until(() => server.errors().includes('The process for pages ended'));
  expect(await page('/sign-in')).toBe(200);
  expect(childrenOf(server.pid)).toHaveLength(1);
});

test('when the server is killed, it ends as well', async () => {
  expect(await page('/sign-in')).toBe(200);
  const children = childrenOf(server.pid);
  await server.kill('SIGKILL');
  await untilGone(children);
});

test('when somebody tidies its folder away, the next page but one has another', async () => {
  expect(await page('/sign-in')).toBe(200);
  const [first = 0] = childrenOf(server.pid);
  for (const name of meetingPlaces()) rmSync(join(tmpdir(), name), { recursive: true });
  // A connection that is open goes on; those that are opened anew fail.
  let status = 0;
  for (let asked = 0; asked < 20 && status !== 503; asked++) {
    const all = await Promise.all(Array.from({ length: 6 }, () => page('/sign-in')));
    status = Math.max(...all);
  }
  expect(status).toBe(503);
  await untilGone([first]);
  await until(() => server.errors().includes('The process for pages ended'));
  expect(await page('/sign-in')).toBe(200);
});

test('one that cannot start is tried again, but not with every request', async () => {
  const folder = join(place.folder, 'not-there-yet');
  server = await place.serve({ env: { TMPDIR: folder } });
  const start = performance.now();
  while (performance.now() - start < 500) expect(await page('/sign-in')).toBe(503);
  mkdirSync(folder);
  let status = 0;
  while (status !== 200 && performance.now() - start < 10_000) status = await page('/sign-in');
  expect(status).toBe(200);
  expect((await server.get('/set/1000', key)).status).toBe(200);
});

test('callers are answered while it stands still', async () => {
  expect(await page('/sign-in')).toBe(200);
  const [child = 0] = childrenOf(server.pid);
  signal(child, 'SIGSTOP');
  const waiting = Array.from({ length: 40 }, () => page('/sign-in'));
  for (let calls = 0; calls < 50; calls++) {
    expect((await server.get('/set/1000', key)).status).toBe(200);
  }
  signal(child, 'SIGCONT');
  for (const status of await Promise.all(waiting)) expect(status).toBe(200);
});
