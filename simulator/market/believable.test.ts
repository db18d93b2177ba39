/** The demo market is realistic: prices, sales and lots. */
import { describe, expect, test } from 'bun:test';
import { dayMs, formatDay, hourMs, minuteMs, yearsBetween } from '../../src/kernel/time.ts';
import { foldOffers } from '../../src/market/retail/retail-state.ts';
import type { Condition, Offer } from '../../src/market/source-rows/source-rows.ts';
import { type Catalog, type MarketSet, makeCatalog } from './catalog.ts';
import { demoCollection, demoMarket, makeDemoWorld } from './demo-world.ts';
import { Rates } from './fx.ts';
import { makeLedger } from './ledger.ts';
import { makeLots } from './lots.ts';
import { marketSales } from './market-sales.ts';
import { makeOffers } from './offers.ts';
import { setPath } from './prices.ts';
import { makeWorld, type World } from './world.ts';
import { worldTraits } from './world-traits.ts';

const seed = 20_261_115;
const today = Date.UTC(2026, 10, 15);
const small = { sets: 60, minifigs: 45, years: 5, salesPerSet: 20 };
const email = 'demo@example.com';

const world = makeWorld({ seed, today });
const catalog = makeCatalog(world);

/** The same without bargains. */
const usual: World = {
  ...world,
  traits: { ...world.traits, bargainTimes: 0, overlookedChance: 0 },
};

/** A day of each month at different times, the first just after midnight. */
const instants = Array.from({ length: 12 }, (_, index) => {
  const day = today + index * 31 * dayMs;
  return { today: day, now: day + minuteMs + index * 2 * hourMs };
});

describe('third parties', () => {
  const asked = catalog.sets.flatMap((set) => {
    const offers = makeOffers(usual, set).filter((offer) => offer.sellerType === 'third_party');
    return offers.length > 0 ? [{ set, offers }] : [];
  });

  test('ask 1.15 to 1.4 times the retail price at first', () => {
    const first = asked.flatMap(({ set, offers: [offer] }) => {
      const isFirst = set.retiredAt > today - world.size.offerYears * 365 * dayMs;
      return isFirst ? [(offer?.priceCents ?? 0) / set.msrpCents] : [];
    });
    expect(first.length).toBeGreaterThan(100);
    expect(quantile(first, 0.5)).toBeWithin(1.2, 1.35);
    expect(quantile(first, 0.05)).toBeGreaterThan(1.08);
    expect(quantile(first, 0.95)).toBeLessThan(1.47);
  });

  test('ask a modest premium over the market a year later', () => {
    const later = asked.flatMap(({ set, offers }) => {
      const offer = offers.at(-1);
      if (!offer || yearsBetween(set.retiredAt, today) < 1.5) return [];
      return [(offer.priceCents ?? 0) / Math.exp(setPath(world, set).sealedLog(today))];
    });
    expect(later.length).toBeGreaterThan(500);
    expect(quantile(later, 0.5)).toBeWithin(1.04, 1.12);
    expect(quantile(later, 0.1)).toBeGreaterThan(0.95);
    expect(quantile(later, 0.9)).toBeLessThan(1.22);
  });
});

describe('bargains', () => {
  const asked = instants.slice(0, 3).map((when) => {
    const then = makeWorld({ seed, ...when });
    return makeCatalog(then).sets.flatMap((set) => {
      const offers = makeOffers(then, set);
      const valueCents = Math.exp(setPath(then, set).sealedLog(when.now));
      return lastOffers(offers).flatMap((offer) => {
        const share = (offer.priceCents ?? Number.POSITIVE_INFINITY) / valueCents;
        const age = when.now - offer.observedAt;
        return share < 0.6 && offer.inStock ? [{ set, offer, share, age }] : [];
      });
    });
  });

  test('exist on any day, at both retailers, for many themes and prices', () => {
    for (const bargains of asked) {
      expect(bargains.length).toBeWithin(25, 90);
      const all = new Set(bargains.flatMap(({ offer }) => [offer.retailer, offer.sellerType]));
      expect([...all].sort()).toEqual(['retailer', 'retailer_a', 'retailer_b', 'third_party']);
      expect(new Set(bargains.map(({ set }) => set.theme.name)).size).toBeGreaterThan(8);
      const prices = bargains.map(({ offer }) => offer.priceCents ?? 0);
      expect(Math.min(...prices)).toBeLessThan(20_00);
      expect(Math.max(...prices)).toBeGreaterThan(100_00);
    }
  });

  test('cost about half of the value, except for a few pricing errors', () => {
    const shares = asked.flat().map(({ share }) => share);
    expect(quantile(shares, 0.5)).toBeWithin(0.42, 0.58);
    expect(quantile(shares, 0.15)).toBeGreaterThan(0.33);
    expect(shares.filter((share) => share < 0.26).length).toBeGreaterThan(0);
  });

  test('were observed within the day, except for a few', () => {
    const old = asked.flat().filter(({ age }) => age > 48 * hourMs).length;
    expect(old).toBeGreaterThan(0);
    expect(old).toBeLessThan(0.15 * asked.flat().length);
  });

  test('are not part of backtest markets', () => {
    const measured = { ...world, traits: worldTraits.A };
    const sets = catalog.sets.slice(0, 200);
    expect(sets.map((set) => makeOffers(measured, set))).toEqual(
      sets.map((set) => makeOffers(usual, set)),
    );
  });
});

describe('the time of the day', () => {
  const [morning, night] = [today + 8 * hourMs, today + 23.9 * hourMs];

  test('is midnight by default', () => {
    const records = [...demoMarket(makeDemoWorld({ seed, today, size: small }))];
    expect([...demoMarket(makeDemoWorld({ seed, today, now: today, size: small }))]).toEqual(
      records,
    );
  });

  test('changes nothing but offers, and none that are older than five days', () => {
    const records = (now: number) =>
      [...demoMarket(makeDemoWorld({ seed, today, now, size: small }))].filter(
        ({ kind, observed_at: at }) =>
          kind !== 'offer' || Date.parse(String(at)) < today - 5 * dayMs,
      );
    expect(records(morning)).toEqual(records(today));
    expect(records(night)).toEqual(records(today));
    const owned = [...demoCollection(makeDemoWorld({ seed, today, size: small }), email)];
    expect([
      ...demoCollection(makeDemoWorld({ seed, today, now: night, size: small }), email),
    ]).toEqual(owned);
  });

  test('is never before an offer, even just after midnight', () => {
    for (const now of [today, today + 1, today + minuteMs, night]) {
      const offers = catalog.sets.flatMap((set) => makeOffers({ ...world, now }, set));
      const latest = offers.reduce((last, { observedAt }) => Math.max(last, observedAt), 0);
      expect(latest).toBeWithin(now - 10 * minuteMs, now);
      const looks = offers.map(({ retailer, setKey, observedAt }) =>
        [retailer, setKey, observedAt].join(' '),
      );
      expect(new Set(looks).size).toBe(offers.length);
    }
  });

  test('includes recent changes of held sets on any day', () => {
    for (const when of instants) {
      const then = makeWorld({ seed, ...when });
      const sets = makeCatalog(then);
      const ages = heldSets(sets, collectionOf(then, sets)).map(
        (set) => when.now - lastChange(makeOffers(then, set)),
      );
      const within = (ms: number) => ages.filter((age) => age <= ms).length;
      expect(within(30 * minuteMs)).toBeGreaterThanOrEqual(1);
      expect(within(3 * hourMs)).toBeGreaterThanOrEqual(2);
      expect(within(24 * hourMs)).toBeWithin(3, ages.length / 2);
    }
  });
});

describe('the collection of any day', () => {
  for (const when of instants.slice(0, 4)) {
    const then = makeWorld({ seed, today: when.today });
    const sets = makeCatalog(then);
    const { lots, sales } = collectionOf(then, sets);
    const day = formatDay(when.today);
    const monthAgo = formatDay(when.today - 30 * dayMs);

    test(`sells several units in about a quarter of the sales (${day})`, () => {
      expect(sales).toHaveLength(40);
      expect(sales.filter(({ quantity }) => quantity > 1).length).toBeWithin(6, 15);
    });

    test(`sold within the last month from a named lot and first in, first out (${day})`, () => {
      const late = sales.filter(({ saleDate }) => saleDate >= monthAgo);
      expect(late.some(({ lot }) => lot !== null)).toBe(true);
      expect(late.some(({ lot, costCents }) => lot === null && costCents === null)).toBe(true);
    });

    test(`sold units of sets that were bought within the last month (${day})`, () => {
      const recent = lots.filter(({ purchaseDate }) => purchaseDate >= monthAgo);
      const flips = sales.flatMap((sale) => {
        const lot = recent.find(({ sourceId }) => sourceId === sale.lot);
        return lot ? [{ lot, sale }] : [];
      });
      expect(flips.length).toBeGreaterThanOrEqual(3);
      for (const { lot, sale } of flips) {
        expect(sale.saleDate > lot.purchaseDate && sale.quantity < lot.quantity).toBe(true);
      }
    });

    test(`bought within the last month, and sets that are sold in their condition (${day})`, () => {
      expect(lots).toHaveLength(60);
      expect(lots.some(({ purchaseDate }) => purchaseDate >= monthAgo)).toBe(true);
      const dearest = Math.max(...lots.map((lot) => lot.quantity * lot.priceCents));
      expect(dearest).toBeLessThan(100_000);
      const counts = salesCounts(then, sets);
      const sold = lots.map((lot) => counts.get(countKey(lot)) ?? 0);
      expect(sold.filter((count) => count === 0)).toEqual([]);
      expect(sold.filter((count) => count < 5).length).toBeLessThanOrEqual(3);
    });
  }
});

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

/** The lots and the recorded sales of a world. */
function collectionOf(world: World, catalog: Catalog) {
  const lots = makeLots(world, catalog);
  return { lots: lots.map(({ facts }) => facts), sales: makeLedger(world, lots) };
}

/** Sets with unsold units. */
function heldSets(
  { sets }: Catalog,
  { lots, sales }: ReturnType<typeof collectionOf>,
): MarketSet[] {
  const left = new Map<string, number>();
  const add = (number: string, units: number) => left.set(number, (left.get(number) ?? 0) + units);
  for (const lot of lots) add(lot.number, lot.quantity);
  for (const sale of sales) if (sale.costCents === null) add(sale.number, -sale.quantity);
  return sets.filter((set) => (left.get(set.facts.number) ?? 0) > 0);
}

/** The last offer of each retailer. */
function lastOffers(offers: readonly Offer[]): Offer[] {
  return [...new Map(offers.map((offer) => [offer.retailer, offer])).values()];
}

/** Time of the last price change at any retailer; 0 if there is none. */
function lastChange(offers: readonly Offer[]): number {
  const changes = (['retailer_a', 'retailer_b'] as const).map((retailer) => {
    const state = foldOffers(
      null,
      offers.filter((offer) => offer.retailer === retailer),
    );
    return state?.change?.at ?? 0;
  });
  return Math.max(...changes);
}

function countKey({ number, condition }: { number: string; condition: Condition }): string {
  return `${number} ${condition}`;
}

/** Number of sales by set and condition. */
function salesCounts(of: World, sets: Catalog): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sales of marketSales(of, { ...sets, minifigs: [] }, new Rates(of))) {
    for (const { sale } of sales) {
      const key = countKey({ number: sale.itemKey, condition: sale.condition });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}
