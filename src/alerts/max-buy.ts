/** What accounts may pay for items by their own buying settings, worked out where it decides. */
import { type BuyingSettings, tablesOf, termsOf } from '../domain/buying/buying-settings.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import { type BestSale, bestSale, profitOf } from '../domain/buying/deal.ts';
import { maxBuyCents } from '../domain/buying/max-buy.ts';
import type { BuyTerms, Resale } from '../domain/buying/resale.ts';
import type { ResaleRecord } from '../domain/market/market-reading.ts';

/** What it is worked out from. */
export interface MaxBuySource {
  /** Read where somebody's max buy price is asked for. */
  findTables(): FeeTables;
  /** What is known of selling one unit of a set, sealed; null where it has no value. */
  readResale(record: ResaleRecord): Resale | null;
}

/** The max buy prices of a set. How it is best sold is worked out once for all who agree on it. */
export class MaxBuyPrices {
  private resale: Resale | null | undefined;
  private readonly sales = new Map<FeeTables, Map<string, BestSale | null>>();

  constructor(
    private readonly source: MaxBuySource,
    private readonly record: ResaleRecord,
    private readonly at: number,
  ) {}

  /** What may be paid, if that is at least so much; null otherwise. */
  find(buyer: Buyer, atLeastCents: number): number | null {
    if (this.resale === undefined) this.resale = this.source.readResale(this.record);
    // Where no sale supports a value, pages name no price either.
    if (this.resale === null || this.resale.tier === 'modeled') return null;
    const sale = this.findSale(this.resale, buyer);
    if (sale === null || profitOf(Math.ceil(atLeastCents), sale, buyer.terms) === null) return null;
    return maxBuyCents(sale.netCents, buyer.terms, sale.waitDays);
  }

  private findSale(resale: Resale, { tables, terms, decisive }: Buyer): BestSale | null {
    const known = this.sales.get(tables) ?? new Map<string, BestSale | null>();
    this.sales.set(tables, known);
    const found = known.get(decisive);
    if (found !== undefined) return found;
    const sale = bestSale(tables, resale, { terms, at: this.at });
    known.set(decisive, sale);
    return sale;
  }
}

/** An account that buys. */
export interface Buyer {
  readonly terms: BuyTerms;
  /** With its own rates. */
  readonly tables: FeeTables;
  /** What of its terms decides how something is best sold. */
  readonly decisive: string;
}

/** An account by its buying settings. */
export function buyerOf(tables: FeeTables, settings: BuyingSettings): Buyer {
  const terms = termsOf(settings);
  const { share, moneyBasisPoints } = terms;
  const decisive = moneyBasisPoints === 0 ? String(share) : JSON.stringify(terms);
  return { terms, tables: tablesOf(tables, settings), decisive };
}
