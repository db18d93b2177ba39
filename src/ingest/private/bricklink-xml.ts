/** BrickLink's order download as XML. */
import { SourceFileError, type SourcePart } from '../readers/source-file.ts';
import { readXmlGroups, type XmlShape } from '../readers/xml-groups.ts';
import type { RawItem, RawOrder } from './bricklink-order.ts';
import { orderItemsMax } from './order.ts';

const orders: XmlShape = {
  roots: ['ORDERS'],
  group: 'ORDER',
  elements: /^(ORDER|ITEM|BASE|PAY|QTY|PRICE|LOTID|CONDITION|MYCOST|BUYER|SELLER)/,
  all: 'orders',
  one: 'an order or item',
  beginnings: 'BrickLink orders begin with <ORDERS>, BrickStore inventories with <BrickStoreXML>',
};

/** Reads orders as they come; throws when the file is something else, or cut. */
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
