/** BrickLink orders from all kinds of files: sales and purchases of the account. */

import { withArticle } from '../../kernel/text.ts';
import { detailLimits } from '../../portfolio/lots/lot-details.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import type { Location } from '../runner/located-row.ts';
import { looseDay, looseWhole, tenThousandths } from '../runner/loose.ts';
import { lineOf, noteOf, subconditionGrade, subconditionNote } from './imported-lot-details.ts';
import { type Amounts, noAmounts, noItem, type Order, type OrderItem, OrderSums } from './order.ts';

/** Fields of an order or item, by the names of BrickLink's XML. */
export type RawFields = Readonly<Record<string, string>>;

export interface RawOrder {
  readonly where: string;
  readonly fields: RawFields;
  readonly items: readonly RawItem[];
  /** Why the row does not fit the header, if it does not. */
  readonly mismatch?: string | null;
}

export interface RawItem extends Location {
  readonly fields: RawFields;
  /** Why the row does not fit the header, if it does not. */
  readonly mismatch?: string | null;
}

/** Item types other than sets, by letter and word. */
const otherThings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    p: 'part',
    m: 'minifig',
    g: 'gear item',
    b: 'book',
    c: 'catalog',
    i: 'instruction',
    o: 'box',
    u: 'unsorted lot',
    minifigure: 'minifig',
    'original box': 'box',
  }),
);

const paidStatuses: ReadonlySet<string> = new Set([
  'paid',
  'packed',
  'shipped',
  'received',
  'completed',
]);

const statusesToCome: ReadonlySet<string> = new Set(['pending', 'updated', 'processing', 'ready']);

const correctable = { ITEMID: 'Number', QTY: 'Quantity', PRICE: 'Price', CONDITION: 'Condition' };

export function toOrder(
  { where, fields, items, mismatch }: RawOrder,
  corrector?: Corrector,
): Order {
  const kind = fields.BUYER ? 'sale' : 'purchase';
  const date = looseDay(fields.ORDERDATE ?? '', 'month first');
  const sums = new OrderSums(fields, centsOf);
  const shared = kind === 'sale' ? saleAmounts(sums) : purchaseAmounts(sums);
  return {
    platform: 'bricklink',
    id: fields.ORDERID ?? '',
    kind,
    date: date ?? '',
    // A missing currency is an empty cell in CSV and no element in XML.
    currency: (fields.BASECURRENCYCODE || 'USD').toUpperCase(),
    shared,
    problem: mismatch ?? orderProblem(fields, date) ?? sums.problem,
    items:
      items.length > 0
        ? items.map((item) => toItem(corrected(item, corrector), fields.SELLER ?? ''))
        : [noItem({ where, text: `order ${fields.ORDERID}` }, noItems)],
  };
}

/** A row that does not fit the header has no fields to correct. */
function corrected(item: RawItem, corrector: Corrector | undefined): RawItem {
  if (!corrector || item.mismatch) return item;
  return { ...item, fields: corrector.correct(item.where, item.fields, correctable) };
}

const noItems = 'the order has no items; download orders with their items';

/** Shipping is what the buyer paid for it, since the actual cost is not in the file. */
function saleAmounts(sums: OrderSums): Amounts {
  const shipping = sums.sum('ORDERSHIPPING', 'ORDERINSURANCE');
  return {
    ...noAmounts,
    grossCents: itemsTotal(sums) + shipping,
    shippingCents: shipping,
    costCents: sums.sum('ORDERCOST') || null,
  };
}

/** The total paid, including tax and shipping. */
function purchaseAmounts(sums: OrderSums): Amounts {
  if (sums.has('BASEGRANDTOTAL')) return { ...noAmounts, grossCents: sums.sum('BASEGRANDTOTAL') };
  const charges = sums.sum('ORDERSHIPPING', 'ORDERINSURANCE', 'ORDERSALESTAX');
  return { ...noAmounts, grossCents: itemsTotal(sums) + charges };
}

function itemsTotal(sums: OrderSums): number {
  const charges = sums.sum('ORDERADDCHRG1', 'ORDERADDCHRG2');
  return sums.required('ORDERTOTAL') + charges - sums.sum('ORDERCREDIT', 'ORDERCREDITCOUPON');
}

function orderProblem(fields: RawFields, date: string | null): string | null {
  if (!fields.ORDERID) return 'the order has no ID';
  if (!fields.BUYER && !fields.SELLER) {
    return 'the order has neither a buyer nor a seller, so it may be a sale or a purchase';
  }
  if (date === null) {
    return `the order date must look like 12/31/2025, not '${fields.ORDERDATE ?? ''}'`;
  }
  const status = (fields.ORDERSTATUS ?? '').toLowerCase();
  if (status === '' || paidStatuses.has(status)) return null;
  return statusesToCome.has(status)
    ? `the order is ${fields.ORDERSTATUS}: import it once it is paid`
    : `the order is ${fields.ORDERSTATUS}`;
}

function toItem({ where, text, fields, mismatch }: RawItem, seller: string): OrderItem {
  const condition = /^u/i.test(fields.CONDITION ?? '') ? 'used' : 'sealed';
  const sub = fields.SUBCONDITION ?? '';
  const { DESCRIPTION = '', NAMEDDESCRIPTION, REMARKS } = fields;
  const notes = [REMARKS, subconditionNote(sub, condition)];
  const quantity = looseWhole(fields.QTY ?? '') ?? 0;
  const price = amountOf(fields.PRICE ?? '');
  const cost = fields.MYCOST ? amountOf(fields.MYCOST) : 0;
  return {
    where,
    text,
    id: fields.LOTID || fields.ORDERITEMID || fields.ITEMID || '-',
    kind: itemTypeName(fields.ITEMTYPE ?? '') === 'minifig' ? 'minifig' : 'set',
    set: { number: fields.ITEMID ?? '' },
    name: fields.ITEMNAME ?? null,
    quantity: Math.max(1, quantity),
    condition,
    details: {
      grade: subconditionGrade(sub, condition),
      notes: DESCRIPTION === '' ? null : noteOf(DESCRIPTION, ...notes),
      bought_at: lineOf(seller && `BrickLink, ${seller}`, detailLimits.boughtAt),
    },
    // CSV has no description alone, so that its notes do not replace those of the XML.
    newNotes: noteOf(NAMEDDESCRIPTION, ...notes),
    weight: mismatch ? 0 : Math.max(0, price ?? 0) * quantity,
    own: { ...noAmounts, costCents: Math.round(((cost ?? 0) * quantity) / 100) || null },
    problem: mismatch ?? itemProblem(fields, { quantity, price, cost }),
  };
}

function itemProblem(
  fields: RawFields,
  { quantity, price, cost }: { quantity: number; price: number | null; cost: number | null },
): string | null {
  const other = otherItemProblem(fields.ITEMTYPE ?? '', fields.ITEMID ?? '');
  if (other !== null) return other;
  if (quantity === 0) return `the quantity must be 1 or more, not '${fields.QTY ?? ''}'`;
  if (price === null || price < 0) {
    return `the price must be an amount such as 4.20, not '${fields.PRICE ?? ''}'`;
  }
  if (cost === null || cost < 0)
    return `the cost must be an amount such as 4.20, not '${fields.MYCOST}'`;
  return /^(n|new|u|used)$/i.test(fields.CONDITION ?? '')
    ? null
    : `the condition must be N or U, not '${fields.CONDITION ?? ''}'`;
}

/** Why an item cannot be imported; null if it is a set or a minifig. */
export function otherItemProblem(typeText: string, id: string): string | null {
  const thing = itemTypeName(typeText);
  if (thing === 'set' || thing === 'minifig') return null;
  return `'${id}' is ${withArticle(thing)}; ${onlyItems}`;
}

/** The end of a reason. */
export const onlyItems = 'only sets and minifigs can be imported';

/** The name of an item type, given as letter or word. */
export function itemTypeName(typeText: string): string {
  const type = typeText.toLowerCase().replaceAll('_', ' ');
  if (type === 's' || type === 'set') return 'set';
  return otherThings.get(type) ?? (type || 'item without a type');
}

/** In ten-thousandths; BrickLink's prices have up to four decimals and a currency sign. */
function amountOf(text: string): number | null {
  return tenThousandths(text.trim().replace(/^(-?)[^\d.,-]+/, '$1'));
}

function centsOf(text: string): number | null {
  const amount = amountOf(text);
  return amount === null ? null : Math.round(amount / 100);
}
