/** The sources of the live demo: valid settings, and every source responds. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLiveWorld } from '../../simulator/market/live-world.ts';
import {
  priceListMapping,
  simulatedSecrets,
  simulatedSettings,
  simulatedSources,
  simulateSources,
} from '../../simulator/sources/all-sources.ts';
import { MarketIndex } from '../../simulator/sources/source-market.ts';
import { findSyncSettings, makeConnectors } from '../../src/cli/sync/sync-sources.ts';
import { minuteMs } from '../../src/kernel/time.ts';
import { makeSourceClient } from '../../src/sync/client.work.ts';
import { sources } from '../../src/sync/sources.work.ts';

const start = Date.UTC(2026, 10, 16, 9);
const time = { now: start };
const clock = () => time.now;
const size = { sets: 60, minifigs: 45, years: 2, salesPerSet: 30 };
const { market, endsAt } = makeLiveWorld({ seed: 7, start, size });
const limits = { callsPerDay: { brickset: 9, bricklink: 9, ebay: 9 }, tokensPerMinute: 20 };
const folder = mkdtempSync(join(tmpdir(), 'brickmark-all-sources-'));
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: simulateSources({ market: new MarketIndex(market), clock, limits }),
});
const url = `http://127.0.0.1:${server.port}`;

afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

function readSettings() {
  for (const [source, keys] of Object.entries(simulatedSecrets)) {
    for (const [name, secret] of Object.entries(keys)) {
      writeFileSync(join(folder, `${source}-${name}`), `${secret}\n`, { mode: 0o600 });
    }
  }
  const mapping = join(folder, 'retailer-b.mapping.json');
  writeFileSync(mapping, JSON.stringify(priceListMapping));
  const text = simulatedSettings({ url, secrets: folder, mapping }, { limits, every: '1m' });
  writeFileSync(join(folder, 'sources.toml'), text);
  return findSyncSettings({ dataFolder: folder, sourcesFile: null, readVariable: () => null });
}

test('the settings enable every source, and each responds', async () => {
  const settings = readSettings();
  if (settings === null) throw new Error('There are no settings.');
  expect(settings.warnings).toEqual([]);
  const connectors = makeConnectors(settings, clock);
  expect(connectors.map(({ name }) => name)).toEqual([...simulatedSources]);
  const client = makeSourceClient({ userAgent: 'test', clock, secrets: settings.secrets });
  for (const connector of connectors) {
    // BrickLink is asked for a set that this market does not have, and says so.
    await expect(connector.check(client)).resolves.toContain(' ');
  }
});

test('every source is simulated', () => {
  const named = sources.filter(({ isMany }) => !isMany).map(({ name }) => name);
  expect([...simulatedSources]).toEqual(expect.arrayContaining(named));
});

test("retailer B's list has its recent prices, and more as time passes", async () => {
  const list = async () => (await (await fetch(`${url}/retailer-b/prices.csv`)).text()).split('\n');
  const [heading, ...first] = await list();
  expect(heading).toBe('Set,Price,List,Seen,Stock');
  time.now = endsAt - minuteMs;
  const later = await list();
  time.now = start;
  expect(later.length).toBeGreaterThan(first.length + 5);
});

test('an unknown source is a 404', async () => {
  expect((await fetch(`${url}/moon/prices.csv`)).status).toBe(404);
});
