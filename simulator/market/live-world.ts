/**
 * A live market: its past as rows, and its future for simulated sources, at an accelerated pace.
 */

import { dayMs, dayOf, hourMs, minuteMs, parseDay } from '../../src/kernel/time.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import type { Offer, Sale } from '../../src/market/source-rows/source-rows.ts';
import type { SourceMarket } from '../sources/source-market.ts';
import { type Catalog, makeCatalog } from './catalog.ts';
import { catalogRows, saleRows } from './demo-world.ts';
import { currencies, Rates } from './fx.ts';
import { marketSales } from './market-sales.ts';
import { makeOffers } from './offers.ts';
import { Random } from './random.ts';
import type { MarketSale } from './sales.ts';
import { makeWorld, type WorldOptions } from './world.ts';

/** Simulated days after the start. */
const daysAhead = 60;

/** One simulated day takes two minutes. */
const daysPerDay = 1 / 720;

export interface LiveWorld {
  readonly past: Iterable<MarketRow>;
  /** Events after the start, at accelerated times. */
  readonly market: SourceMarket;
  readonly endsAt: number;
}

export function makeLiveWorld(
  options: Omit<WorldOptions, 'today' | 'now'> & { readonly start: number },
): LiveWorld {
  const { start } = options;
  const today = dayOf(start + daysAhead * dayMs) * dayMs;
  const world = makeWorld({ ...options, today });
  const catalog = makeCatalog(world);
  const rates = new Rates(world);
  const sales = [...marketSales(world, catalog, rates)].flat();
  const offersBySet = catalog.sets.map((set) =>
    withLooks(makeOffers(world, set), start, new Random(world.seed, 'look', set.index)),
  );
  /** Maps a simulated instant to real time. */
  const seenAt = (at: number) => Math.round(start + (at - start) * daysPerDay);
  return {
    past: pastRows({ start, catalog, rates, sales, offers: offersBySet.flat() }),
    market: {
      sets: catalog.sets.map(({ facts }) => facts),
      minifigs: catalog.minifigs.map(({ facts }) => facts),
      sales: later(sales, start).map((sale) => ({ ...sale, soldAt: seenAt(sale.soldAt) })),
      offers: offersBySet.flatMap((own) => {
        const later = own.filter(({ observedAt }) => observedAt >= start);
        return [
          ...latestBefore(own, start),
          ...later.map((offer) => ({ ...offer, observedAt: seenAt(offer.observedAt) })),
        ];
      }),
      usdPerUnit: Object.fromEntries(
        currencies.map((currency) => [currency.code, rates.usdPerUnit(currency, start)]),
      ),
    },
    endsAt: seenAt(today),
  };
}

/** Adds an observation of each retailer within the day before the start. */
function withLooks(offers: readonly Offer[], start: number, random: Random): Offer[] {
  const lookedAt = Math.floor((start - random.between(1, 20) * hourMs) / minuteMs) * minuteMs;
  const looks = latestBefore(offers, lookedAt).map((offer) => ({ ...offer, observedAt: lookedAt }));
  return [...offers, ...looks].sort((a, b) => a.observedAt - b.observedAt);
}

/** The latest offer of each retailer, which starts its history. */
function latestBefore(offers: readonly Offer[], at: number): Offer[] {
  const latest = new Map<string, Offer>();
  for (const offer of offers) if (offer.observedAt < at) latest.set(offer.retailer, offer);
  return [...latest.values()];
}

/** Sources do not report sales that are retracted later. */
function later(sales: readonly MarketSale[], start: number): Sale[] {
  return sales
    .filter(({ sale, isRetracted }) => sale.soldAt >= start && !isRetracted)
    .map(({ sale }) => sale);
}

function* pastRows(world: {
  readonly start: number;
  readonly catalog: Catalog;
  readonly rates: Rates;
  readonly sales: readonly MarketSale[];
  readonly offers: readonly Offer[];
}): Generator<MarketRow> {
  const { start, catalog, rates, sales, offers } = world;
  for (const rate of rates.list())
    if ((parseDay(rate.date) ?? start) < start) yield { kind: 'fx', rate };
  yield* catalogRows(catalog);
  yield* saleRows(sales.filter(({ sale }) => sale.soldAt < start));
  for (const offer of offers) if (offer.observedAt < start) yield { kind: 'offer', offer };
}
