/** Simulated lots of the demo account, some of the same set at different prices. */

import { compareText } from '../../src/catalog/items/numbers.ts';
import { dayMs, formatDay } from '../../src/kernel/time.ts';
import type { Condition } from '../../src/market/source-rows/source-rows.ts';
import { type BrickfolioFacts, type GivenLot, lotDefaults } from '../../src/portfolio/lots/lots.ts';
import { demandOfSet, expectedSales, marketMonths } from './arrivals.ts';
import type { Catalog, MarketSet } from './catalog.ts';
import { rowId } from './identifiers.ts';
import { setPath, type ValuePath } from './prices.ts';
import { Random } from './random.ts';
import { type World, yearMs } from './world.ts';

export interface MarketLot {
  readonly facts: GivenLot;
  readonly set: MarketSet;
  readonly path: ValuePath;
  /** Bought and resold within weeks. */
  readonly isFlip: boolean;
}

/** The first one is the default. */
export const brickfolios = {
  sealed: {
    name: 'Investment shelf',
    description: 'Sealed boxes, bought to be sold after retirement.',
    isDefault: true,
  },
  built: {
    name: 'Display cabinet',
    description: 'Built sets on display.',
    isDefault: false,
  },
} as const satisfies Record<string, BrickfolioFacts>;

export const giftShelf: BrickfolioFacts = {
  name: 'Gifts and finds',
  description: 'Gifts and flea market finds, without receipts.',
  isDefault: false,
};

const lotsCount = 60;
const setsMax = 42;
const buyingYears = 3;

/** Minimum age of a purchase. */
const latestPurchaseMs = 7 * dayMs;

/** Maximum cost of a lot. */
const lotCentsMax = 60_000;

/** Lots bought in the last weeks. */
const newLotsCount = 2;
const newLotsMs = 28 * dayMs;

/** Recent flips with units already sold, so that predictions can be graded. */
const flipsCount = 4;
const flipDaysAgo = { min: 17, max: 27 };
const flipQuantity = { min: 2, max: 3 };

/** Cheaper sets leave too little after shipping, and expensive ones are bought once. */
const flipMsrpCents = { min: 50_00, max: 100_00 };

/** Cost relative to value. */
const flipShare = { min: 0.5, max: 0.62 };

/** In order of purchase; empty if there is nothing to buy. */
export function makeLots(world: World, catalog: Catalog): MarketLot[] {
  const random = new Random(world.seed, 'lots');
  const sellable = bestSelling(world, buyableSets(world, catalog));
  const shuffled = random.shuffle(sellable);
  const chosen = shuffled.slice(0, setsMax);
  if (chosen.length === 0) return [];
  const kept = Array.from({ length: lotsCount - flipsCount }, (_, index) => {
    const set = chosen[index % chosen.length] ?? random.pick(chosen);
    const agoMaxMs = index < newLotsCount ? newLotsMs : buyingYears * yearMs;
    return buy(world, random, { set, agoMaxMs });
  });
  const lots = [...kept, ...makeFlips(world, shuffled)];
  return lots
    .sort((a, b) => compareText(a.facts.purchaseDate, b.facts.purchaseDate))
    .map((lot, index) => ({ ...lot, facts: { ...lot.facts, sourceId: rowId('lot', index) } }));
}

function makeFlips(world: World, shuffled: readonly MarketSet[]): MarketLot[] {
  const random = new Random(world.seed, 'flips');
  const { min, max } = flipMsrpCents;
  const others = shuffled
    .slice(setsMax)
    .filter(({ msrpCents }) => msrpCents >= min && msrpCents <= max);
  return Array.from({ length: flipsCount }, (_, index) => {
    const set = others[index] ?? random.pick(shuffled);
    const at = world.today - random.between(flipDaysAgo.min, flipDaysAgo.max) * dayMs;
    const path = setPath(world, set);
    const share = random.between(flipShare.min, flipShare.max);
    const facts: GivenLot = {
      ...lotDefaults,
      sourceId: '',
      brickfolio: brickfolios.sealed.name,
      kind: 'set',
      number: set.facts.number,
      quantity: flipQuantity.min + random.below(flipQuantity.max - flipQuantity.min + 1),
      condition: 'sealed',
      priceCents: Math.round(Math.exp(path.sealedLog(at)) * share),
      purchaseDate: formatDay(at),
      status: 'listed',
    };
    return { facts, set, path, isFlip: true };
  });
}

/** Affordable sets, most of them available at the time. */
function buyableSets(world: World, catalog: Catalog): MarketSet[] {
  const random = new Random(world.seed, 'taste');
  const released = catalog.sets.filter((set) => set.releasedAt < world.today - 120 * dayMs);
  const candidates = released.filter((set) => {
    const wasInShops = set.retiredAt > world.today - (buyingYears - 0.5) * yearMs;
    const isAffordable = set.msrpCents >= 2_500 && set.msrpCents <= 45_000;
    const isKnown = set.facts.msrpCents !== null && !set.isNeverSold;
    return isAffordable && isKnown && (wasInShops || random.chance(0.06));
  });
  return candidates.length > 0 ? candidates : released;
}

/** Sets are drawn from this many best sellers. */
const sellableMax = 3 * setsMax;

/** By expected sales in the last year, in the condition with fewer of them. */
function bestSelling(world: World, sets: readonly MarketSet[]): MarketSet[] {
  const year = marketMonths(world).slice(-12);
  const rated = sets.map((set) => {
    const { sealed, used } = expectedSales(demandOfSet(world, set), year);
    return { set, sales: Math.min(sealed, used) };
  });
  const sorted = rated.sort((a, b) => b.sales - a.sales || a.set.index - b.set.index);
  return sorted.slice(0, sellableMax).map(({ set }) => set);
}

function buy(
  world: World,
  random: Random,
  options: { readonly set: MarketSet; readonly agoMaxMs: number },
): MarketLot {
  const { set } = options;
  const from = Math.max(set.releasedAt, world.today - options.agoMaxMs);
  const at = random.between(from, world.today - latestPurchaseMs);
  const condition: Condition = random.chance(0.78) ? 'sealed' : 'used';
  const isInvestment = condition === 'sealed' && random.chance(0.92);
  const path = setPath(world, set);
  const priceCents = Math.round(pricePaid(random, { set, path, condition, at }));
  const quantityWanted = isInvestment ? 1 + random.poisson(1.9) : 1;
  const facts: GivenLot = {
    ...lotDefaults,
    sourceId: '',
    brickfolio: isInvestment ? brickfolios.sealed.name : brickfolios.built.name,
    kind: 'set',
    number: set.facts.number,
    quantity: Math.max(1, Math.min(quantityWanted, Math.floor(lotCentsMax / priceCents))),
    condition,
    priceCents,
    purchaseDate: formatDay(at),
    status: random.chance(0.2) ? 'listed' : 'owned',
  };
  return { facts, set, path, isFlip: false };
}

const shopDiscounts = [0, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4] as const;

/** Around the retail price while available, later or used around the market price. */
function pricePaid(
  random: Random,
  deal: { set: MarketSet; path: ValuePath; condition: Condition; at: number },
): number {
  const { set, path, condition, at } = deal;
  if (condition === 'used') return Math.exp(path.usedLog(at)) * random.between(0.7, 1.05);
  if (at < set.retiredAt) return set.msrpCents * (1 - random.pick(shopDiscounts));
  return Math.exp(path.sealedLog(at)) * random.between(0.8, 1.05);
}

const giftsCount = { known: 5, neverSold: 2 };

/** Without a known price, half of them without a known date. */
export function makeGifts(world: World, catalog: Catalog): GivenLot[] {
  const random = new Random(world.seed, 'gifts');
  const released = catalog.sets.filter((set) => set.releasedAt < world.today - yearMs);
  const known = released.filter(({ isNeverSold, facts }) => !isNeverSold && facts.msrpCents);
  const neverSold = released.filter(({ isNeverSold, facts }) => isNeverSold && !facts.msrpCents);
  const given = [
    ...random.shuffle(known).slice(0, giftsCount.known),
    ...random.shuffle(neverSold).slice(0, giftsCount.neverSold),
  ];
  return given.map((set, index) => ({
    ...lotDefaults,
    sourceId: `gift-${index + 1}`,
    brickfolio: giftShelf.name,
    kind: 'set',
    number: set.facts.number,
    quantity: 1,
    condition: random.chance(0.4) ? 'sealed' : 'used',
    priceCents: set.facts.msrpCents ?? 0,
    purchaseDate: formatDay(set.releasedAt),
    isEstimated: true,
    dateBasis: index % 2 === 0 ? 'unknown' : 'assumed',
  }));
}
