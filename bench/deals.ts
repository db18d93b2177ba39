/**
 * The cost of deals in a catalog with offers of both retailers for every set: `npm run
 * bench:deals`, or `npm run bench:deals -- SETS`. One offer in ten is a bargain. All figures are
 * CPU time, which other programs do not affect.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DealIndex } from '../src/api/memory/deal-index.ts';
import { Freshness } from '../src/api/memory/freshness.ts';
import { defaultTerms } from '../src/buying/boxes/quotes.ts';
import { type DealQuestion, usualFilters } from '../src/buying/deals/find-deals.ts';
import { findSetDeals } from '../src/buying/deals/set-deals.ts';
import type { FeeTables } from '../src/buying/prices/selling-channels.ts';
import { foldOffers } from '../src/market/retail/retail-state.ts';
import type { Retailer } from '../src/market/source-rows/source-rows.ts';
import { valueEngine } from '../src/market/values/engine.ts';
import { setFacts } from '../src/market/values/valuation-inputs.ts';
import { makePublisher } from '../src/publish/publisher.work.ts';
import type { MarketPublishing } from '../src/publish/publishing.store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { publishSettings } from '../test/support/publish-settings.ts';
import { fillMarket, now } from './retail-market.ts';

const sets = Number(process.argv[2] ?? 25_000);
/** Measurements per query; the median counts. */
const rounds = 21;
const publishRounds = 3;

const { tables } = publishSettings;
const folder = mkdtempSync(join(tmpdir(), 'brickmark-deals-'));
const store = openSqliteStore(folder);
try {
  await fillMarket(store, sets);
  await measurePublishing();
  await measureFinding();
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measurePublishing(): Promise<void> {
  await publisherOf(store.market).publishStale();
  const withDeals: number[] = [];
  const unwritten: number[] = [];
  for (let round = 0; round < publishRounds; round++) {
    unwritten.push(await cpuOf(() => publisherOf(withoutDeals(store.market)).publishAll()));
    withDeals.push(await cpuOf(() => publisherOf(store.market).publishAll()));
  }
  const judging = await judge();
  const [whole, less] = [median(withDeals), median(unwritten)];
  const deals = whole - less + judging;
  console.log(
    `publishing ${sets} sets: ${(whole / 1_000).toFixed(1)} s; of that, deals ` +
      `${(deals / 1_000).toFixed(2)} s (found in ${(judging / 1_000).toFixed(2)} s): ` +
      `${((100 * deals) / (whole - deals)).toFixed(1)} % on top of the rest`,
  );
}

function publisherOf(market: MarketPublishing) {
  return makePublisher(market, { engine: valueEngine, ...publishSettings }, () => now);
}

/** A store that does not save deals. */
function withoutDeals(market: MarketPublishing): MarketPublishing {
  const publish: MarketPublishing['publish'] = (items) =>
    market.publish(items.map((item) => ({ ...item, deals: null })));
  return { ...market, publish };
}

/** The CPU time of finding the deals of all sets, without other work. */
async function judge(): Promise<number> {
  let cpu = 0;
  for (let from = 1; from <= sets; from += 500) {
    const ids = Array.from({ length: 500 }, (_, index) => from + index);
    const inputs = await store.market.loadInputs(ids, { at: now, withSeries: false });
    const made = inputs.flatMap((item) => {
      const { evidence } = item;
      const state = (of: Retailer) => foldOffers(item.retail[of].kept, item.retail[of].offers);
      const retail = { retailer_a: state('retailer_a'), retailer_b: state('retailer_b') };
      const set = { facts: setFacts(item), statusId: 4 as const, retail };
      return evidence ? [{ item, set: { ...set, evidence } }] : [];
    });
    cpu += await cpuOf(async () => {
      for (const { item, set } of made) findSetDeals(item, set, { tables, at: now });
    });
  }
  return cpu;
}

async function measureFinding(): Promise<void> {
  const { market } = store;
  const index = new DealIndex(market, new Freshness(market));
  const question: DealQuestion = {
    terms: defaultTerms,
    filters: usualFilters,
    at: now,
    limit: 50,
    offset: 0,
  };
  const ask = (given: Partial<DealQuestion> = {}, by: FeeTables = tables) =>
    index.find(by, { ...question, ...given });
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const first = await cpuOf(() => ask());
  Bun.gc(true);
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  const candidates = (await market.listDeals(null, 1_000_000)).length;
  console.log(
    `${candidates} of ${2 * sets} offers may be deals; at the usual terms ` +
      `${(await ask()).total} are. Read and judged for the first time in ${first.toFixed(0)} ms, ` +
      `which takes ${grown.toFixed(0)} MB`,
  );
  const share = (of: number) => ({ terms: { ...defaultTerms, share: of } });
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    'the usual terms': () => ask(),
    'another margin': () => ask({ terms: { ...defaultTerms, marginBasisPoints: 4_000 } }),
    'another share, again': () => ask(share(0.9)),
    'the last page': () => ask({ offset: 4_000 }),
    'one theme': () => ask({ filters: { ...usualFilters, theme: 'Theme 7' } }),
    'a share that nobody asked for before': () => ask(share(0.5 + Math.random() * 0.45)),
    "fees of one's own": () => ask({}, { ...tables }),
  };
  for (const [name, work] of Object.entries(asked)) {
    await work();
    const costs: number[] = [];
    for (let round = 0; round < rounds; round++) costs.push(await cpuOf(work));
    console.log(`  ${name}: ${median(costs).toFixed(1)} ms`);
  }
  const changed: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: 50 }, (_, place) => round * 50 + place + 1);
    await market.postponeDue(ids, now - 1);
    await publisherOf(market).publishDue(50);
    changed.push(await cpuOf(() => ask()));
  }
  console.log(`  the usual terms after 50 sets were published: ${median(changed).toFixed(1)} ms`);
}

/** CPU time in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function median(costs: readonly number[]): number {
  return [...costs].sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
}
