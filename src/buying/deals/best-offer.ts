/** The best current offer for an item at the retailers. */
import type { PriceBlock, RetailRow } from '../../contract/retail.ts';
import { toCents } from '../../kernel/money.ts';
import { type Retailer, retailers } from '../../market/source-rows/source-rows.ts';

/** An offer that is not known to be out of stock. */
export interface BestOffer {
  readonly retailer: Retailer;
  readonly priceCents: number;
  /** Whether the price is the lowest observed at this retailer. */
  readonly isAtLowest: boolean;
}

/** The cheapest offer that is not out of stock; on a tie, the first retailer's. */
export function bestOffer(row: Pick<RetailRow, Retailer>): BestOffer | null {
  let best: BestOffer | null = null;
  for (const retailer of retailers) {
    const offer = offerOf(retailer, row[retailer]);
    if (offer && (best === null || offer.priceCents < best.priceCents)) best = offer;
  }
  return best;
}

function offerOf(retailer: Retailer, block: PriceBlock): BestOffer | null {
  const { price, inStock, atLowest } = block;
  const priceCents = price === null || inStock === false ? null : toCents(price);
  return priceCents === null ? null : { retailer, priceCents, isAtLowest: atLowest };
}
