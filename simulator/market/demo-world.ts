/**
 * The demo's market and collection as records of the feed, which are imported, valued and published
 * like real data. Pure functions of a place.
 */

import type { JsonObject } from '../../src/kernel/json.ts';
import type { PrivateRow } from '../../src/portfolio/lots/private-rows.ts';
import { type Catalog, makeCatalog } from './catalog.ts';
import {
  brickfolioRecord,
  holdingRecord,
  ledgerSaleRecord,
  listingsRecord,
  minifigRecord,
  offerRecord,
  rateRecord,
  retractRecord,
  saleRecord,
  setRecord,
} from './feed-records.ts';
import { Rates } from './fx.ts';
import { makeLedger } from './ledger.ts';
import { makeListingCounts } from './listing-counts.ts';
import { describeLot } from './lot-details.ts';
import { brickfolios, giftShelf, makeGifts, makeLots } from './lots.ts';
import { marketSales } from './market-sales.ts';
import { makeMinifigLots, minifigDrawer } from './minifig-lots.ts';
import { makeOffers } from './offers.ts';
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

/** Rates and catalog first, then sales with retractions, offers and units for sale. */
export function* demoMarket({ world, catalog }: DemoWorld): Generator<JsonObject> {
  const rates = new Rates(world);
  for (const rate of rates.list()) yield rateRecord(rate);
  for (const minifig of catalog.minifigs) yield minifigRecord(minifig.facts);
  for (const set of catalog.sets) yield setRecord(set.facts);
  for (const sales of marketSales(world, catalog, rates)) {
    for (const { sale } of sales) yield saleRecord(sale);
    for (const { sale, isRetracted } of sales) if (isRetracted) yield retractRecord(sale);
  }
  for (const set of catalog.sets) {
    for (const offer of makeOffers(world, set)) yield offerRecord(offer);
  }
  for (const count of makeListingCounts(world, catalog)) yield listingsRecord(count);
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
