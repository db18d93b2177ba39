/**
 * Max buy prices by the buying settings of accounts, computed only where a rule depends on them.
 */

import type { BuyTerms } from '../../buying/boxes/quotes.ts';
import { type BestSale, bestSale, isDealTier, profitOf } from '../../buying/deals/deal.ts';
import { type BuyingSettings, tablesOf, termsOf } from '../../buying/prices/buying-settings.ts';
import { maxBuyCents } from '../../buying/prices/max-buy.ts';
import type { Resale } from '../../buying/prices/resale.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';

export interface MaxBuySource {
  /** Called when a max buy price is needed. */
  findTables(): FeeTables;
  /** How a sealed unit of a set sells; null: no value. */
  readResale(record: ResaleRecord): Resale | null;
}

/** The best sale of a set is computed once for all accounts with the same terms. */
export class MaxBuyPrices {
  private resale: Resale | null | undefined;
  private readonly sales = new Map<FeeTables, Map<string, BestSale | null>>();

  constructor(
    private readonly source: MaxBuySource,
    private readonly record: ResaleRecord,
    private readonly at: number,
  ) {}

  /** The max buy price if it is at least `atLeastCents`; null otherwise. */
  find(buyer: Buyer, atLeastCents: number): number | null {
    if (this.resale === undefined) this.resale = this.source.readResale(this.record);
    // An alert at the max buy price announces a deal, so the value needs as many sales as there.
    if (this.resale === null || !isDealTier(this.resale.tier)) return null;
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

export interface Buyer {
  readonly terms: BuyTerms;
  /** With the account's own rates. */
  readonly tables: FeeTables;
  /** The terms that determine the best sale, as a cache key. */
  readonly decisive: string;
}

export function buyerOf(tables: FeeTables, settings: BuyingSettings): Buyer {
  const terms = termsOf(settings);
  const { share, moneyBasisPoints } = terms;
  const decisive = moneyBasisPoints === 0 ? String(share) : JSON.stringify(terms);
  return { terms, tables: tablesOf(tables, settings), decisive };
}
