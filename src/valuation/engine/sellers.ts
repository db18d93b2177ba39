/** Who sold what: one seller does not make a market, and one sale is not two. */
import { dayMs } from '../../domain/kernel/time.ts';
import type { Row } from './admit.ts';

/** Two sales of a seller within this time count in full, further ones less. */
const withinMs = 7 * dayMs;

/** With more sellers than this, or twice as many as were left, the early ones are forgotten. */
const fewSellers = 16;

/** Remembers an item's sellers while its rows are gone through. */
export class Sellers {
  /** When each seller sold last, and the time before that. */
  readonly #latest = new Map<string, readonly [last: number, before: number]>();
  #latestMax = fewSellers;
  readonly #atOnce: Row[] = [];

  /** Whether the seller has sold the item twice lately. */
  isAgain({ sale: { seller }, at }: Row): boolean {
    if (seller === null) return false;
    const [last, before] = this.#latest.get(seller) ?? never;
    this.#latest.set(seller, [at, last]);
    if (this.#latest.size > this.#latestMax) this.#forget(at - withinMs);
    return before > at - withinMs;
  }

  /** Whoever sold nothing since an instant is as good as new. */
  #forget(until: number): void {
    for (const [seller, [last]] of this.#latest) {
      if (last <= until) this.#latest.delete(seller);
    }
    this.#latestMax = Math.max(fewSellers, 2 * this.#latest.size);
  }

  /** Whether another source has reported this very sale. */
  isDuplicate(row: Row): boolean {
    if (row.sale.seller === null) return false;
    if (this.#atOnce[0]?.at !== row.at) this.#atOnce.length = 0;
    const isKnown = this.#atOnce.some((other) => isSameSale(row, other));
    if (this.#atOnce.length < atOnceMax) this.#atOnce.push(row);
    return isKnown;
  }
}

/** Of more sales at one instant than this, nobody can tell which is which. */
const atOnceMax = 100;

const never = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

function isSameSale({ sale: a }: Row, { sale: b }: Row): boolean {
  return (
    a.source !== b.source &&
    a.seller === b.seller &&
    a.condition === b.condition &&
    a.priceCents === b.priceCents &&
    a.currency === b.currency &&
    a.quantity === b.quantity
  );
}
