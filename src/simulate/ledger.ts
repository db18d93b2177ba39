/** Made-up sales of an account: forty, over several platforms, most with a profit. */
import { allocateUnits, type LedgerSaleFacts, type LotUnits } from '../domain/lots.ts';
import { dayMs, formatDay } from '../domain/time.ts';
import { rowId } from './identifiers.ts';
import type { MarketLot } from './lots.ts';
import { drawTerms } from './platforms.ts';
import { Random } from './random.ts';
import { type World, yearMs } from './world.ts';

const salesCount = 40;
const sellingYears = 2.4;

/** Nothing is sold before it was held for a while. */
const heldDaysMin = 60;

/** A seller looks at this many lots and sells the one that gained most. */
const lotsCompared = 8;

/** The recorded sales, in order of date. Each finds enough units left when applied in order. */
export function makeLedger(world: World, lots: readonly MarketLot[]): LedgerSaleFacts[] {
  if (lots.length === 0) return [];
  const random = new Random(world.seed, 'ledger');
  const stock = new Stock(lots);
  const ages = Array.from({ length: salesCount }, () => random.fraction() ** 1.4);
  const days = ages
    .sort((a, b) => b - a)
    .map((age) => world.today - dayMs - age * sellingYears * yearMs);
  return days.map((at, index) => {
    const how = random.fraction();
    const lot = how < givenCostChance ? null : stock.choose(random, at);
    const facts = lot
      ? soldFromStock(random, stock, { lot, at, isNamed: how < givenCostChance + namedLotChance })
      : soldElsewhere(random, lots, at);
    return { ...facts, sourceId: rowId('sale', index) };
  });
}

const givenCostChance = 0.18;
const namedLotChance = 0.3;

interface Unit extends LotUnits {
  readonly lot: MarketLot;
  unitsLeft: number;
}

/** What is left of the lots, so that no sale takes what is not there. */
class Stock {
  private readonly units: readonly Unit[];

  constructor(lots: readonly MarketLot[]) {
    this.units = lots.map((lot, lotId) => {
      const { purchaseDate, priceCents, quantity } = lot.facts;
      return { lot, lotId, purchaseDate, priceCents, unitsLeft: quantity };
    });
  }

  /** A lot with units left that has been held long enough; null when there is none. */
  choose(random: Random, at: number): Unit | null {
    const boughtBy = formatDay(at - heldDaysMin * dayMs);
    const ready = this.units.filter((unit) => unit.unitsLeft > 0 && unit.purchaseDate <= boughtBy);
    if (ready.length === 0) return null;
    const compared = Array.from({ length: lotsCompared }, () => random.pick(ready));
    return compared.reduce((best, unit) => (gainLog(unit, at) > gainLog(best, at) ? unit : best));
  }

  /** Takes units from one lot, or first in, first out as the ledger itself does. */
  take(from: Unit, sale: { quantity: number; isNamed: boolean }): void {
    const { setNumber, condition } = from.lot.facts;
    const pool = sale.isNamed
      ? [from]
      : this.units.filter(
          ({ lot }) => lot.facts.setNumber === setNumber && lot.facts.condition === condition,
        );
    const allocation = allocateUnits(pool, sale.quantity);
    if (!('takes' in allocation)) throw new Error('A made-up sale takes more than there is.');
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

function soldFromStock(
  random: Random,
  stock: Stock,
  sale: { lot: Unit; at: number; isNamed: boolean },
): LedgerSaleFacts {
  const { lot: unit, at, isNamed } = sale;
  const quantity = random.chance(0.25) ? Math.min(2, unit.unitsLeft) : 1;
  stock.take(unit, { quantity, isNamed });
  const facts = priced(random, { lot: unit.lot, at, quantity });
  return isNamed ? { ...facts, lot: unit.lot.facts.sourceId } : facts;
}

/** A box that never was in the collection: its cost is given, and no lot is touched. */
function soldElsewhere(random: Random, lots: readonly MarketLot[], at: number): LedgerSaleFacts {
  const released = lots.filter(({ set }) => set.releasedAt < at);
  const lot = random.pick(released.length > 0 ? released : lots);
  const facts = priced(random, { lot, at, quantity: 1 });
  return { ...facts, costCents: Math.round(marketCents(lot, at) * random.between(0.45, 0.95)) };
}

function priced(
  random: Random,
  sale: { lot: MarketLot; at: number; quantity: number },
): LedgerSaleFacts {
  const { lot, at, quantity } = sale;
  const goodsCents = marketCents(lot, at) * quantity * random.logNormal(1.02, 0.07);
  const terms = drawTerms(random, { goodsCents, weightLbs: lot.set.weightLbs * quantity });
  return {
    sourceId: '',
    setNumber: lot.facts.setNumber,
    condition: lot.facts.condition,
    saleDate: formatDay(at),
    quantity,
    ...terms,
    costCents: null,
    lot: null,
  };
}
