/** Helper processes that stand still or die are replaced; those that go on in time are not. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInstant } from '../../src/kernel/time.ts';
import { commandNow, makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { type LiveSources, sourceSecrets, startLiveSources } from '../support/live-sources.ts';
import { writeRows } from '../support/many-rows.ts';
import { readMetrics } from '../support/metrics.ts';
import { helperOf, signal, untilGone } from '../support/processes.ts';
import { addWebhook, deliverySettings, type Receiver, startReceiver } from '../support/receiver.ts';
import { makeMarket, marketSet } from '../support/source-market.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

const now = parseInstant(commandNow) ?? 0;
const helpers = ['pages', 'answers', 'delivery', 'upkeep'] as const;
let place: Workplace;
let live: LiveSources;
let receiver: Receiver;
let server: Served;
let key: string;

beforeEach(async () => {
  place = makeWorkplace();
  receiver = startReceiver();
  const market = makeMarket({ sets: [marketSet({ number: '10401' })], sales: [] });
  live = startLiveSources({ market, clock: () => now });
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: [] });
  await writeRows(place.data, 'ledger_sale', { accountId: 1, count: 300 });
  writeFileSync(join(place.data, 'sources.toml'), live.settings(['brickset']));
  const hook = { accountId: 1, address: receiver.url, at: now, kinds: ['retail.price'] } as const;
  await addWebhook(place, hook);
  const env = { ...deliverySettings(place), ...sourceSecrets, BRICKMARK_METRICS_PORT: '0' };
  server = await place.serve({ env });
});

afterEach(async () => {
  await place.close();
  await receiver.stop();
  await live.stop();
});

const page = async () => (await fetch(`${server.url}/sign-in`)).status;
const analytics = async () => (await server.get('/brickfolio/analytics', key)).status;

/** Starts all helpers, and returns their processes. */
async function startAll(): Promise<Map<string, number>> {
  expect([await page(), await analytics()]).toEqual([200, 200]);
  const pids = new Map<string, number>();
  for (const helper of helpers) {
    await until(() => helperOf(server.pid, helper) !== null);
    pids.set(helper, helperOf(server.pid, helper) ?? 0);
  }
  return pids;
}

async function readServerMetrics() {
  await until(() => /Metrics are at \S+\.\s/.test(server.errors()));
  const [, url = ''] = /Metrics are at (\S+)\.\s/.exec(server.errors()) ?? [];
  return readMetrics(await (await fetch(url)).text());
}

/** The sockets of helpers. */
function sockets(): string[] {
  const folders = readdirSync(tmpdir()).filter((name) =>
    name.startsWith(`brickmark-serve-${server.pid}-`),
  );
  return folders.flatMap((name) => readdirSync(join(tmpdir(), name))).toSorted();
}

test('stopped helpers are replaced and counted, and their sockets are removed', async () => {
  const first = await startAll();
  expect(sockets()).toEqual(['answers-0', 'pages-0']);
  for (const pid of first.values()) signal(pid, 'SIGSTOP');
  await untilGone([...first.values()]);
  for (const helper of helpers) await until(() => helperOf(server.pid, helper) !== null);
  await until(async () => (await page()) === 200 && (await analytics()) === 200);
  await until(() => sockets().join() === 'answers-1,pages-1');
  const metrics = await readServerMetrics();
  for (const helper of helpers) {
    expect(metrics.value('brickmark_helper_replaced_total', { helper })).toBe(1);
    expect(server.errors()).toContain(`The process for ${helper} stands still`);
  }
});

test('helpers that are killed are replaced, counted and logged like stopped ones', async () => {
  const first = await startAll();
  for (const pid of first.values()) signal(pid, 'SIGKILL');
  await untilGone([...first.values()]);
  // Requests start the first two again; an answer that was not made before needs the second.
  const other = async () => (await server.get('/brickfolio/analytics?period=30d', key)).status;
  await until(async () => (await page()) === 200 && (await other()) === 200);
  for (const helper of helpers) await until(() => helperOf(server.pid, helper) !== null);
  const metrics = await readServerMetrics();
  for (const helper of helpers) {
    expect(metrics.value('brickmark_helper_replaced_total', { helper })).toBe(1);
    expect(server.errors()).toContain(
      `The process for ${helper} was killed (SIGKILL), so it is replaced.`,
    );
  }
  // The end of the server is not the death of its helpers.
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.errors().match(/so it is replaced/g)).toHaveLength(helpers.length);
});

test('a pause of server and helpers together replaces none of them', async () => {
  const first = await startAll();
  const all = [server.pid, ...first.values()];
  for (const pid of all) signal(pid, 'SIGSTOP');
  // Longer than a helper alone may stand still.
  await Bun.sleep(7_000);
  for (const pid of all) signal(pid, 'SIGCONT');
  expect([await page(), await analytics()]).toEqual([200, 200]);
  for (const [helper, pid] of first) expect(helperOf(server.pid, helper)).toBe(pid);
  expect(server.errors()).not.toContain('stands still');
});

test('helpers have no settings of others', async () => {
  const first = await startAll();
  const environment = (helper: string) =>
    readFileSync(`/proc/${first.get(helper)}/environ`, 'utf8');
  const secret = Object.keys(sourceSecrets)[0] ?? '';
  expect(environment('upkeep')).toContain(`${secret}=`);
  for (const helper of ['pages', 'answers', 'delivery']) {
    expect(environment(helper)).not.toContain(`${secret}=`);
  }
  expect(environment('delivery')).toContain('BRICKMARK_SECRET_FILE=/');
  expect(environment('upkeep')).not.toContain('BRICKMARK_SECRET_FILE=/');
});
