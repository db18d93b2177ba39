/** What was known at an instant: no method sees anything that came later. */

import { monthOf, weekStart } from '../../domain/kernel/time.ts';
import type { BacktestItem, BacktestSale } from '../../domain/market/backtest-market.ts';
import type { SetToValue, ValuationFacts } from '../../domain/market/estimator.ts';
import { sampleRank } from '../../domain/market/learned-items.ts';
import type { Condition, StoredSale } from '../../domain/market/source-rows.ts';
import { admitSales } from '../engine/admit.ts';
import type { ParameterTimeline } from '../engine/parameter-timeline.ts';

/** The price of a sale: the logarithm of the cents for one unit. */
export interface Price {
  readonly at: number;
  readonly log: number;
  readonly quantity: number;
}

/** What is known of a set in one condition at an instant. */
export interface Snapshot {
  readonly at: number;
  readonly condition: Condition;
  /** In both conditions, as it could be valued then. */
  readonly set: SetToValue;
  /** Of this condition, normalised as the engine does it, in order of sale. */
  readonly prices: readonly Price[];
  /** The same, with what the engine has learned of the channels taken into account. */
  readonly levelPrices: readonly Price[];
  /** Of this condition, everything that was reported, as it was paid. */
  readonly rawPrices: readonly Price[];
}

/** A set as it could be valued at any instant. */
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

/** A sale and its prices; null where it cannot be compared with others. */
export interface PricedSale extends BacktestSale {
  readonly price: Price | null;
  readonly levelPrice: Price | null;
  readonly rawPrice: Price;
}

/** A set with the prices of its sales. */
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

/** Had arrived, and was not taken back yet. */
function wasKnown({ ingestedAt, retractedAt }: StoredSale, at: number): boolean {
  return ingestedAt < at && (retractedAt === null || retractedAt >= at);
}

/** That a sale would be taken back was not known yet. */
export function standing(sale: StoredSale): StoredSale {
  return sale.retractedAt === null ? sale : { ...sale, retractedAt: null };
}

/** A retirement that lies ahead is not known. */
export function factsAt(facts: ValuationFacts, at: number): ValuationFacts {
  const isAhead = facts.retiredAt !== null && facts.retiredAt > at;
  return isAhead ? { ...facts, retiredAt: null } : facts;
}
