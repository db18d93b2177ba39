/**
 * The cost of searches in an imported catalog: `bun bench/search.ts FOLDER [TIMES]`. No result page
 * is cached. With TIMES, every item is duplicated that many times under other numbers.
 */
import { Freshness } from '../src/api/memory/freshness.ts';
import { SearchIndex } from '../src/api/memory/search-index.ts';
import type { ItemKind } from '../src/catalog/items/numbers.ts';
import type { ListedEntry } from '../src/market/published/published-records.ts';
import type { MarketReading } from '../src/publish/reading.store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { expectedSearches } from '../test/real/searches.ts';

const [folder, times = '1'] = process.argv.slice(2);
if (folder === undefined) throw new Error('Say which folder has the store: bench/search.ts FOLDER');

/** Rounds over all terms, with variations so that no page is cached. */
const rounds = 9;
const copyMark = '~';

const store = openSqliteStore(folder, { waits: false });
const market = Number(times) > 1 ? await copied(store.market, Number(times)) : store.market;
const index = new SearchIndex(market, new Freshness(market), Date.now);
Bun.gc(true);
const before = process.memoryUsage().rss;
const [loadMs] = await timed(() => index.warm());
Bun.gc(true);
const items = (await market.listKeys('set')).length + (await market.listKeys('minifig')).length;
const grownMb = (process.memoryUsage().rss - before) / 2 ** 20;
console.log(`${items} items: read in ${loadMs.toFixed(0)} ms, ${grownMb.toFixed(0)} MB`);

const costs: { readonly term: string; readonly ms: number }[] = [];
for (let round = 0; round < rounds; round++) {
  for (const { kind, term } of expectedSearches) {
    // Trailing spaces only change the cache key.
    const spaced = `${term}${' '.repeat(round)}`;
    const [ms] = await timed(() => index.findPage({ kind, term: spaced, limit: 50, offset: 0 }));
    // In the first rounds code is not yet compiled, as in a server's first searches.
    if (round > 1) costs.push({ term, ms });
  }
}
costs.sort((a, b) => a.ms - b.ms);
const at = (share: number) => costs[Math.floor(share * (costs.length - 1))]?.ms.toFixed(2);
console.log(`processor ms: median ${at(0.5)}, 90th ${at(0.9)}, 99th ${at(0.99)}, most ${at(1)}`);
for (const { term, ms } of costs.slice(-5)) console.log(`  ${term}: ${ms.toFixed(2)}`);
await store.close();

/** CPU time in milliseconds, which other programs do not affect. */
async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return [(user + system) / 1_000, result];
}

/** A market with several copies of everything. */
async function copied(of: MarketReading, count: number): Promise<MarketReading> {
  const entries: Record<ItemKind, ListedEntry[]> = { set: [], minifig: [] };
  for (const kind of ['set', 'minifig'] as const) {
    for (const entry of await of.listSearchEntries(kind, '', 10_000_000)) {
      for (let copy = 0; copy < count; copy++) {
        const key = copy === 0 ? entry.key : `${entry.key}${copyMark}${copy}`;
        entries[kind].push({ ...entry, key });
      }
    }
    entries[kind].sort((a, b) => (a.key < b.key ? -1 : 1));
  }
  return {
    ...of,
    listKeys: async (kind) => entries[kind].map(({ key }) => key),
    listSearchEntries: async (kind, afterKey, limit) => {
      const from = entries[kind].findIndex(({ key }) => key > afterKey);
      return from < 0 ? [] : entries[kind].slice(from, from + limit);
    },
    findSearchRows: (kind, keys) =>
      of.findSearchRows(
        kind,
        keys.map((key) => key.split(copyMark)[0] ?? key),
      ),
  };
}
