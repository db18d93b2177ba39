/**
 * The demo's market and collection as records of the feed, which are imported, valued and published
 * like real data. Pure functions of a world.
 */

import { feedSource } from '../../src/ingest/feed/feed-catalog.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import type { PrivateRow } from '../../src/portfolio/lots/private-rows.ts';
import { type Catalog, makeCatalog } from './catalog.ts';
import { brickfolioRecord, holdingRecord, ledgerSaleRecord, marketRecord } from './feed-records.ts';
import { Rates } from './fx.ts';
import { makeLedger } from './ledger.ts';
import { makeListingCounts } from './listing-counts.ts';
import { describeLot } from './lot-details.ts';
import { brickfolios, giftShelf, makeGifts, makeLots } from './lots.ts';
import { marketSales } from './market-sales.ts';
import { makeMinifigLots, minifigDrawer } from './minifig-lots.ts';
import { makeOffers } from './offers.ts';
import { makePartOuts } from './part-outs.ts';
import type { MarketSale } from './sales.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

/** A world with its catalog, from which the parts of a demo are made. */
export interface DemoWorld {
  readonly world: World;
  readonly catalog: Catalog;
}

export function makeDemoWorld(options: WorldOptions): DemoWorld {
  const world = makeWorld(options);
  return { world, catalog: makeCatalog(world) };
}

/** The market as records, like those of a file. */
export function* demoMarket(demo: DemoWorld): Generator<JsonObject> {
  for (const row of marketRows(demo)) yield marketRecord(row);
}

/**
 * Rates and catalog first, then sales with retractions, offers, units for sale and
 * values of parts. Rows as they are
 * read from the records, because writing and reading the text of each takes long.
 */
export function* marketRows({ world, catalog }: DemoWorld): Generator<MarketRow> {
  const rates = new Rates(world);
  for (const rate of rates.list()) yield { kind: 'fx', rate };
  yield* catalogRows(catalog);
  for (const sales of marketSales(world, catalog, rates)) yield* saleRows(sales);
  for (const set of catalog.sets) {
    for (const offer of makeOffers(world, set)) yield { kind: 'offer', offer };
  }
  for (const listings of makeListingCounts(world, catalog)) yield { kind: 'listings', listings };
  for (const partOut of makePartOuts(world, catalog)) yield { kind: 'part_out', partOut };
}

export function* catalogRows({ minifigs, sets }: Catalog): Generator<MarketRow> {
  for (const { facts } of minifigs) yield { kind: 'minifig', source: feedSource, facts };
  for (const { facts } of sets) {
    yield { kind: 'set', source: feedSource, facts: { ...facts, itemClass: null } };
  }
}

/** Retractions last. */
export function* saleRows(sales: readonly MarketSale[]): Generator<MarketRow> {
  for (const { sale } of sales) yield { kind: 'sale', sale };
  for (const { sale, isRetracted } of sales) {
    if (isRetracted) yield { kind: 'retract', source: sale.source, sourceId: sale.sourceId };
  }
}

/** The collection of an account, with sets of the same market. */
export function* demoCollection(
  { world, catalog }: DemoWorld,
  email: string,
): Generator<JsonObject> {
  // Empty if there was nothing to buy.
  const lots = makeLots(world, catalog);
  const shelves = [...Object.values(brickfolios), minifigDrawer];
  for (const facts of shelves) yield brickfolioRecord(email, facts);
  for (const lot of [...lots, ...makeMinifigLots(world, catalog)]) {
    yield holdingRecord(email, describeLot(world, lot));
  }
  for (const facts of makeLedger(world, lots)) yield ledgerSaleRecord(email, facts);
}

/** Lots with an assumed price, which the feed cannot express. */
export function demoGifts({ world, catalog }: DemoWorld, email: string): PrivateRow[] {
  const lots = makeGifts(world, catalog);
  return [
    { kind: 'brickfolio', email, facts: giftShelf },
    ...lots.map((facts) => ({ kind: 'holding' as const, email, facts })),
  ];
}
