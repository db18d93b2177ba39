/** Orders of all marketplaces in a common form. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { type JsonObject, textOf } from '../../kernel/json.ts';
import type { Platform } from '../../market/fees/platforms.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { type SaleAmounts, sumAmounts } from '../../portfolio/sales/ledger.ts';
import type { Location } from '../runner/located-row.ts';
import type { ImportedLotDetails } from './imported-lot-details.ts';

export const orderItemsMax = 10_000;

/** In hundredths of the order's currency. The cost of a seller is null if unknown. */
export type Amounts = Omit<SaleAmounts, 'costCents'> & { readonly costCents: number | null };

export const noAmounts: Amounts = { ...sumAmounts([]), costCents: null };

/** The number of the item, or texts to search for a set number, in order. */
export type ItemSet = { readonly number: string } | { readonly texts: readonly string[] };

/** All units of an item. */
export interface OrderItem extends Location {
  /** As in the file; items of an order may have the same ID. */
  readonly id: string;
  readonly kind: ItemKind;
  readonly set: ItemSet;
  /** As the file names it. */
  readonly name?: string | null;
  readonly quantity: number;
  readonly condition: Condition;
  /** Details of purchased units. */
  readonly details?: ImportedLotDetails;
  /** Notes for a lot that has none, and is not stored yet. */
  readonly newNotes?: string | null;
  /** Shared amounts are split in proportion to this. */
  readonly weight: number;
  /** Amounts of this item alone. */
  readonly own: Amounts;
  /** Why it cannot be imported; null if it can. */
  readonly problem: string | null;
}

export interface Order {
  readonly platform: Platform;
  readonly id: string;
  readonly kind: 'sale' | 'purchase';
  readonly date: string;
  readonly currency: string;
  /** Amounts of the order as a whole. For a purchase, gross is the total paid. */
  readonly shared: Amounts;
  /** Why it cannot be imported; null if it can. */
  readonly problem: string | null;
  readonly items: readonly OrderItem[];
}

/** A placeholder that is reported as a reject. */
export function noItem(location: Location, problem: string): OrderItem {
  return {
    where: location.where,
    text: location.text,
    id: '-',
    kind: 'set',
    set: { number: '' },
    quantity: 1,
    condition: 'sealed',
    weight: 0,
    own: noAmounts,
    problem,
  };
}

/** Sums the amounts of an order; the first invalid one is its problem. */
export class OrderSums {
  problem: string | null = null;

  constructor(
    private readonly fields: JsonObject,
    private readonly toCents: (text: string) => number | null,
  ) {}

  has(name: string): boolean {
    return (this.fields[name] ?? '') !== '';
  }

  /** Missing amounts count as 0. */
  sum(...names: readonly string[]): number {
    return names.reduce((cents, name) => cents + (this.has(name) ? this.required(name) : 0), 0);
  }

  required(name: string): number {
    const text = textOf(this.fields[name]) ?? '';
    const cents = this.toCents(text);
    if (cents === null) {
      this.problem ??= `'${name}' of the order must be an amount such as 12.50, not '${text}'`;
    }
    return cents ?? 0;
  }
}

export const noItemsProblem = 'the order has no items; import them together with the order';

export interface ApiRecord {
  readonly where: string;
  readonly value: JsonObject;
}

/** How to read the API responses of a marketplace. */
export interface OrderApi {
  isOrder(value: JsonObject): boolean;
  isItem(value: JsonObject): boolean;
  itemsOf(order: JsonObject): unknown;
  quantityOf(item: JsonObject): number;
  /** Units of all items; null if unknown. */
  totalOf(order: JsonObject): number | null;
  read(order: ApiRecord, items: readonly ApiRecord[]): Order;
}
