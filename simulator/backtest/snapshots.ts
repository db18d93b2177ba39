/** The data known at an instant, so that no method sees the future. */

import { monthOf, weekStart } from '../../src/kernel/time.ts';
import type { Condition, StoredSale } from '../../src/market/source-rows/source-rows.ts';
import { admitSales } from '../../src/market/values/engine/admit.ts';
import type { ParameterTimeline } from '../../src/market/values/engine/parameter-timeline.ts';
import type { SetToValue, ValuationFacts } from '../../src/market/values/estimator.ts';
import { sampleRank } from '../../src/market/values/learned-items.ts';
import type { BacktestItem, BacktestSale } from './worlds.ts';

/** Log of unit cents. */
export interface Price {
  readonly at: number;
  readonly log: number;
  readonly quantity: number;
}

export interface Snapshot {
  readonly at: number;
  readonly condition: Condition;
  /** In both conditions. */
  readonly set: SetToValue;
  /** In this condition, normalized like in the engine, in order of sale. */
  readonly prices: readonly Price[];
  /** Adjusted by learned channel offsets. */
  readonly levelPrices: readonly Price[];
  /** As paid, including rejected sales. */
  readonly rawPrices: readonly Price[];
}

export class SetHistory {
  readonly item: BacktestItem;
  readonly rank: number;

  constructor(item: BacktestItem) {
    this.item = item;
    this.rank = sampleRank(item.key);
  }

  at(at: number): SetToValue {
    const sales = this.item.sales.flatMap(({ sale }) =>
      wasKnown(sale, at) ? [standing(sale)] : [],
    );
    const retailWeeks = this.item.retailWeeks.filter(({ week }) => weekStart(week + 1) <= at);
    return { facts: factsAt(this.item.facts, at), sales, retailWeeks };
  }
}

/** Prices are null if the sale is not comparable. */
export interface PricedSale extends BacktestSale {
  readonly price: Price | null;
  readonly levelPrice: Price | null;
  readonly rawPrice: Price;
}

export class PriceHistory {
  readonly sales: readonly PricedSale[];
  readonly #history: SetHistory;

  constructor(item: BacktestItem, timeline: ParameterTimeline) {
    this.#history = new SetHistory(item);
    const rows = admitSales(item.sales.map(({ sale }) => sale));
    this.sales = item.sales.map((known, index) => {
      const { soldAt: at, quantity, ...sale } = known.sale;
      const row = rows[index];
      const paid = (sale.priceCents + sale.shippingCents) * sale.usdPerUnit;
      const rawPrice = { at, log: Math.log(paid / quantity), quantity };
      if (!row || row.rejection) return { ...known, price: null, levelPrice: null, rawPrice };
      const price = { at, log: row.log, quantity };
      const offset = timeline.at(monthOf(at)).parameters.offsets.set[row.channel];
      return { ...known, price, levelPrice: { ...price, log: row.log - offset }, rawPrice };
    });
  }

  at(at: number, condition: Condition): Snapshot {
    const known = this.sales.filter(
      ({ sale }) => sale.condition === condition && wasKnown(sale, at),
    );
    return {
      at,
      condition,
      set: this.#history.at(at),
      prices: known.flatMap(({ price }) => price ?? []),
      levelPrices: known.flatMap(({ levelPrice }) => levelPrice ?? []),
      rawPrices: known.map(({ rawPrice }) => rawPrice),
    };
  }
}

/** Ingested and not yet retracted. */
function wasKnown({ ingestedAt, retractedAt }: StoredSale, at: number): boolean {
  return ingestedAt < at && (retractedAt === null || retractedAt >= at);
}

/** The sale as it was before its retraction. */
export function standing(sale: StoredSale): StoredSale {
  return sale.retractedAt === null ? sale : { ...sale, retractedAt: null };
}

/** Retirements are unknown until they happen. */
export function factsAt(facts: ValuationFacts, at: number): ValuationFacts {
  const isAhead = facts.retiredAt !== null && facts.retiredAt > at;
  return isAhead ? { ...facts, retiredAt: null } : facts;
}
