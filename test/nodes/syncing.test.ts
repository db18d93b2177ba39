/** Nodes on one PostgreSQL share the budgets of sources, and take over from a killed one. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, formatInstant, minuteMs } from '../../src/kernel/time.ts';
import {
  type LiveName,
  type LiveSources,
  sourceSecrets,
  startLiveSources,
} from '../support/live-sources.ts';
import { type Cluster, joinCluster } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { childrenOf, signal, untilGone } from '../support/processes.ts';
import { programCommand } from '../support/program.ts';
import { makeMarket, marketSale, marketSet } from '../support/source-market.ts';
import { until } from '../support/until.ts';

const passwords = { api: 'api', market: 'market' };
const budget = { bricklink: 12, brickset: 8, ebay: 7 };

let server: PostgresServer;
let cluster: Cluster;
let live: LiveSources;
let folder: string;
/** From this call on, BrickLink does not respond. */
let silentFrom = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-nodes-'));
  server = await PostgresServer.launch();
  await server.query("CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'owner'");
  await server.query('CREATE DATABASE bricks OWNER owner');
  cluster = await joinCluster(addressAs('owner', 'owner'), true);
  await cluster.run(['migrate']);
  const stdin = Object.entries(passwords).map((entry) => `${entry.join('=')}\n`);
  await cluster.run(['roles', '--apply', '--password-file', '-'], { stdin: stdin.join('') });
  const sets = Array.from({ length: 8 }, (_, index) =>
    marketSet({ number: String(10400 + index) }),
  );
  const sales = sets.map(({ number }) =>
    marketSale({ itemKey: number, soldAt: Date.now() - 2 * dayMs }),
  );
  live = startLiveSources({
    market: makeMarket({ sets, sales }),
    clock: Date.now,
    callsPerDay: budget,
    wrap: (source, handler) => (request) =>
      source === 'bricklink' && countCalls('bricklink') >= silentFrom
        ? new Promise(() => {})
        : handler(request),
  });
});

afterAll(async () => {
  await cluster?.close();
  await live?.stop();
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const countCalls = (name: keyof typeof budget) =>
  live.calls.filter(({ source }) => source === name).length;

function addressAs(username: string, password: string): string {
  const url = new URL(server.url('bricks'));
  url.username = username;
  url.password = password;
  return url.href;
}

/** The environment of a node: its own folder, and the market role. */
function node(
  name: string,
  ahead = 0,
  sources: readonly LiveName[] = ['brickset', 'bricklink'],
): Record<string, string> {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'sources.toml'), live.settings(sources));
  return {
    ...sourceSecrets,
    PATH: process.env.PATH ?? '',
    BRICKMARK_DATA: data,
    BRICKMARK_DATABASE_URL: addressAs('brickmark_market', passwords.market),
    BRICKMARK_NOW: formatInstant(Date.now() + ahead),
  };
}

async function start(words: readonly string[], env: Record<string, string>) {
  const child = Bun.spawn([...(await programCommand()), ...words], {
    env,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  return child;
}

test('a node killed during a call is replaced, within one budget', async () => {
  silentFrom = 5;
  const first = await start(['upkeep'], node('first'));
  await until(() => countCalls('bricklink') === 5);
  const children = childrenOf(first.pid);
  for (const pid of [first.pid, ...children]) signal(pid, 'SIGKILL');
  await first.exited;
  await untilGone(children);
  silentFrom = Number.POSITIVE_INFINITY;
  // The lease of half a minute has expired by this node's clock.
  const second = await start(['sync', '--once', '--json'], node('second', minuteMs));
  const result = JSON.parse(await new Response(second.stdout).text());
  expect(await second.exited).toBe(0);
  expect(result.sources).toMatchObject([
    { source: 'bricklink', calls: budget.bricklink - 5, error: null },
  ]);
  expect(countCalls('bricklink')).toBe(budget.bricklink);
});

test('nodes that start calls at once make exactly as many as are left', async () => {
  // A check is a call that needs no lease.
  const nodes = Array.from({ length: 4 }, (_, index) => node(`node-${index}`, 0, ['ebay']));
  const running = nodes.map(async (env) => {
    let granted = 0;
    for (let count = 0; count < 3; count++) {
      const child = await start(['sync', 'check', 'ebay', '--json'], env);
      const { sources } = JSON.parse(await new Response(child.stdout).text());
      expect(await child.exited).toBe(0);
      if (sources[0].result === 'works') granted++;
    }
    return granted;
  });
  const granted = (await Promise.all(running)).reduce((sum, count) => sum + count, 0);
  expect(granted).toBe(budget.ebay);
});

test("the server's role can read the state of sources, but not call them", async () => {
  const env = { BRICKMARK_DATABASE_URL: addressAs('brickmark_api', passwords.api) };
  const status = await cluster.json<{ sources: { source: string }[] }>(['sync', 'status'], { env });
  expect(status.sources.map(({ source }) => source)).toEqual(['bricklink', 'brickset', 'ebay']);
  const before = live.calls.length;
  const refused = await cluster.run(['sync', '--once'], {
    env: { ...node('api'), PATH: process.env.PATH ?? '', ...env },
  });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('This database role cannot import');
  expect(live.calls).toHaveLength(before);
});
