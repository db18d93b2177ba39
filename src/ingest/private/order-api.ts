/** How the answers of a marketplace's API tell of orders. */
import type { JsonObject } from '../../domain/kernel/json.ts';
import type { Order } from './order.ts';

/** Why an order without items cannot be recorded. */
export const noItemsProblem = 'the order has no items; import them together with the order';

/** An object of an answer, and where it stands. */
export interface ApiRecord {
  readonly where: string;
  readonly value: JsonObject;
}

/** How a marketplace's answers are understood. */
export interface OrderApi {
  isOrder(value: JsonObject): boolean;
  isItem(value: JsonObject): boolean;
  /** What an order has in the place of its items. */
  itemsOf(order: JsonObject): unknown;
  /** Units of an item. */
  quantityOf(item: JsonObject): number;
  /** Units of all items together; null when the order does not say. */
  totalOf(order: JsonObject): number | null;
  read(order: ApiRecord, items: readonly ApiRecord[]): Order;
}
