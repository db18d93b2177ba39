/** All simulated sales, one item at a time. */
import type { ItemKind } from '../../src/catalog/items/numbers.ts';
import {
  type Demand,
  demandOfMinifig,
  demandOfSet,
  demandScale,
  drawArrivals,
  marketMonths,
} from './arrivals.ts';
import type { Catalog, MarketSet } from './catalog.ts';
import type { Rates } from './fx.ts';
import type { MarketMinifig } from './minifigs.ts';
import { minifigPath, setPath } from './prices.ts';
import { Random } from './random.ts';
import { channelsOfMinifigs, channelsOfSets } from './sale-channels.ts';
import { type MarketSale, makeSales, type SaleItem } from './sales.ts';
import type { World } from './world.ts';

/** Sets first, then minifigs; each month by month. */
export function* marketSales(
  world: World,
  catalog: Catalog,
  rates: Rates,
): Generator<MarketSale[]> {
  const sets = catalog.sets.map((set) => ({
    demand: demandOfSet(world, set),
    makeItem: () => setItem(world, set),
  }));
  const minifigs = catalog.minifigs.map((minifig) => ({
    demand: demandOfMinifig(world, minifig),
    makeItem: () => minifigItem(world, minifig),
  }));
  const { salesPerSet, salesPerMinifig } = world.size;
  yield* salesOf(world, rates, { kind: 'set', traded: sets, salesPerItem: salesPerSet });
  yield* salesOf(world, rates, {
    kind: 'minifig',
    traded: minifigs,
    salesPerItem: salesPerMinifig,
  });
}

interface Traded {
  readonly demand: Demand;
  /** Only called for items with sales, because price paths are large. */
  makeItem(): SaleItem;
}

function* salesOf(
  world: World,
  rates: Rates,
  market: { kind: ItemKind; traded: readonly Traded[]; salesPerItem: number },
): Generator<MarketSale[]> {
  const months = marketMonths(world);
  const demands = market.traded.map(({ demand }) => demand);
  const scale = demandScale(demands, months, demands.length * market.salesPerItem);
  for (const [index, { demand, makeItem }] of market.traded.entries()) {
    const random = new Random(world.seed, 'sales', market.kind, index);
    const arrivals = drawArrivals(random, demand, { months, scale });
    if (arrivals.length > 0) yield makeSales(random, makeItem(), { world, arrivals, rates });
  }
}

function setItem(world: World, set: MarketSet): SaleItem {
  const sealed = new Random(world.seed, 'spread', set.index).logNormal(0.12, 0.35);
  return {
    kind: 'set',
    number: set.facts.number,
    path: setPath(world, set),
    spread: { sealed, used: sealed * 1.6 },
    channels: channelsOfSets,
    postageCents: 450 + 90 * set.weightLbs,
  };
}

function minifigItem(world: World, minifig: MarketMinifig): SaleItem {
  return {
    kind: 'minifig',
    number: minifig.facts.number,
    path: minifigPath(world, minifig),
    spread: { sealed: 0.2, used: 0.25 },
    channels: channelsOfMinifigs,
    postageCents: 250,
  };
}
