/** Orders from the Brick Owl API: `order/view` and `order/items`. */

import { isObject, type JsonObject, textOf } from '../../kernel/json.ts';
import { withArticle } from '../../kernel/text.ts';
import type { Platform } from '../../market/fees/platforms.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import { looseDay, looseMoney, looseWhole, tenThousandths } from '../runner/loose.ts';
import { onlyItems } from './bricklink-order.work.ts';
import {
  type ApiRecord,
  noAmounts,
  noItem,
  noItemsProblem,
  type Order,
  type OrderApi,
  type OrderItem,
  OrderSums,
} from './order.ts';

const unsoldStatuses = /cancel|pending|payment submitted|^on hold/i;

/** By `status_id`, which some programs copy to `status`. */
const statuses = [
  'Pending',
  'Payment Submitted',
  'Payment Received',
  'Processing',
  'Processed',
  'Shipped',
  'Received',
  'On Hold',
  'Cancelled',
];

export const brickOwlApi = (corrector?: Corrector): OrderApi => ({
  isOrder: (value) => 'order_id' in value,
  isItem: (value) => 'order_item_id' in value,
  itemsOf: (order) => order.items ?? order.order_items,
  quantityOf: (item) => orderedOf(item) ?? 0,
  totalOf: (order) => looseWhole(textOf(order.total_quantity) ?? ''),
  read: (order, items) => readBrickOwl(order, items, corrector),
});

function readBrickOwl(
  { where, value: order }: ApiRecord,
  items: readonly ApiRecord[],
  corrector: Corrector | undefined,
): Order {
  const date = dateOf(order);
  const sums = new OrderSums(order, (text) => looseMoney(text)?.cents ?? null);
  const shipping = sums.sum('ship_total') - sums.sum('refund_shipping');
  const refunds = sums.sum('refund_subtotal') + sums.sum('refund_adjustment');
  const shared = {
    grossCents: goodsOf(sums) + shipping - refunds,
    platformFeesCents: sums.sum('brickowl_fee') + sums.sum('affiliate_fee'),
    paymentFeesCents: 0,
    shippingCents: shipping,
    costCents: sums.sum('my_cost_total') || null,
  };
  return {
    platform: 'brick_owl' satisfies Platform,
    id: textOf(order.order_id) ?? '',
    kind: 'sale',
    date: date ?? '',
    currency: (textOf(order.base_currency) ?? 'USD').toUpperCase(),
    shared,
    problem: orderProblem(order, date) ?? sums.problem,
    items:
      items.length > 0
        ? items.map((item) => toItem(corrected(item, corrector)))
        : [noItem({ where, text: JSON.stringify(order) }, noItemsProblem)],
  };
}

/** Proceeds of the items; derived from the total if missing. */
function goodsOf(sums: OrderSums): number {
  if (!sums.has('sub_total') && sums.has('base_order_total')) {
    const rest = sums.sum('ship_total') + sums.sum('tax_amount');
    return sums.required('base_order_total') - rest;
  }
  return sums.required('sub_total') - sums.sum('coupon_discount');
}

function orderProblem(order: JsonObject, date: string | null): string | null {
  const given = textOf(order.status) ?? textOf(order.status_id) ?? '';
  const status = statuses[/^\d$/.test(given) ? Number(given) : -1] ?? given;
  if (unsoldStatuses.test(status)) return `the order is ${status}`;
  return date === null ? "'iso_order_time' must be a time such as 2026-11-15T12:00:00Z" : null;
}

/** An instant, or seconds since 1970. */
function dateOf(order: JsonObject): string | null {
  const text = textOf(order.iso_order_time) ?? textOf(order.order_time) ?? '';
  if (!/^\d{9,11}$/.test(text)) return looseDay(text, 'day first');
  return new Date(Number(text) * 1000).toISOString().slice(0, 10);
}

function orderedOf(item: JsonObject): number | null {
  return looseWhole(textOf(item.ordered_quantity ?? item.quantity ?? item.qty) ?? '');
}

const correctable = {
  number: 'Number',
  quantity: 'Quantity',
  price: 'Price',
  condition: 'Condition',
};

function corrected(record: ApiRecord, corrector: Corrector | undefined): ApiRecord {
  const { where, value: item } = record;
  const set = setOf(item);
  const texts = {
    number: 'number' in set ? set.number : '',
    quantity: textOf(item.ordered_quantity ?? item.quantity ?? item.qty) ?? '',
    price: textOf(item.base_price) ?? '',
    condition: textOf(item.condition) ?? '',
  };
  const { number, quantity, price, condition } =
    corrector?.correct(where, texts, correctable) ?? texts;
  const ids = numberTypes.map((type) => ({ type, id: number }));
  const value = {
    ...item,
    ...(number !== texts.number && { ids }),
    ordered_quantity: quantity,
    base_price: price,
    condition,
  };
  return { where, value: corrector ? value : item };
}

function toItem({ where, value: item }: ApiRecord): OrderItem {
  const ordered = orderedOf(item) ?? 0;
  const quantity = ordered - (looseWhole(textOf(item.refunded_quantity) ?? '') ?? 0);
  const price = tenThousandths(textOf(item.base_price) ?? '');
  return {
    where,
    text: JSON.stringify(item),
    id: textOf(item.order_item_id) ?? textOf(item.lot_id) ?? textOf(item.boid) ?? '-',
    kind: isMinifig(item) ? 'minifig' : 'set',
    set: setOf(item),
    name: textOf(item.name),
    quantity: Math.max(1, quantity),
    condition: /^used/i.test(textOf(item.condition) ?? '') ? 'used' : 'sealed',
    weight: Math.max(0, price ?? 0) * Math.max(0, quantity),
    own: noAmounts,
    problem: itemProblem(item, { ordered, quantity, price }),
  };
}

function itemProblem(
  item: JsonObject,
  { ordered, quantity, price }: { ordered: number; quantity: number; price: number | null },
): string | null {
  const type = textOf(item.type);
  if (type !== null && !/^set$/i.test(type) && !isMinifig(item)) {
    const thing = withArticle(type.toLowerCase());
    return `'${textOf(item.name) ?? ''}' is ${thing}; ${onlyItems}`;
  }
  if (isMinifig(item) && minifigNumber(item) === null) {
    return `the minifig '${textOf(item.name) ?? ''}' has no BrickLink number`;
  }
  if (ordered === 0) return 'the quantity must be a whole number';
  if (quantity <= 0) return 'all units were refunded';
  return price !== null && price >= 0 ? null : "'base_price' must be an amount";
}

function isMinifig(item: JsonObject): boolean {
  return /^minifig(ure)?$/i.test(textOf(item.type) ?? '');
}

/** By set number, or else any number in the name. */
function setOf(item: JsonObject): OrderItem['set'] {
  if (isMinifig(item)) return { number: minifigNumber(item) ?? '' };
  const number = textOf(idOf(item, 'set_number') ?? item.set_number);
  return number === null ? { texts: [textOf(item.name) ?? ''] } : { number };
}

const numberTypes = ['set_number', 'bl_item_no'];

/** Brick Owl names minifigs by their BrickLink number. */
function minifigNumber(item: JsonObject): string | null {
  return textOf(idOf(item, 'bl_item_no') ?? idOf(item, 'item_no'));
}

function idOf(item: JsonObject, type: string): unknown {
  const ids = Array.isArray(item.ids) ? item.ids.filter(isObject) : [];
  return ids.find((id) => id.type === type)?.id;
}
