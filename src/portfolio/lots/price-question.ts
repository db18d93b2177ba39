/** Questions prices that are far from the market value, which are often typos or totals. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { countText, moneyText } from '../../kernel/format.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';

/** Prices are questioned above this multiple of the market value, and below its inverse. */
const timesMax = 20;

/** The purchase or sale price of a unit. */
export interface UnitPrice {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
  readonly cents: number;
}

/** A sentence, without the question; null if the price is plausible or there is no value. */
export function priceQuestion(cents: number, valueCents: number | null): string | null {
  // Nothing was paid for gifts.
  if (cents === 0 || valueCents === null || valueCents === 0) return null;
  const isHigh = cents > valueCents;
  const times = isHigh ? cents / valueCents : valueCents / cents;
  if (times < timesMax) return null;
  const shown = countText(Math.floor(times));
  const share = isHigh ? `${shown} times` : `1/${shown} of`;
  return `${moneyText(cents)} each is ${share} the market value of ${moneyText(valueCents)}`;
}
