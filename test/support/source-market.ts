/** A small market for simulated sources, and a planner that asks about all of it. */

import { MarketIndex, type SourceMarket } from '../../simulator/sources/source-market.ts';
import type { SetFacts } from '../../src/catalog/items/catalog.ts';
import { type ItemKind, itemKey } from '../../src/catalog/items/numbers.ts';
import { dayMs } from '../../src/kernel/time.ts';
import type { Offer, Sale } from '../../src/market/source-rows/source-rows.ts';
import type { Planner, RankedQuestion, SourceNames } from '../../src/sync/planning.ts';
import { aMinifig, anOffer, aSale, aSet } from './builders.ts';
import { readAt } from './read-options.ts';

export function marketSet(facts: Partial<SetFacts> & { readonly number: string }): SetFacts {
  return aSet({ title: `Set ${facts.number}`, year: 2024, ...facts });
}

/** By default a sale of set 10482 ten days ago. */
export function marketSale(given: Partial<Sale> = {}): Sale {
  return aSale({
    itemKey: '10482',
    priceCents: 11_999,
    soldAt: readAt - 10 * dayMs,
    channel: 'bricklink',
    ...given,
  });
}

/** By default an offer of set 10482 by retailer A ten days ago. */
export function marketOffer(given: Partial<Offer> = {}): Offer {
  return anOffer({
    setKey: '10482',
    observedAt: readAt - 10 * dayMs,
    priceCents: 9_999,
    listPriceCents: 11_999,
    sellerType: 'retailer',
    inStock: true,
    asin: 'B0HARBOUR1',
    ...given,
  });
}

/** By default two sets, one of them with two minifigs. */
export function makeMarket(given: Partial<SourceMarket> = {}): MarketIndex {
  const figs = ['cst001', 'cst002'];
  return new MarketIndex({
    sets: [
      marketSet({ number: '10482', minifigs: figs, ean: '5702010000012', upc: '673419000017' }),
      marketSet({ number: '10483' }),
    ],
    minifigs: figs.map((number) => aMinifig({ number, name: `Keeper ${number}` })),
    sales: [],
    offers: [],
    usdPerUnit: { EUR: 1.1 },
    ...given,
  });
}

export interface AskedItem extends Partial<SourceNames> {
  readonly kind?: ItemKind;
  readonly number: string;
  readonly askedAt?: number;
}

/** A planner that ranks items in the given order, with each topic of their kind once. */
export function plannerOf(items: readonly AskedItem[]): Planner {
  const all = items.map((item) => ({
    ...item,
    kind: item.kind ?? ('set' as const),
    key: itemKey(item.kind ?? 'set', item.number),
  }));
  return {
    rank: async ({ topics, limit }) =>
      all
        .flatMap(({ kind, key, number, askedAt = null }) =>
          topics
            .filter((topic) => topic.kind === kind)
            .map(({ name }): RankedQuestion => {
              return { kind, key, topic: name, number, worth: 1, askedAt, reason: 'never asked' };
            }),
        )
        .slice(0, limit),
    findNames: async (kind, keys) =>
      new Map(
        all
          .filter((item) => item.kind === kind && keys.includes(item.key))
          .map(({ key, number, bricklink = [number], asin = null, barcodes = [] }) => [
            key,
            { bricklink, asin, barcodes },
          ]),
      ),
  };
}
