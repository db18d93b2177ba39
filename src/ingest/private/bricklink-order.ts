/** Orders of BrickLink, whichever file they come from: sold by the account, or bought by it. */
import type { Condition } from '../../domain/market/source-rows.ts';
import { looseDay, looseWhole, tenThousandths } from '../loose.ts';
import type { Place } from '../placed.ts';
import { type Amounts, noAmounts, type Order, type OrderItem } from './order.ts';

/** An order or an item by the names of BrickLink's XML. */
export type RawFields = Readonly<Record<string, string>>;

/** An order as it was read. */
export interface RawOrder {
  readonly where: string;
  readonly fields: RawFields;
  readonly items: readonly RawItem[];
  /** Why its row cannot be trusted; absent when it can. */
  readonly oddity?: string | null;
}

/** An item as it was read. */
export interface RawItem extends Place {
  readonly fields: RawFields;
  /** Why its row cannot be trusted; absent when it can. */
  readonly oddity?: string | null;
}

/** What can be ordered besides sets, by letter and by word. */
const otherThings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    p: 'part',
    m: 'minifig',
    g: 'gear',
    b: 'book',
    c: 'catalog',
    i: 'instruction',
    o: 'box',
    u: 'unsorted lot',
    minifigure: 'minifig',
    'original box': 'box',
  }),
);

/** Statuses of an order that was paid. The others mean that it was not, or not yet. */
const paidStatuses: ReadonlySet<string> = new Set([
  'paid',
  'packed',
  'shipped',
  'received',
  'completed',
]);

const statusesToCome: ReadonlySet<string> = new Set(['pending', 'updated', 'processing', 'ready']);

/** The order in the form that all marketplaces share. */
export function toOrder({ where, fields, items, oddity }: RawOrder): Order {
  const kind = fields.BUYER ? 'sale' : 'purchase';
  const date = looseDay(fields.ORDERDATE ?? '', 'month first');
  const sums = new OrderSums(fields);
  const shared = kind === 'sale' ? saleAmounts(sums) : purchaseAmounts(sums);
  return {
    platform: 'bricklink',
    id: fields.ORDERID ?? '',
    kind,
    date: date ?? '',
    // The CSV has an empty cell where the XML has no element.
    currency: (fields.BASECURRENCYCODE || 'USD').toUpperCase(),
    shared,
    fault: oddity ?? orderFault(fields, date) ?? sums.fault,
    items:
      items.length > 0 ? items.map(toItem) : [nothing({ where, text: `order ${fields.ORDERID}` })],
  };
}

/** Amounts of a whole order in cents; the first that cannot be read is the order's fault. */
class OrderSums {
  fault: string | null = null;

  constructor(private readonly fields: RawFields) {}

  has(name: string): boolean {
    return Boolean(this.fields[name]);
  }

  /** What the names add up to; without any of them, nothing. */
  sum(...names: readonly string[]): number {
    return names.reduce((cents, name) => cents + (this.has(name) ? this.required(name) : 0), 0);
  }

  required(name: string): number {
    const text = this.fields[name] ?? '';
    const amount = amountOf(text);
    if (amount === null) {
      this.fault ??= `'${name}' of the order must be an amount such as 12.50; it is '${text}'`;
    }
    return Math.round((amount ?? 0) / 100);
  }
}

/** Shipping is what the buyer was charged for it: the file does not tell what it cost. */
function saleAmounts(sums: OrderSums): Amounts {
  const shipping = sums.sum('ORDERSHIPPING', 'ORDERINSURANCE');
  return {
    ...noAmounts,
    grossCents: itemsTotal(sums) + shipping,
    shippingCents: shipping,
    costCents: sums.sum('ORDERCOST') || null,
  };
}

/** All that was paid, tax and postage too. */
function purchaseAmounts(sums: OrderSums): Amounts {
  if (sums.has('BASEGRANDTOTAL')) return { ...noAmounts, grossCents: sums.sum('BASEGRANDTOTAL') };
  const charges = sums.sum('ORDERSHIPPING', 'ORDERINSURANCE', 'ORDERSALESTAX');
  return { ...noAmounts, grossCents: itemsTotal(sums) + charges };
}

function itemsTotal(sums: OrderSums): number {
  const charges = sums.sum('ORDERADDCHRG1', 'ORDERADDCHRG2');
  return sums.required('ORDERTOTAL') + charges - sums.sum('ORDERCREDIT', 'ORDERCREDITCOUPON');
}

function orderFault(fields: RawFields, date: string | null): string | null {
  if (!fields.ORDERID) return 'the order has no id';
  if (!fields.BUYER && !fields.SELLER) {
    return 'the order has neither a buyer nor a seller: was it sold or bought?';
  }
  if (date === null) {
    return `the date of the order must be such as 12/31/2025; it is '${fields.ORDERDATE ?? ''}'`;
  }
  const status = (fields.ORDERSTATUS ?? '').toLowerCase();
  if (status === '' || paidStatuses.has(status)) return null;
  return statusesToCome.has(status)
    ? `the order is ${fields.ORDERSTATUS}: import it once it is paid`
    : `the order is ${fields.ORDERSTATUS}`;
}

function toItem({ where, text, fields, oddity }: RawItem): OrderItem {
  const quantity = looseWhole(fields.QTY ?? '') ?? 0;
  const price = amountOf(fields.PRICE ?? '');
  const cost = fields.MYCOST ? amountOf(fields.MYCOST) : 0;
  return {
    where,
    text,
    id: fields.LOTID || fields.ORDERITEMID || fields.ITEMID || '-',
    set: { number: fields.ITEMID ?? '' },
    quantity: Math.max(1, quantity),
    condition: conditionOf(fields.CONDITION),
    weight: oddity ? 0 : Math.max(0, price ?? 0) * quantity,
    own: { ...noAmounts, costCents: Math.round(((cost ?? 0) * quantity) / 100) || null },
    fault: oddity ?? itemFault(fields, { quantity, price, cost }),
  };
}

function itemFault(
  fields: RawFields,
  { quantity, price, cost }: { quantity: number; price: number | null; cost: number | null },
): string | null {
  const type = (fields.ITEMTYPE ?? '').toLowerCase();
  if (type !== 's' && type !== 'set') {
    const thing = otherThings.get(type) ?? (type || 'thing of no type');
    return `'${fields.ITEMID ?? ''}' is a ${thing}; collections and sales are of sets`;
  }
  if (quantity === 0) return `the quantity must be a whole number; it is '${fields.QTY ?? ''}'`;
  if (price === null || price < 0) {
    return `the price must be an amount; it is '${fields.PRICE ?? ''}'`;
  }
  if (cost === null || cost < 0) return `the cost must be an amount; it is '${fields.MYCOST}'`;
  return /^(n|new|u|used)$/i.test(fields.CONDITION ?? '')
    ? null
    : `the condition must be N or U; it is '${fields.CONDITION ?? ''}'`;
}

function conditionOf(text = ''): Condition {
  return /^u/i.test(text) ? 'used' : 'sealed';
}

/** An order without items is a row all the same. */
function nothing(place: Place): OrderItem {
  return {
    ...place,
    id: '-',
    set: { number: '' },
    quantity: 1,
    condition: 'sealed',
    weight: 0,
    own: noAmounts,
    fault: 'the order has no items; download orders with their items',
  };
}

/** In ten-thousandths: BrickLink's prices have up to four decimals, with a sign before them. */
function amountOf(text: string): number | null {
  return tenThousandths(text.trim().replace(/^(-?)[^\d.,-]+/, '$1'));
}
