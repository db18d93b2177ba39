/** Pages run in a separate process, whose failures do not affect API calls. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commandNow,
  makeWorkplace,
  type Served,
  untilReady,
  type Workplace,
} from '../support/cli.ts';
import { costlyHash, password } from '../support/passwords.ts';
import { plantedMarket } from '../support/planted-deals.ts';
import { childrenOf, signal, untilGone, variablesOf } from '../support/processes.ts';
import { Visitor } from '../support/site.ts';
import { stock } from '../support/stocked.ts';
import { onTables } from '../support/tables.ts';
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

/** The sockets of the processes of a server. */
const meetingPlaces = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`brickmark-serve-${server.pid}-`));

test('the process for pages starts and ends with the server', async () => {
  await untilReady(server);
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

test('if the process is killed, API calls are unaffected, and the next page starts another', async () => {
  expect(await page('/sign-in')).toBe(200);
  const [first = 0] = childrenOf(server.pid);
  signal(first, 'SIGKILL');
  expect((await server.get('/set/1000', key)).status).toBe(200);
  await untilGone([first]);
  await until(() => server.errors().includes('The process for pages was killed'));
  expect(await page('/sign-in')).toBe(200);
  const next = childrenOf(server.pid);
  expect(next).toHaveLength(1);
  // It takes requests before it is warm, unlike the first one.
  expect(next.flatMap(variablesOf)).toContain('BRICKMARK_RESTARTED=1');
});

test('if the server is killed, the process ends as well', async () => {
  expect(await page('/sign-in')).toBe(200);
  const children = childrenOf(server.pid);
  await server.kill('SIGKILL');
  await untilGone(children);
});

test('if the folder of the process is deleted, a page fails, and the next one starts another process', async () => {
  expect(await page('/sign-in')).toBe(200);
  const [first = 0] = childrenOf(server.pid);
  for (const name of meetingPlaces()) rmSync(join(tmpdir(), name), { recursive: true });
  // Open connections continue; new ones fail.
  let status = 0;
  for (let asked = 0; asked < 20 && status !== 503; asked++) {
    const all = await Promise.all(Array.from({ length: 6 }, () => page('/sign-in')));
    status = Math.max(...all);
  }
  expect(status).toBe(503);
  await untilGone([first]);
  await until(() => server.errors().includes('The process for pages was killed'));
  expect(await page('/sign-in')).toBe(200);
});

test('a process that cannot start is retried, but not on every request', async () => {
  const folder = join(place.folder, 'not-there-yet');
  server = await place.serve({ env: { TMPDIR: folder } });
  for (let asked = 0; asked < 20; asked++) expect(await page('/sign-in')).toBe(503);
  mkdirSync(folder);
  await until(async () => (await page('/sign-in')) === 200);
  expect((await server.get('/set/1000', key)).status).toBe(200);
});

test('API calls are answered while the process is blocked', async () => {
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

test('a password typed on a page of a server is hashed at the full cost', async () => {
  const visitor = new Visitor(server.url);
  const typed = { email: 'new@example.com', password };
  await visitor.submit(await visitor.get('/sign-up'), '/sign-up', typed);
  const sql = 'SELECT password_hash FROM private.account WHERE email = ?';
  const [row] = await onTables<{ password_hash: string }>(place.data, sql, [typed.email]);
  expect(row?.password_hash).toStartWith(costlyHash);
});

test('a lot from a file, a page or a box is stored with the prediction at that time', async () => {
  const email = 'buyer@example.com';
  const market = plantedMarket(Date.parse(commandNow));
  await stock(place, { accounts: [{ email, plan: 'reseller', password }], lines: market });
  const bought = { set_number: '1001', condition: 'sealed', purchase_date: '2026-11-14' };
  const lot = { kind: 'holding', account: email, brickfolio: 'All', source_id: 'file', ...bought };
  const all = { kind: 'brickfolio', account: email, name: 'All' };
  const lines = [all, { ...lot, quantity: 1, purchase_price_usd: 45 }];
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
  await place.json(['import', 'feed', '-'], { stdin });
  const visitor = new Visitor(server.url);
  await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });
  // Without a choice, it is the existing collection.
  const box = await visitor.submit(await visitor.get('/evaluate'), '/evaluate', {
    items: '1003 sealed',
  });
  const paid = { total: '45', purchase_date: '2026-11-15', brickfolio: '' };
  const path = box.goTo ?? '';
  const { goTo } = await visitor.submit(await visitor.get(path), `${path}/buy`, paid);
  expect(goTo).toStartWith('/purchases/1');
  const seen = await visitor.get('/inventory/add?set=1004');
  const typed = { condition: 'sealed', status: 'owned', price: '45' };
  await visitor.submit(seen, '/inventory/add', { ...typed, purchase_date: '2026-11-15' });
  const { lots, predictions } = JSON.parse((await visitor.get('/account/export')).html);
  expect(predictions).toEqual(
    await Promise.all(
      ['1001', '1003', '1004'].map(async (number, index) => {
        const { data } = await (await server.get(`/set/${number}`, key)).json();
        return {
          lot: lots[index]?.source_id,
          predicted_at: expect.stringMatching(/^2026-11-15T12:/),
          condition: 'sealed',
          value_usd: data.new_value_usd,
          net_half_usd: expect.any(Number),
          net_safe_usd: expect.any(Number),
          channel: 'ebay',
          wait_days: expect.any(Number),
        };
      }),
    ),
  );
});
