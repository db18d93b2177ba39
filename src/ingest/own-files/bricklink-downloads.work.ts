/** BrickLink's order downloads, as CSV and XML. */

import { SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import type { Table, TableRow } from '../readers/table.work.ts';
import { readXmlGroups, type XmlShape } from '../readers/xml-groups.work.ts';
import { looseWhole } from '../runner/loose.ts';
import type { RawFields, RawItem, RawOrder } from './bricklink-order.work.ts';
import { orderItemsMax } from './order.ts';

/** CSV columns by the field names of the XML. */
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

const itemColumns: Readonly<Record<string, string>> = {
  CONDITION: 'Condition',
  NAMEDDESCRIPTION: 'Item Description',
  QTY: 'Qty',
  PRICE: 'Each',
  ITEMTYPE: 'Item Type',
  ITEMID: 'Item Number',
  LOTID: 'Inv ID',
  MYCOST: 'My Cost',
  SUBCONDITION: 'Sub-Condition',
  REMARKS: 'Remarks',
};

export const brickLinkColumns = ['Order ID', 'Order Date', 'Item Type', 'Item Number', 'Each'];

/** A row for the order, then one for each item. Yields each order once it is complete. */
export async function* readBrickLinkCsv(table: Table): AsyncGenerator<RawOrder[]> {
  let order: RawOrder | null = null;
  for await (const rows of table.rows()) {
    const done: RawOrder[] = [];
    for (const row of rows) {
      const isOrder = row.text('Order ID') !== null;
      if (isOrder && order) done.push(order);
      if (isOrder) order = newOrder(row);
      // In a row that does not fit the header, the item number may be in another column.
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
  // In place, because an order may have thousands of items.
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

/** Fewer items than the lots of the last order mean that the file is incomplete. */
function checkComplete(table: Table, { fields, items }: RawOrder): void {
  const lots = looseWhole(fields.ORDERLOTS ?? '');
  if (lots === null || items.length === 0 || items.length >= lots) return;
  throw new SourceFileError(
    `${table.name}: the file ends in order ${fields.ORDERID}, after ${items.length} of its ` +
      `${lots} lots; is it complete?`,
  );
}

const orders: XmlShape = {
  roots: ['ORDERS'],
  group: 'ORDER',
  elements: /^(ORDER|ITEM|BASE|PAY|QTY|PRICE|LOTID|CONDITION|MYCOST|BUYER|SELLER)/,
  all: 'orders',
  one: 'an order or item',
  beginnings: 'BrickLink orders begin with <ORDERS>, BrickStore inventories with <BrickStoreXML>',
};

/** Throws if the file is something else, or incomplete. */
export async function* readBrickLinkXml(part: SourcePart): AsyncGenerator<RawOrder[]> {
  let items: RawItem[] = [];
  for await (const steps of readXmlGroups(part, orders)) {
    const done: RawOrder[] = [];
    for (const { group, item } of steps) {
      if (item === null) {
        done.push({ where: group.where, fields: group.fields, items });
        items = [];
      } else if (items.push(item) > orderItemsMax) {
        throw new SourceFileError(`${item.where}: the order has more than ${orderItemsMax} items.`);
      }
    }
    yield done;
  }
}
