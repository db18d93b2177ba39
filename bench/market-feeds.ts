/** Writes a generated market as feeds, for benchmarks of imports. */
import { join } from 'node:path';
import { makeCatalog } from '../simulator/market/catalog.ts';
import {
  offerRecord,
  rateRecord,
  retractRecord,
  saleRecord,
  setRecord,
} from '../simulator/market/feed-records.ts';
import { Rates } from '../simulator/market/fx.ts';
import { marketSales } from '../simulator/market/market-sales.ts';
import { makeOffers } from '../simulator/market/offers.ts';
import { makeWorld, type World } from '../simulator/market/world.ts';
import { dayMs, hourMs, monthOf } from '../src/kernel/time.ts';
import type { Offer } from '../src/market/source-rows/source-rows.ts';

export interface MarketSize {
  readonly sets: number;
  readonly sales: number;
  /** Sales in a file of their own, to be imported after all others. */
  readonly later: number;
  /** Sets that are looked at every hour. */
  readonly watchedSets: number;
  readonly looksPerSet: number;
}

/** Paths of feeds, and the numbers of all sets. */
export interface MarketFiles {
  readonly catalog: string;
  readonly sales: readonly string[];
  readonly later: string;
  readonly looks: string;
  readonly numbers: readonly string[];
}

const seed = 16;

/** Writes the market, with sales in files by month. */
export async function writeMarket(folder: string, size: MarketSize): Promise<MarketFiles> {
  const world = makeWorld({
    seed,
    today: Math.floor(Date.now() / dayMs) * dayMs,
    size: {
      sets: size.sets,
      salesPerSet: (1.02 * (size.sales + size.later)) / size.sets,
      minifigs: 0,
      salesPerMinifig: 0,
      offerYears: 2,
    },
  });
  const catalog = makeCatalog(world);
  const rates = new Rates(world);
  const path = (name: string) => join(folder, `${name}.ndjson`);
  const catalogFile = Bun.file(path('catalog')).writer();
  for (const rate of rates.list()) catalogFile.write(`${JSON.stringify(rateRecord(rate))}\n`);
  for (const { facts } of catalog.sets) catalogFile.write(`${JSON.stringify(setRecord(facts))}\n`);
  await catalogFile.end();
  const sales = await writeSales({ world, catalog, rates, path }, size);
  const looksFile = Bun.file(path('looks')).writer();
  const watched = catalog.sets.filter((set) => makeOffers(world, set).length > 0);
  for (const set of watched.slice(0, size.watchedSets)) {
    for (const look of hourlyLooks(world, makeOffers(world, set), size.looksPerSet)) {
      looksFile.write(`${JSON.stringify(offerRecord(look))}\n`);
    }
    await looksFile.flush();
  }
  await looksFile.end();
  const numbers = catalog.sets.map(({ facts }) => facts.number);
  return { catalog: path('catalog'), looks: path('looks'), numbers, ...sales };
}

interface Market {
  readonly world: World;
  readonly catalog: ReturnType<typeof makeCatalog>;
  readonly rates: Rates;
  /** The path of a feed. */
  path(name: string): string;
}

async function writeSales(
  { world, catalog, rates, path }: Market,
  size: MarketSize,
): Promise<{ readonly sales: readonly string[]; readonly later: string }> {
  const writers = new Map<number, ReturnType<ReturnType<typeof Bun.file>['writer']>>();
  const monthFile = (month: number) => path(`sales-${month}`);
  const writerOf = (month: number) => {
    const writer = writers.get(month) ?? Bun.file(monthFile(month)).writer();
    writers.set(month, writer);
    return writer;
  };
  const laterWriter = Bun.file(path('later')).writer();
  let [written, later] = [0, 0];
  for (const made of marketSales(world, catalog, rates)) {
    // The sales of some items are kept for later.
    const isLater = later * size.sales < written * size.later;
    for (const { sale, isRetracted } of made) {
      const writer = isLater ? laterWriter : writerOf(monthOf(sale.soldAt));
      writer.write(`${JSON.stringify(saleRecord(sale))}\n`);
      if (isRetracted) writer.write(`${JSON.stringify(retractRecord(sale))}\n`);
    }
    if (isLater) later += made.length;
    else written += made.length;
  }
  await laterWriter.end();
  for (const writer of writers.values()) await writer.end();
  return { sales: [...writers.keys()].sort((a, b) => a - b).map(monthFile), later: path('later') };
}

/** Hourly observations of a retailer, which repeat its latest offer. */
function* hourlyLooks(
  world: World,
  offers: readonly Offer[],
  looksPerSet: number,
): Generator<Offer> {
  const [first] = offers;
  if (!first) return;
  const own = offers.filter(({ retailer }) => retailer === first.retailer);
  let next = 0;
  for (let hour = looksPerSet; hour > 0; hour--) {
    const observedAt = world.today - hour * hourMs;
    while ((own[next + 1]?.observedAt ?? Number.POSITIVE_INFINITY) <= observedAt) next++;
    yield { ...(own[next] ?? first), observedAt };
  }
}
