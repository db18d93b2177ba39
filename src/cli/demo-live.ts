/**
 * `demo --live`: a demo whose market goes on. Simulated sources tell what happens, and the same
 * process that asks real ones asks them: what one watches is the product, and not a film.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Store } from '../domain/store.ts';
import { makeLiveWorld } from '../simulate/live-world.ts';
import {
  priceListMapping,
  simulatedSecrets,
  simulatedSettings,
  simulateSources,
} from '../simulate/sources/all-sources.ts';
import { MarketIndex } from '../simulate/sources/source-market.ts';
import { CommandError, type Context } from './command.ts';
import {
  clearLiveDemo,
  clearUnfinishedDemo,
  type DemoSignIn,
  demoSeed,
  prepareDemo,
} from './demo.ts';
import { withStore } from './with-store.ts';

/** Generous, so that there is something to see within the minute. */
const limits = {
  callsPerDay: { brickset: 1_000, bricklink: 100_000, ebay: 50_000 },
  tokensPerMinute: 3_000,
};

/** Makes the demo anew, starts its sources, and serves it until the server ends. */
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

/** Settings as an operator would write them, with secrets in files of their own. */
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
