/** Orders of Brick Owl: the answer of its API for an order, with the items of the order in it. */
import type { Platform } from '../../domain/lots.ts';
import { looseDay, looseMoney, looseWhole } from '../loose.ts';
import type { JsonRecord } from '../readers/json-records.ts';
import { noAmounts, type Order, type OrderItem } from './order.ts';

type Json = Readonly<Record<string, unknown>>;

/** Statuses of orders that did not become sales. */
const unsoldStatuses = /cancel|pending|payment submitted|^on hold/i;

/** Whether a record is an order of Brick Owl. */
export function isBrickOwlOrder(value: unknown): value is Json {
  return isObject(value) && 'order_id' in value;
}

/** The order in the form that all marketplaces share. */
export function readBrickOwl({ where, value }: JsonRecord): Order {
  const order = isObject(value) ? value : {};
  const date = dateOf(order);
  const amount = (name: string) => looseMoney(textOf(order[name]))?.cents ?? 0;
  const shipping = amount('ship_total') - amount('refund_shipping');
  const goods = amount('sub_total') - amount('coupon_discount') - amount('refund_subtotal');
  return {
    platform: 'brick_owl' satisfies Platform,
    id: textOf(order.order_id),
    kind: 'sale',
    date: date ?? '',
    currency: (textOf(order.base_currency) || 'USD').toUpperCase(),
    shared: {
      grossCents: goods + shipping - amount('refund_adjustment'),
      platformFeesCents: amount('brickowl_fee') + amount('affiliate_fee'),
      paymentFeesCents: 0,
      shippingCents: shipping,
      costCents: amount('my_cost_total') || null,
    },
    fault: orderFault(order, date),
    items: itemsOf(order, where),
  };
}

function orderFault(order: Json, date: string | null): string | null {
  const status = textOf(order.status);
  if (unsoldStatuses.test(status)) return `the order is ${status}`;
  return date === null ? "'iso_order_time' must be an instant" : null;
}

/** The instant as text, or as seconds since 1970. */
function dateOf(order: Json): string | null {
  const text = textOf(order.iso_order_time) || textOf(order.order_time);
  if (!/^\d{9,11}$/.test(text)) return looseDay(text, 'day first');
  return new Date(Number(text) * 1000).toISOString().slice(0, 10);
}

function itemsOf(order: Json, where: string): OrderItem[] {
  const given = order.items ?? order.order_items;
  const items = Array.isArray(given) ? given.filter(isObject) : [];
  const text = JSON.stringify(order);
  if (items.length > 0) return items.map((item) => toItem(item, where));
  return [
    {
      ...{ where, text, id: '-', set: { texts: [] }, quantity: 1, condition: 'sealed', weight: 0 },
      own: noAmounts,
      fault: "the order has no items; put the answer of order/items in it as 'items'",
    },
  ];
}

function toItem(item: Json, where: string): OrderItem {
  const ordered = looseWhole(textOf(item.ordered_quantity ?? item.quantity)) ?? 0;
  const quantity = ordered - (looseWhole(textOf(item.refunded_quantity)) ?? 0);
  const price = Number(textOf(item.base_price));
  return {
    ...{ where, text: JSON.stringify(item) },
    id: textOf(item.order_item_id) || textOf(item.lot_id) || textOf(item.boid) || '-',
    set: setOf(item),
    quantity: Math.max(1, quantity),
    condition: /^used/i.test(textOf(item.condition)) ? 'used' : 'sealed',
    weight: Number.isFinite(price) && quantity > 0 ? Math.round(price * 10_000) * quantity : 0,
    own: noAmounts,
    fault: itemFault(item, { ordered, quantity, price }),
  };
}

function itemFault(
  item: Json,
  { ordered, quantity, price }: { ordered: number; quantity: number; price: number },
): string | null {
  const type = textOf(item.type);
  if (type !== '' && !/^set$/i.test(type)) {
    return `'${textOf(item.name)}' is a ${type.toLowerCase()}; sales are of sets`;
  }
  if (ordered === 0) return 'the quantity must be a whole number';
  if (quantity <= 0) return 'all units were paid back';
  return Number.isFinite(price) && price >= 0 ? null : "'base_price' must be an amount";
}

/** By its set number if it is given, else by whatever number its name has. */
function setOf(item: Json): OrderItem['set'] {
  const ids = Array.isArray(item.ids) ? item.ids.filter(isObject) : [];
  const own = ids.find(({ type }) => type === 'set_number')?.id ?? item.set_number;
  return own === undefined ? { texts: [textOf(item.name)] } : { number: textOf(own) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
