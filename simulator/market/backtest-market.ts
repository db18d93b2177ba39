/** The simulated market for backtests, with true values and ingestion times. */

import { compareText } from '../../src/catalog/items/numbers.ts';
import { dayMs, formatDay, parseDay } from '../../src/kernel/time.ts';
import type { Sale, StoredSale } from '../../src/market/source-rows/source-rows.ts';
import { setValuationFacts } from '../../src/market/values/valuation-facts.ts';
import type { BacktestItem, BacktestSale, BacktestWorld } from '../backtest/worlds.ts';
import { type MarketSet, makeCatalog } from './catalog.ts';
import { currencies, Rates } from './fx.ts';
import { marketSales } from './market-sales.ts';
import { movesOf } from './moves.ts';
import { makeOffers } from './offers.ts';
import { setPath } from './prices.ts';
import { Random } from './random.ts';
import { retailWeeks } from './retail-weeks.ts';
import type { MarketSale } from './sales.ts';
import { makeWorld, type World } from './world.ts';
import { worldTraits } from './world-traits.ts';

export interface BacktestMarketOptions {
  readonly world: BacktestWorld;
  readonly seed: number;
  /** 00:00 UTC; nothing happens at or after it. */
  readonly today: number;
  readonly sets: number;
  readonly years: number;
  /** In both conditions, over all years. */
  readonly salesPerSet: number;
}

/** Minifigs are only facts of sets here; their sales are not simulated. */
const minifigsPerSet = 0.75;

/** Sets with sales, one at a time. */
export function* backtestMarket(options: BacktestMarketOptions): Generator<BacktestItem> {
  const { seed, today, sets, years, salesPerSet } = options;
  const minifigs = Math.ceil(sets * minifigsPerSet);
  const size = { sets, years, salesPerSet, minifigs, salesPerMinifig: 0, offerYears: years };
  const world = makeWorld({ seed, today, size, traits: worldTraits[options.world] });
  const catalog = makeCatalog(world);
  const rates = new Rates(world);
  const byNumber = new Map(catalog.sets.map((set) => [set.facts.number, set]));
  for (const sales of marketSales(world, { ...catalog, minifigs: [] }, rates)) {
    const set = byNumber.get(sales[0]?.sale.itemKey ?? '');
    if (set) yield itemOf(world, set, { sales, rates });
  }
}

function itemOf(
  world: World,
  set: MarketSet,
  market: { readonly sales: readonly MarketSale[]; readonly rates: Rates },
): BacktestItem {
  const random = new Random(world.seed, 'arrival', set.index);
  const path = setPath(world, set);
  return {
    key: set.facts.number,
    facts: setValuationFacts(set.facts),
    sales: market.sales.map((made) => saleOf(random, made, market.rates)).sort(bySale),
    retailWeeks: retailWeeks(makeOffers(world, set)),
    trueLog: (condition, at) => (condition === 'sealed' ? path.sealedLog(at) : path.usedLog(at)),
    movedDaysAgo: movesOf(world, set.index).daysSince,
  };
}

function saleOf(random: Random, made: MarketSale, rates: Rates): BacktestSale {
  const { itemKind: _kind, itemKey: _key, ...sale } = made.sale;
  const ingestedAt = sale.soldAt + drawDelay(random);
  const retractedAt = made.isRetracted ? ingestedAt + random.between(1, 20) * dayMs : null;
  const usdPerUnit = rateOf(made.sale, rates);
  const stored: StoredSale = { ...sale, ingestedAt, retractedAt, usdPerUnit };
  return { sale: stored, isOrdinary: made.isOrdinary, isPlain: made.isPlain };
}

function rateOf({ currency, soldAt }: Sale, rates: Rates): number {
  const known = currencies.find((candidate) => candidate.code === currency);
  return known ? rates.usdPerUnit(known, parseDay(formatDay(soldAt)) ?? soldAt) : 1;
}

/** Most rows are ingested within a day, a few after weeks. */
function drawDelay(random: Random): number {
  const { from, to } = random.pickWeighted([
    { weight: 70, from: 0, to: 1 },
    { weight: 20, from: 1, to: 3 },
    { weight: 8, from: 3, to: 10 },
    { weight: 2, from: 10, to: 45 },
  ]);
  return random.between(from, to) * dayMs;
}

function bySale(a: BacktestSale, b: BacktestSale): number {
  return (
    a.sale.soldAt - b.sale.soldAt ||
    compareText(a.sale.source, b.sale.source) ||
    compareText(a.sale.sourceId, b.sale.sourceId)
  );
}
