/** Orders from the BrickLink API: `/orders/{id}` and `/orders/{id}/items`. */
import { asObject, type JsonObject, textOf } from '../../kernel/json.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import { looseWhole } from '../runner/loose.ts';
import { type RawFields, type RawItem, toOrder } from './bricklink-order.work.ts';
import { type ApiRecord, noItem, noItemsProblem, type Order, type OrderApi } from './order.ts';

/** Fields of `cost` by the field names of the XML. */
const costFields: Readonly<Record<string, string>> = {
  BASECURRENCYCODE: 'currency_code',
  ORDERTOTAL: 'subtotal',
  ORDERADDCHRG1: 'etc1',
  ORDERADDCHRG2: 'etc2',
  ORDERINSURANCE: 'insurance',
  ORDERSHIPPING: 'shipping',
  ORDERCREDIT: 'credit',
  ORDERCREDITCOUPON: 'coupon',
};

/**
 * An order has buyer and seller, but not which of them is the account. It is assumed to be the
 * seller; orders that the account placed have different sellers.
 */
export function brickLinkApi(corrector?: Corrector): OrderApi {
  let seller: string | null = null;
  return {
    isOrder: (value) => 'date_ordered' in value && asObject(value.cost) !== null,
    isItem: (value) => 'inventory_id' in value && asObject(value.item) !== null,
    itemsOf: (order) => order.items,
    quantityOf: (item) => looseWhole(textOf(item.quantity) ?? '') ?? 0,
    totalOf: (order) => looseWhole(textOf(order.total_count) ?? ''),
    read: (order, items) => {
      const name = textOf(order.value.seller_name) ?? '';
      seller ??= name;
      const mismatch = name === seller ? null : severalSellers([seller, name]);
      return readOrder(order, items, { mismatch, corrector });
    },
  };
}

function severalSellers([first, other]: readonly [string, string]): string {
  return (
    `the seller is '${other}', but '${first}' in other orders: only orders that the account ` +
    'received can be imported from the API; download those that it placed as XML or CSV'
  );
}

function readOrder(
  { where, value: order }: ApiRecord,
  items: readonly ApiRecord[],
  how: { readonly mismatch: string | null; readonly corrector: Corrector | undefined },
): Order {
  const { mismatch, corrector } = how;
  const cost = asObject(order.cost) ?? {};
  const fields: RawFields = {
    ...named(cost, costFields),
    ORDERID: textOf(order.order_id) ?? '',
    ORDERDATE: textOf(order.date_ordered) ?? '',
    ORDERSTATUS: textOf(order.status) ?? '',
    BUYER: textOf(order.buyer_name) ?? '',
  };
  const raw = toOrder({ where, fields, items: items.map(rawItem), mismatch }, corrector);
  if (items.length > 0) return raw;
  return { ...raw, items: [noItem({ where, text: JSON.stringify(order) }, noItemsProblem)] };
}

function rawItem({ where, value }: ApiRecord): RawItem {
  const item = asObject(value.item) ?? {};
  const fields = {
    LOTID: textOf(value.inventory_id) ?? '',
    ITEMID: textOf(item.no) ?? '',
    ITEMTYPE: textOf(item.type) ?? '',
    ITEMNAME: textOf(item.name) ?? '',
    QTY: textOf(value.quantity) ?? '',
    // After quantity discounts.
    PRICE: textOf(value.unit_price_final) ?? textOf(value.unit_price) ?? '',
    CONDITION: textOf(value.new_or_used) ?? '',
  };
  return { where, text: JSON.stringify(value), fields };
}

function named(object: JsonObject, names: Readonly<Record<string, string>>): RawFields {
  const pairs = Object.entries(names).map(([name, field]) => [name, textOf(object[field]) ?? '']);
  return Object.fromEntries(pairs);
}
