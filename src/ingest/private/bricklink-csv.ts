/** BrickLink's order download as CSV: a row for the order, then one for each of its items. */
import { looseWhole } from '../loose.ts';
import { SourceFileError } from '../readers/source-file.ts';
import type { Table, TableRow } from '../readers/table.ts';
import type { RawFields, RawItem, RawOrder } from './bricklink-order.ts';
import { orderItemsMax } from './order.ts';

/** Columns of orders by the names of the XML. */
const orderColumns: Readonly<Record<string, string>> = {
  ORDERID: 'Order ID',
  ORDERDATE: 'Order Date',
  SELLER: 'Seller',
  BUYER: 'Buyer',
  BASECURRENCYCODE: 'Base Currency',
  ORDERSHIPPING: 'Shipping',
  ORDERINSURANCE: 'Insurance',
  ORDERADDCHRG1: 'Add Chrg 1',
  ORDERADDCHRG2: 'Add Chrg 2',
  ORDERCREDIT: 'Credit',
  ORDERCREDITCOUPON: 'Coupon Credit',
  ORDERTOTAL: 'Order Total',
  ORDERSALESTAX: 'Tax',
  BASEGRANDTOTAL: 'Base Grand Total',
  ORDERLOTS: 'Total Lots',
  ORDERSTATUS: 'Order Status',
  ORDERCOST: 'Order Cost',
};

/** Columns of items likewise. */
const itemColumns: Readonly<Record<string, string>> = {
  CONDITION: 'Condition',
  DESCRIPTION: 'Item Description',
  QTY: 'Qty',
  PRICE: 'Each',
  ITEMTYPE: 'Item Type',
  ITEMID: 'Item Number',
  LOTID: 'Inv ID',
  MYCOST: 'My Cost',
};

/** Columns by which the table is known. */
export const brickLinkColumns = ['Order ID', 'Order Date', 'Item Type', 'Item Number', 'Each'];

/** Reads orders as they come, each once it is complete. */
export async function* readBrickLinkCsv(table: Table): AsyncGenerator<RawOrder[]> {
  let order: RawOrder | null = null;
  for await (const rows of table.rows()) {
    const done: RawOrder[] = [];
    for (const row of rows) {
      const isOrder = row.text('Order ID') !== null;
      if (isOrder && order) done.push(order);
      if (isOrder) order = newOrder(row);
      // A row that fits no column may have its item number in another.
      const isItem = row.text('Item Number') !== null || (!isOrder && row.mismatch !== null);
      if (isItem) order = withItem(order, row);
    }
    yield done;
  }
  if (!order) return;
  checkComplete(table, order);
  yield [order];
}

function newOrder(row: TableRow): RawOrder {
  const { where, mismatch } = row;
  return { where, fields: pick(row, orderColumns), items: [], mismatch };
}

function withItem(order: RawOrder | null, row: TableRow): RawOrder {
  const { where, line: text, mismatch } = row;
  const known = order ?? { where, fields: {}, items: [] };
  const item = { where, text, fields: pick(row, itemColumns), mismatch };
  // In place: an order may have thousands of items.
  (known.items as RawItem[]).push(item);
  if (known.items.length > orderItemsMax) {
    throw new SourceFileError(`${row.where}: the order has more than ${orderItemsMax} items.`);
  }
  return known;
}

function pick(row: TableRow, columns: Readonly<Record<string, string>>): RawFields {
  const cells = Object.entries(columns).map(([name, column]) => [name, row.text(column) ?? '']);
  return Object.fromEntries(cells);
}

/** The last order says how many lots it has: with fewer, the rest of the file is missing. */
function checkComplete(table: Table, { fields, items }: RawOrder): void {
  const lots = looseWhole(fields.ORDERLOTS ?? '');
  if (lots === null || items.length === 0 || items.length >= lots) return;
  throw new SourceFileError(
    `${table.name}: the file ends in order ${fields.ORDERID}, after ${items.length} of its ` +
      `${lots} lots; is it complete?`,
  );
}
