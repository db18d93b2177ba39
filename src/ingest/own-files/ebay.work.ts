/** eBay's order download, in which an order of several items starts with a row for the order. */
import { at } from '../../kernel/at.ts';
import { sumOf } from '../../kernel/sum.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import type { Table, TableRow } from '../readers/table.work.ts';
import { RowError } from '../runner/fields.ts';
import { type LooseMoney, looseDay, looseMoney, looseWhole } from '../runner/loose.ts';
import { noAmounts, type Order, type OrderItem, orderItemsMax } from './order.ts';

export const ebayColumns = ['Order Number', 'Item Title', 'Custom Label', 'Sold For'];

export const ebayCorrectable = ['Custom Label', 'Quantity', 'Sold For', 'Sale Date'];

/** Yields each order once it is complete. */
export async function* readEbay(table: Table): AsyncGenerator<Order[]> {
  let rows: TableRow[] = [];
  for await (const group of table.rows()) {
    const done: Order[] = [];
    for (const row of group.filter(isOfOrder)) {
      const number = row.text('Order Number');
      const isNext = number !== null && number !== rows[0]?.text('Order Number');
      if (isNext && rows.length > 0) done.push(toOrder(rows, table));
      if (isNext) rows = [];
      rows.push(row);
      if (rows.length > orderItemsMax) {
        throw new SourceFileError(`${row.where}: the order has more than ${orderItemsMax} items.`);
      }
    }
    yield done;
  }
  if (rows.length > 0) yield [toOrder(rows, table)];
}

/** Skips blank rows and the footer with record count and seller. */
function isOfOrder(row: TableRow): boolean {
  const { line } = row;
  return !/^,*$/.test(line) && !/record\(s\) downloaded|^"?seller id\b/i.test(line);
}

/** The first row of an order with several items has its amounts and no item. */
function toOrder(rows: readonly TableRow[], table: Table): Order {
  const items = rows.filter((row) => row.text('Item Number') ?? row.text('Item Title'));
  const head = rows[0];
  const text = (column: string) =>
    rows.map((row) => row.text(column)).find((cell) => cell !== null) ?? null;
  const date = dayOf(text('Sale Date') ?? '');
  const amounts = readAmounts(rows, items);
  const problem = (): string | null => {
    // The columns of the order row are shifted, so its amounts cannot be read.
    const mismatched = rows.find((row) => row.mismatch !== null && !items.includes(row));
    if (mismatched) return mismatched.mismatch;
    if (date === null)
      return `the sale date must look like Sep-04-26, not '${text('Sale Date') ?? ''}'`;
    if (table.has('Paid On Date') && text('Paid On Date') === null) return 'the order is not paid';
    return amounts instanceof RowError ? amounts.message : null;
  };
  const known = amounts instanceof RowError ? null : amounts;
  const item = (row: TableRow, index: number) =>
    toItem(row, known === null ? 0 : at(known.items, index));
  const shipping = known?.shipping ?? 0;
  return {
    platform: 'ebay',
    id: head?.text('Order Number') ?? '',
    kind: 'sale',
    date: date ?? '',
    currency: known?.currency ?? 'USD',
    shared: { ...noAmounts, grossCents: shipping, shippingCents: shipping },
    problem: problem(),
    items: items.length > 0 ? items.map(item) : rows.slice(0, 1).map((row) => toItem(row, 0)),
  };
}

function toItem(row: TableRow, cents: number): OrderItem {
  const quantity = looseWhole(row.text('Quantity') ?? '1') ?? 0;
  const texts = [row.text('Custom Label'), row.text('Item Title')].filter((t) => t !== null);
  return {
    where: row.where,
    text: row.line,
    id: row.text('Item Number') ?? row.text('Transaction ID') ?? '-',
    kind: 'set',
    set: { texts },
    name: row.text('Item Title'),
    quantity: Math.max(1, quantity),
    // Only the title mentions the condition.
    condition: /(?<!\b(?:never|not|un) ?)\bused\b/i.test(texts.join(' ')) ? 'used' : 'sealed',
    weight: cents,
    own: { ...noAmounts, grossCents: cents },
    problem: row.mismatch ?? itemProblem(row, quantity),
  };
}

function itemProblem(row: TableRow, quantity: number): string | null {
  if (row.text('Item Title') === null) return 'the order has no items';
  return quantity === 0
    ? `the quantity must be 1 or more, not '${row.text('Quantity') ?? ''}'`
    : null;
}

interface EbayAmounts {
  /** Proceeds per item, for all units. */
  readonly items: readonly number[];
  readonly shipping: number;
  readonly currency: string;
}

function readAmounts(
  rows: readonly TableRow[],
  items: readonly TableRow[],
): EbayAmounts | RowError {
  const sold = items.map((row) => looseMoney(row.text('Sold For') ?? ''));
  const wrong = sold.findIndex((money) => money === null || money.cents < 0);
  if (wrong >= 0) {
    const text = items[wrong]?.text('Sold For') ?? '';
    return new RowError(`'Sold For' must be an amount such as $43.00, not '${text}'`);
  }
  const prices = sold.map((money) => money?.cents ?? 0);
  const shipping = orderCents(rows, items, ['Shipping And Handling', 'Postage And Handling']);
  const taxes = orderCents(rows, items, ['Seller Collected Tax', 'eBay Collected Tax']);
  const total = orderCents(rows, items, ['Total Price']);
  const counts = items.map((row) => looseWhole(row.text('Quantity') ?? '1') ?? 0);
  const units = prices.map((price, index) => price * at(counts, index));
  const sum = (cents: readonly number[]) => sumOf(cents, (each) => each);
  // 'Sold For' is per unit, unless only the sum over items matches the order's total.
  const charged = shipping + taxes;
  const isOfAll = sum(prices) + charged === total && sum(units) + charged !== total;
  const currency = sold.find((money): money is LooseMoney => money?.currency != null)?.currency;
  return { items: isOfAll ? prices : units, shipping, currency: currency ?? 'USD' };
}

/** From the order's own row, or else the sum over its items. */
function orderCents(
  rows: readonly TableRow[],
  items: readonly TableRow[],
  columns: readonly string[],
): number {
  const of = (row: TableRow) =>
    sumOf(columns, (column) => looseMoney(row.text(column) ?? '')?.cents ?? 0);
  const head = rows.find((row) => !items.includes(row));
  return head ? of(head) : sumOf(items, of);
}

/** Dates are like `Sep-04-26`; ambiguous dates with slashes are rejected. */
function dayOf(text: string): string | null {
  const [first, second] = [looseDay(text, 'day first'), looseDay(text, 'month first')];
  return first !== null && second !== null && first !== second ? null : (first ?? second);
}
