/** A made-up collection: what one reseller bought over three years, and what became of it. */
import type { BrickfolioFacts, LedgerSaleFacts, LotFacts } from '../domain/portfolio/lots.ts';
import type { Catalog } from './catalog.ts';
import { makeLedger } from './ledger.ts';
import { brickfolios, makeLots } from './lots.ts';
import type { World } from './world.ts';

/** Everything private of one account. */
export interface Collection {
  readonly brickfolios: readonly BrickfolioFacts[];
  readonly lots: readonly LotFacts[];
  readonly sales: readonly LedgerSaleFacts[];
}

/** The collection of a world. Without lots where nothing could have been bought. */
export function makeCollection(world: World, catalog: Catalog): Collection {
  const lots = makeLots(world, catalog);
  return {
    brickfolios: [brickfolios.sealed, brickfolios.built],
    lots: lots.map((lot) => lot.facts),
    sales: makeLedger(world, lots),
  };
}
