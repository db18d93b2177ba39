/** Simulated sales of the demo account on several platforms, most with a profit. */

import { compareText } from '../../src/catalog/items/numbers.ts';
import { dayMs, formatDay } from '../../src/kernel/time.ts';
import {
  allocateUnits,
  type LedgerSaleFacts,
  type LotUnits,
} from '../../src/portfolio/lots/lots.ts';
import { rowId } from './identifiers.ts';
import type { MarketLot } from './lots.ts';
import { drawTerms } from './platforms.ts';
import { Random } from './random.ts';
import { type World, yearMs } from './world.ts';

const salesCount = 40;
const sellingYears = 2.4;

/** Minimum holding time. */
const heldDaysMin = 60;

/** Of this many random lots, the one with the largest gain is sold. */
const lotsCompared = 8;

/** In order of date; units are always sufficient. */
export function makeLedger(world: World, lots: readonly MarketLot[]): LedgerSaleFacts[] {
  if (lots.length === 0) return [];
  const random = new Random(world.seed, 'ledger');
  const stock = new Stock(lots);
  const flips = flipSales(world, lots);
  const kept = planSales(world, random, salesCount - flips.length).map(
    (plan) =>
      (plan.cost === 'given' ? null : soldFromStock(random, stock, plan)) ??
      soldElsewhere(random, lots, plan.at),
  );
  return [...kept, ...flips]
    .sort((a, b) => compareText(a.saleDate, b.saleDate))
    .map((facts, index) => ({ ...facts, sourceId: rowId('sale', index) }));
}

/** A part of each flip was sold this long ago. */
const flipDaysAgo = { min: 1, max: 12 };

function flipSales(world: World, lots: readonly MarketLot[]): LedgerSaleFacts[] {
  const random = new Random(world.seed, 'flip sales');
  return lots
    .filter(({ isFlip }) => isFlip)
    .map((lot) => {
      const at = world.today - random.between(flipDaysAgo.min, flipDaysAgo.max) * dayMs;
      const quantity = random.chance(0.5) ? 1 : lot.facts.quantity - 1;
      return { ...priced(random, { lot, at, quantity }), lot: lot.facts.sourceId };
    });
}

interface SalePlan {
  readonly at: number;
  readonly quantity: number;
  readonly cost: (typeof costs)[number]['cost'];
}

const costs = [
  { weight: 18, cost: 'given' },
  { weight: 30, cost: 'named lot' },
  { weight: 52, cost: 'first in, first out' },
] as const;

const quantities = [
  { weight: 74, quantity: 1 },
  { weight: 20, quantity: 2 },
  { weight: 6, quantity: 3 },
] as const;

/** Recent sales, in days before today. */
const lateSales = [
  { cost: 'named lot', daysMin: 14, daysMax: 26 },
  { cost: 'first in, first out', daysMin: 3, daysMax: 11 },
] as const;

/** In order of date. */
function planSales(world: World, random: Random, count: number): SalePlan[] {
  const drawQuantity = () => random.pickWeighted(quantities).quantity;
  const late = lateSales.map(({ cost, daysMin, daysMax }) => {
    const at = world.today - random.between(daysMin, daysMax) * dayMs;
    return { at, cost, quantity: drawQuantity() };
  });
  const others = Array.from({ length: count - late.length }, () => {
    const age = random.fraction() ** 1.4;
    const { cost } = random.pickWeighted(costs);
    const at = world.today - dayMs - age * sellingYears * yearMs;
    return { at, cost, quantity: drawQuantity() };
  });
  return [...late, ...others].sort((a, b) => a.at - b.at);
}

interface Unit extends LotUnits {
  readonly lot: MarketLot;
  unitsLeft: number;
}

/** Remaining units, so that no sale exceeds them. */
class Stock {
  private readonly units: readonly Unit[];

  constructor(lots: readonly MarketLot[]) {
    this.units = lots.map((lot, lotId) => {
      const { purchaseDate, priceCents, quantity } = lot.facts;
      return { lot, lotId, purchaseDate, priceCents, unitsLeft: quantity };
    });
  }

  /** A lot with enough units, held long enough; null if there is none. */
  choose(random: Random, sale: { at: number; quantity: number }): Unit | null {
    const { at, quantity } = sale;
    const boughtBy = formatDay(at - heldDaysMin * dayMs);
    const ready = this.units.filter(
      ({ unitsLeft, purchaseDate }) => unitsLeft >= quantity && purchaseDate <= boughtBy,
    );
    if (ready.length === 0) return null;
    const compared = Array.from({ length: lotsCompared }, () => random.pick(ready));
    return compared.reduce((best, unit) => (gainLog(unit, at) > gainLog(best, at) ? unit : best));
  }

  /** From one lot, or first in, first out like the ledger. */
  take(from: Unit, sale: { quantity: number; isNamed: boolean }): void {
    const { number, condition } = from.lot.facts;
    const pool = sale.isNamed
      ? [from]
      : this.units.filter(
          ({ lot }) => lot.facts.number === number && lot.facts.condition === condition,
        );
    const allocation = allocateUnits(pool, sale.quantity);
    if (!('takes' in allocation)) throw new Error('A simulated sale exceeds the remaining units.');
    for (const { lotId, quantity } of allocation.takes) {
      const unit = this.units[lotId];
      if (unit) unit.unitsLeft -= quantity;
    }
  }
}

function gainLog(unit: Unit, at: number): number {
  return Math.log(marketCents(unit.lot, at) / unit.priceCents);
}

function marketCents({ path, facts }: MarketLot, at: number): number {
  return Math.exp(facts.condition === 'sealed' ? path.sealedLog(at) : path.usedLog(at));
}

/** Null if nothing is left. */
function soldFromStock(random: Random, stock: Stock, plan: SalePlan): LedgerSaleFacts | null {
  const { at } = plan;
  const isNamed = plan.cost === 'named lot';
  const unit = stock.choose(random, plan) ?? stock.choose(random, { at, quantity: 1 });
  if (unit === null) return null;
  const quantity = Math.min(plan.quantity, unit.unitsLeft);
  stock.take(unit, { quantity, isNamed });
  const facts = priced(random, { lot: unit.lot, at, quantity });
  return isNamed ? { ...facts, lot: unit.lot.facts.sourceId } : facts;
}

/** A sale with a given cost that uses no lot. */
function soldElsewhere(random: Random, lots: readonly MarketLot[], at: number): LedgerSaleFacts {
  const released = lots.filter(({ set }) => set.releasedAt < at);
  const lot = random.pick(released.length > 0 ? released : lots);
  const facts = priced(random, { lot, at, quantity: 1 });
  return { ...facts, costCents: Math.round(marketCents(lot, at) * random.between(0.45, 0.95)) };
}

/** Factor and log spread relative to the market price. */
const priceScatter = {
  kept: { median: 1.02, deviation: 0.07 },
  flip: { median: 1, deviation: 0.12 },
};

function priced(
  random: Random,
  sale: { lot: MarketLot; at: number; quantity: number },
): LedgerSaleFacts {
  const { lot, at, quantity } = sale;
  // Flips are sold at the market price, but with more scatter.
  const { median, deviation } = lot.isFlip ? priceScatter.flip : priceScatter.kept;
  const goodsCents = marketCents(lot, at) * quantity * random.logNormal(median, deviation);
  const weightLbs = lot.set.weightLbs * quantity;
  const terms = drawTerms(random, { goodsCents, weightLbs, quantity, at });
  return {
    sourceId: '',
    kind: lot.facts.kind,
    number: lot.facts.number,
    condition: lot.facts.condition,
    saleDate: formatDay(at),
    quantity,
    ...terms,
    costCents: null,
    lot: null,
  };
}
