/** An order as every marketplace's file is brought to it, before it becomes sales or lots. */

import type { Platform } from '../../domain/fees/platforms.ts';
import { type JsonObject, textOf } from '../../domain/kernel/json.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import type { Location } from '../located-row.ts';

/** More items than any order has: a file that goes on like this is none of orders. */
export const orderItemsMax = 10_000;

/** Amounts in hundredths of the order's currency. */
export interface Amounts {
  readonly grossCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  readonly shippingCents: number;
  /** What the seller paid for it; null when the file does not say. */
  readonly costCents: number | null;
}

/** Nothing of anything. */
export const noAmounts: Amounts = {
  grossCents: 0,
  platformFeesCents: 0,
  paymentFeesCents: 0,
  shippingCents: 0,
  costCents: null,
};

/** The set of an item: given by its number, or to be found in texts, the first of them first. */
export type ItemSet = { readonly number: string } | { readonly texts: readonly string[] };

/** An item of an order, all units of it. */
export interface OrderItem extends Location {
  /** Its name within the order. */
  readonly id: string;
  readonly set: ItemSet;
  readonly quantity: number;
  readonly condition: Condition;
  /** What it cost, in any unit that the items of the order share: order amounts follow it. */
  readonly weight: number;
  /** What belongs to this item alone. */
  readonly own: Amounts;
  /** Why it cannot be recorded; null when it can. */
  readonly problem: string | null;
  /** Its number, where it is a minifig, which no collection holds. */
  readonly minifig?: string;
}

/** An order with its items. */
export interface Order {
  readonly platform: Platform;
  readonly id: string;
  /** A sale of the account's, or something that it bought. */
  readonly kind: 'sale' | 'purchase';
  readonly date: string;
  readonly currency: string;
  /** What belongs to all items together. For a purchase, gross is all that was paid. */
  readonly shared: Amounts;
  /** Why nothing of it can be recorded; null when it can. */
  readonly problem: string | null;
  readonly items: readonly OrderItem[];
}

/** An order without items is a row all the same, which is refused. */
export function noItem(location: Location, problem: string): OrderItem {
  return {
    where: location.where,
    text: location.text,
    id: '-',
    set: { number: '' },
    quantity: 1,
    condition: 'sealed',
    weight: 0,
    own: noAmounts,
    problem,
  };
}

/** Amounts of an order in cents; the first that cannot be read is the order's problem. */
export class OrderSums {
  problem: string | null = null;

  constructor(
    private readonly fields: JsonObject,
    private readonly toCents: (text: string) => number | null,
  ) {}

  has(name: string): boolean {
    return (this.fields[name] ?? '') !== '';
  }

  /** What the names add up to; those that are not there count as nothing. */
  sum(...names: readonly string[]): number {
    return names.reduce((cents, name) => cents + (this.has(name) ? this.required(name) : 0), 0);
  }

  required(name: string): number {
    const text = textOf(this.fields[name]) ?? '';
    const cents = this.toCents(text);
    if (cents === null) {
      this.problem ??= `'${name}' of the order must be an amount such as 12.50; it is '${text}'`;
    }
    return cents ?? 0;
  }
}
