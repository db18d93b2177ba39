/** The retail row of a set, without the fields that depend on the caller. */

import type { SetFacts } from '../../catalog/items/catalog.ts';
import { noPrice, type PriceBlock, type RetailRow } from '../../contract/retail.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { formatInstant } from '../../kernel/time.ts';
import { netFbaCents } from '../fees/fba.ts';
import { asinOf } from './retail.ts';
import { isAtLowest, isFlipped, type RetailState, type RetailStates } from './retail-state.ts';

export function retailDocument(
  set: { readonly number: string; readonly facts: SetFacts },
  states: RetailStates,
  at: number,
): RetailRow {
  const { number, facts } = set;
  return {
    setNumber: number,
    name: facts.title,
    asin: asinOf(states),
    upc: facts.upc,
    ean: facts.ean,
    retailer_a: priceBlock(states.retailer_a, at),
    retailer_b: priceBlock(states.retailer_b, at),
    retailer_aExit: exit(states.retailer_a, facts, at),
  };
}

function priceBlock(state: RetailState | null, at: number): PriceBlock {
  if (state === null) return noPrice;
  const { latest, change } = state;
  return {
    price: toUsdOrNull(latest.priceCents),
    sellerType: latest.sellerType,
    changedAt: change && formatInstant(change.at),
    lastChange: change && toUsd(change.cents),
    flip1pTo3p: isFlipped(state, at),
    atLowest: isAtLowest(state),
    lowest: toUsdOrNull(state.lowestCents),
    inStock: latest.inStock,
  };
}

/** The net proceeds of a sale at retailer A, with current fees. */
function exit(
  state: RetailState | null,
  { box }: SetFacts,
  at: number,
): RetailRow['retailer_aExit'] {
  const { lowestFbaCents = null, fbaSellers = null, buyBoxCents = null } = state?.latest ?? {};
  const priceCents = lowestFbaCents ?? buyBoxCents;
  const net = priceCents === null || box === null ? null : netFbaCents(priceCents, box, at);
  return {
    lowestFba: toUsdOrNull(lowestFbaCents),
    fbaSellers,
    buyBox: toUsdOrNull(buyBoxCents),
    netFba: toUsdOrNull(net),
  };
}
