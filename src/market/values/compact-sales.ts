/** Sales in less memory: learning has those of thousands of items at once. */
import type { StoredSale } from '../source-rows/source-rows.ts';

/** The fields that many sales share. */
type Terms = Pick<
  StoredSale,
  'source' | 'condition' | 'currency' | 'channel' | 'completeness' | 'quantity'
>;

/** Without the ID that its source gave it, which no value depends on. */
class CompactSale implements StoredSale {
  constructor(
    private readonly terms: Terms,
    readonly seller: string | null,
    readonly priceCents: number,
    readonly shippingCents: number,
    readonly soldAt: number,
    readonly ingestedAt: number,
    readonly retractedAt: number | null,
    readonly usdPerUnit: number,
  ) {}

  get source() {
    return this.terms.source;
  }

  get sourceId() {
    return '';
  }

  get condition() {
    return this.terms.condition;
  }

  get currency() {
    return this.terms.currency;
  }

  get channel() {
    return this.terms.channel;
  }

  get completeness() {
    return this.terms.completeness;
  }

  get quantity() {
    return this.terms.quantity;
  }
}

export class CompactSales {
  readonly #terms = new Map<string, Terms>();
  readonly #sellers = new Map<string, string>();

  compact(sale: StoredSale): StoredSale {
    return new CompactSale(
      this.#termsOf(sale),
      this.#sellerOf(sale.seller),
      sale.priceCents,
      sale.shippingCents,
      sale.soldAt,
      sale.ingestedAt,
      sale.retractedAt,
      sale.usdPerUnit,
    );
  }

  #termsOf({ source, condition, currency, channel, completeness, quantity }: StoredSale): Terms {
    const name = `${condition} ${currency} ${channel} ${completeness} ${quantity} ${source}`;
    return this.#terms.getOrInsertComputed(name, () => {
      return { source, condition, currency, channel, completeness, quantity };
    });
  }

  /** Each row read from a store has a copy of its seller. */
  #sellerOf(seller: string | null): string | null {
    return seller === null ? null : this.#sellers.getOrInsert(seller, seller);
  }
}

/** A sale as it was before it was retracted. Not a copy, which would lack what it inherits. */
export function unretracted(sale: StoredSale): StoredSale {
  return Object.create(sale, { retractedAt: { value: null } });
}
