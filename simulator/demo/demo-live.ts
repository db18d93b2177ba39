/**
 * `demo --live`: the simulated market advances, and simulated sources are synced by the same
 * process as real ones.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandError, type Context, withStore } from '../../src/cli/command.ts';
import {
  clearLiveDemo,
  clearUnfinishedDemo,
  type DemoSignIn,
  prepareDemo,
} from '../../src/cli/demo.ts';
import type { Store } from '../../src/store/store.ts';
import { makeLiveWorld } from '../market/live-world.ts';
import {
  priceListMapping,
  simulatedSecrets,
  simulatedSettings,
  simulateSources,
} from '../sources/all-sources.ts';
import { MarketIndex } from '../sources/source-market.ts';
import { demoSeed } from './make-demo.ts';

/** Generous, so that something happens within a minute. */
const limits = {
  callsPerDay: { brickset: 1_000, bricklink: 100_000, ebay: 50_000 },
  tokensPerMinute: 3_000,
};

/** Creates a new demo, starts its sources, and serves it until the server ends. */
export async function serveLiveDemo(
  context: Context,
  serve: (store: Store, demo: DemoSignIn) => Promise<void>,
): Promise<void> {
  const { config } = context;
  if (config.databaseUrl !== null) {
    throw new CommandError('The live demo uses its own folder. Remove --database.');
  }
  clearUnfinishedDemo(config);
  clearLiveDemo(config);
  const { clock } = config;
  const world = makeLiveWorld({ seed: demoSeed, start: clock() });
  const demo = await withStore(context, (store) => prepareDemo(store, context, world));
  const market = new MarketIndex(world.market);
  const sources = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: simulateSources({ market, clock, limits }),
  });
  try {
    writeSettings(config.dataFolder, `http://127.0.0.1:${sources.port}`);
    await withStore(context, (store) => serve(store, demo), { isServing: true });
  } finally {
    await sources.stop(true);
  }
}

function writeSettings(dataFolder: string, url: string): void {
  const folder = resolve(dataFolder);
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  for (const [source, keys] of Object.entries(simulatedSecrets)) {
    for (const [name, secret] of Object.entries(keys)) {
      writeFileSync(join(secrets, `${source}-${name}`), `${secret}\n`, { mode: 0o600 });
    }
  }
  const mapping = join(folder, 'retailer-b.mapping.json');
  writeFileSync(mapping, JSON.stringify(priceListMapping, null, 2));
  const text = simulatedSettings({ url, secrets, mapping }, { limits, every: '1m' });
  writeFileSync(join(folder, 'sources.toml'), text);
}
