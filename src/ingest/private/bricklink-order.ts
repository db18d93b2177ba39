/** Orders of BrickLink, whichever file they come from: sold by the account, or bought by it. */
import type { Condition } from '../../domain/market.ts';
import { looseDay, looseWhole } from '../loose.ts';
import type { Place } from './draft.ts';
import { type Amounts, noAmounts, type Order, type OrderItem } from './order.ts';

/** An order or an item by the names of BrickLink's XML. */
export type RawFields = Readonly<Record<string, string>>;

/** An order as it was read. */
export interface RawOrder {
  readonly where: string;
  readonly fields: RawFields;
  readonly items: readonly (Place & { readonly fields: RawFields })[];
}

/** What can be ordered besides sets, by letter and by word. */
const otherThings: Readonly<Record<string, string>> = {
  ...{ p: 'part', m: 'minifig', g: 'gear', b: 'book', c: 'catalog', i: 'instruction' },
  ...{ o: 'box', u: 'unsorted lot', minifigure: 'minifig', 'original box': 'box' },
};

/** Statuses of an order that was paid. The others mean that it was not, or not yet. */
const paidStatuses: ReadonlySet<string> = new Set([
  ...['paid', 'packed', 'shipped', 'received', 'completed'],
]);

const statusesToCome: ReadonlySet<string> = new Set(['pending', 'updated', 'processing', 'ready']);

/** The order in the form that all marketplaces share. */
export function toOrder({ where, fields, items }: RawOrder): Order {
  const kind = fields.BUYER ? 'sale' : 'purchase';
  const date = looseDay(fields.ORDERDATE ?? '', 'month first');
  return {
    platform: 'bricklink',
    id: fields.ORDERID ?? '',
    kind,
    date: date ?? '',
    currency: (fields.BASECURRENCYCODE ?? 'USD').toUpperCase(),
    shared: kind === 'sale' ? saleAmounts(fields) : purchaseAmounts(fields),
    fault: orderFault(fields, date),
    items:
      items.length > 0 ? items.map(toItem) : [nothing({ where, text: `order ${fields.ORDERID}` })],
  };
}

/** Shipping is what the buyer was charged for it: the file does not tell what it cost. */
function saleAmounts(fields: RawFields): Amounts {
  const shipping = cents(fields.ORDERSHIPPING) + cents(fields.ORDERINSURANCE);
  return {
    ...noAmounts,
    grossCents: itemsTotal(fields) + shipping,
    shippingCents: shipping,
    costCents: cents(fields.ORDERCOST) || null,
  };
}

/** All that was paid, tax and postage too. */
function purchaseAmounts(fields: RawFields): Amounts {
  const charges = cents(fields.ORDERSHIPPING) + cents(fields.ORDERINSURANCE);
  const total = itemsTotal(fields) + charges + cents(fields.ORDERSALESTAX);
  return { ...noAmounts, grossCents: fields.BASEGRANDTOTAL ? cents(fields.BASEGRANDTOTAL) : total };
}

function itemsTotal(fields: RawFields): number {
  const charges = cents(fields.ORDERADDCHRG1) + cents(fields.ORDERADDCHRG2);
  const credits = cents(fields.ORDERCREDIT) + cents(fields.ORDERCREDITCOUPON);
  return cents(fields.ORDERTOTAL) + charges - credits;
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

function toItem({ where, text, fields }: RawOrder['items'][number]): OrderItem {
  const quantity = looseWhole(fields.QTY ?? '') ?? 0;
  const unitPrice = tenThousandths(fields.PRICE);
  const unitCost = tenThousandths(fields.MYCOST) ?? 0;
  return {
    ...{ where, text, id: fields.LOTID || fields.ORDERITEMID || fields.ITEMID || '-' },
    set: { number: fields.ITEMID ?? '' },
    quantity: Math.max(1, quantity),
    condition: conditionOf(fields.CONDITION),
    weight: (unitPrice ?? 0) * quantity,
    own: { ...noAmounts, costCents: Math.round((unitCost * quantity) / 100) || null },
    fault: itemFault(fields, quantity, unitPrice),
  };
}

function itemFault(fields: RawFields, quantity: number, price: number | null): string | null {
  const type = (fields.ITEMTYPE ?? '').toLowerCase();
  if (type !== 's' && type !== 'set') {
    const thing = otherThings[type] ?? (type || 'thing of no type');
    return `'${fields.ITEMID ?? ''}' is a ${thing}; collections and sales are of sets`;
  }
  if (quantity === 0) return `the quantity must be a whole number; it is '${fields.QTY ?? ''}'`;
  if (price === null) return `the price must be an amount; it is '${fields.PRICE ?? ''}'`;
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
    ...{ ...place, id: '-', set: { number: '' }, quantity: 1, condition: 'sealed', weight: 0 },
    ...{ own: noAmounts, fault: 'the order has no items; download orders with their items' },
  };
}

function cents(text: string | undefined): number {
  return Math.round((tenThousandths(text) ?? 0) / 100);
}

/** BrickLink has prices with up to four decimals, a point before them, commas for thousands. */
function tenThousandths(text = ''): number | null {
  const match = /^[^\d.-]*(-?)[^\d.-]*([\d,]*)(?:\.(\d+))?$/.exec(text.trim());
  const [, sign = '', whole = '', part = ''] = match ?? [];
  if (whole + part === '') return null;
  const value =
    Number(whole.replaceAll(',', '') || '0') * 10_000 + Number(part.slice(0, 4).padEnd(4, '0'));
  return sign === '-' ? -value : value;
}
