/** A running server reads its sources and fees again, on request of a command or a signal. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fees from '../../src/market/fees/fees.json' with { type: 'json' };
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { childrenOf, commandLine, signal } from '../support/processes.ts';
import { programCommand } from '../support/program.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let shop: ReturnType<typeof startShop>;

beforeEach(() => {
  place = makeWorkplace();
  mkdirSync(place.data, { recursive: true });
  shop = startShop();
});

afterEach(async () => {
  await place.close();
  await shop.server.stop(true);
});

/** Counts its calls by path. */
function startShop() {
  const calls: string[] = [];
  const line = JSON.stringify({ kind: 'set', set_number: '1', title: 'Hut', theme: 'Huts' });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      calls.push(new URL(request.url).pathname);
      return new Response(`${line}\n`);
    },
  });
  return { calls, server };
}

function turnOn(path: string, every = '24h'): void {
  const url = `http://127.0.0.1:${shop.server.port}${path}`;
  const lines = ['[[http]]', 'name = "shop"', `url = "${url}"`, 'format = "feed"'];
  writeFileSync(join(place.data, 'sources.toml'), [...lines, `every = "${every}"`].join('\n'));
}

interface Reloaded {
  readonly processes: readonly { readonly process: string; readonly problem: string | null }[];
}

const data = () => ({ env: { BRICKMARK_DATA: place.data } });
const reload = () => place.json<Reloaded>(['reload'], data());

test('without a running server, the command says so', async () => {
  const { status, stderr } = await place.run(['reload'], data());
  expect([status, stderr]).toEqual([1, expect.stringContaining('No running process uses')]);
  const nowhere = { env: { BRICKMARK_DATA: join(place.folder, 'nowhere') } };
  expect((await place.run(['reload'], nowhere)).status).toBe(1);
});

test('sources that are added or changed are fetched, and invalid ones change nothing', async () => {
  const server = await place.serve();
  turnOn('/first');
  expect((await reload()).processes).toMatchObject([{ process: 'serve', problem: null }]);
  await until(() => shop.calls.length === 1, server.errors);
  writeFileSync(join(place.data, 'sources.toml'), '[shop]');
  const { status, stdout } = await place.run(['reload', '--json'], data());
  expect(status).toBe(1);
  expect(JSON.parse(stdout).processes[0].problem).toContain("'shop'");
  // The signal does the same.
  signal(server.pid, 'SIGHUP');
  await until(() => server.errors().split('Nothing is reloaded: ').length === 3);
  turnOn('/second');
  signal(server.pid, 'SIGHUP');
  await until(() => shop.calls.includes('/second'), server.errors);
  expect(shop.calls).toEqual(['/first', '/second']);
  expect(await server.kill('SIGTERM')).toBe(0);
});

test('fees apply to the next call and page, without an interruption', async () => {
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts', msrp_usd: 50 };
  const sold = { kind: 'sale', source: 'shop', item_type: 'set', item: '1000' };
  const sales = Array.from({ length: 12 }, (_, index) => ({
    ...sold,
    source_id: String(index),
    condition: 'sealed',
    price: 100,
    sold_at: `2026-11-${String(index + 1).padStart(2, '0')}T10:00:00Z`,
  }));
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000 } as const;
  const [key = ''] = await stock(place, { accounts: [account], lines: [set, ...sales] });
  const server = await place.serve();
  const headers = { Authorization: `Bearer ${key}` };
  const maxBuy = async () => {
    const url = `${server.url}/api/plus/v1/max-buy?set=1000`;
    return (await fetch(url, { headers })).text();
  };
  const before = (await maxBuy()).replace(/"meta".*/, '');
  expect(before).toContain('max_buy');
  expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
  const [pages = 0] = helpersOf(server);
  writeFileSync(join(place.data, 'fees.json'), JSON.stringify({ ...fees, platforms: [] }));
  const page = until(async () => {
    expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
    return !helpersOf(server).includes(pages);
  });
  expect((await reload()).processes).toMatchObject([{ problem: null }]);
  await page;
  expect((await maxBuy()).replace(/"meta".*/, '')).not.toBe(before);
});

const helpersOf = ({ pid }: Served) =>
  childrenOf(pid).filter((child) => / serve$/.test(commandLine(child)));

test('a sync that runs on its own reloads, too', async () => {
  turnOn('/first');
  const child = Bun.spawn([...(await programCommand()), 'sync'], {
    cwd: place.folder,
    env: { ...(await place.env()), ...data().env },
    stderr: 'ignore',
  });
  try {
    await until(() => shop.calls.length === 1);
    turnOn('/second');
    expect((await reload()).processes).toMatchObject([{ process: 'sync', problem: null }]);
    await until(() => shop.calls.includes('/second'));
  } finally {
    child.kill('SIGTERM');
  }
  expect(await child.exited).toBe(0);
});
