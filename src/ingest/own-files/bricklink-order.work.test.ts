/** BrickLink orders in the common form of all marketplaces. */
import { expect, test } from 'bun:test';
import {
  itemTypeName,
  otherItemProblem,
  type RawFields,
  type RawItem,
  toOrder,
} from './bricklink-order.work.ts';

const sale = { ORDERID: '7', BUYER: 'ann', ORDERDATE: '3/1/2026', ORDERTOTAL: '100.00' };
const purchase = { ...sale, BUYER: '', SELLER: 'bob' };
const set = { ITEMTYPE: 'S', ITEMID: '10482-1', QTY: '2', PRICE: 'US $50.0000', CONDITION: 'N' };

const orderOf = (fields: RawFields, mismatch: string | null = null) =>
  toOrder({ where: 'o:1', fields, items: [], mismatch });
const itemOf = (given: RawFields, more: Partial<RawItem> = {}) => {
  const item = { where: 'o:2', text: 'text', fields: { ...set, ...given }, ...more };
  return toOrder({ where: 'o:1', fields: sale, items: [item] }).items[0];
};

test('the gross proceeds of a sale are goods, charges less credits, and shipping', () => {
  const fields = {
    ...sale,
    ORDERSHIPPING: '10.00',
    ORDERINSURANCE: '1.00',
    ORDERADDCHRG1: '2.00',
    ORDERADDCHRG2: '3.00',
    ORDERCREDIT: '4.00',
    ORDERCREDITCOUPON: '5.00',
    ORDERSALESTAX: '8.00',
    ORDERCOST: '60.00',
    BASEGRANDTOTAL: '999',
  };
  expect(orderOf(fields)).toMatchObject({
    platform: 'bricklink',
    id: '7',
    kind: 'sale',
    date: '2026-03-01',
    currency: 'USD',
    shared: {
      grossCents: 107_00,
      shippingCents: 11_00,
      costCents: 60_00,
      platformFeesCents: 0,
      paymentFeesCents: 0,
    },
    problem: null,
  });
  expect(orderOf(sale).shared).toMatchObject({ grossCents: 100_00, costCents: null });
});

test('a purchase has the total paid, including tax', () => {
  expect(orderOf({ ...purchase, BASEGRANDTOTAL: '123.45' }).shared.grossCents).toBe(123_45);
  const charged = { ORDERSHIPPING: '10', ORDERINSURANCE: '1', ORDERSALESTAX: '8' };
  const { kind, shared } = orderOf({ ...purchase, ...charged });
  expect([kind, shared.grossCents, shared.shippingCents]).toEqual(['purchase', 119_00, 0]);
});

test.each<[RawFields, string | null]>([
  [{ ORDERID: '' }, 'the order has no ID'],
  [{ BUYER: '' }, 'the order has neither a buyer nor a seller, so it may be a sale or a purchase'],
  [{ ORDERDATE: 'x' }, "the order date must look like 12/31/2025, not 'x'"],
  [{ ORDERTOTAL: 'x' }, "'ORDERTOTAL' of the order must be an amount such as 12.50, not 'x'"],
  [{ ORDERSTATUS: 'PAID' }, null],
  [{ ORDERSTATUS: 'Completed' }, null],
  [{ ORDERSTATUS: 'Pending' }, 'the order is Pending: import it once it is paid'],
  [{ ORDERSTATUS: 'Cancelled' }, 'the order is Cancelled'],
])('an order with %j: %p', (given, problem) => {
  expect(orderOf({ ...sale, ...given }).problem).toBe(problem);
});

test('a row that does not fit the header rejects its order or item', () => {
  expect(orderOf({ ...sale, ORDERID: '' }, 'moved').problem).toBe('moved');
  expect(itemOf({ ITEMTYPE: 'M' }, { mismatch: 'moved' })).toMatchObject({
    problem: 'moved',
    weight: 0,
  });
});

test('an order without items is a reject; its currency is in upper case', () => {
  const problem = 'the order has no items; download orders with their items';
  expect(orderOf({ ...sale, BASECURRENCYCODE: 'eur' })).toMatchObject({
    currency: 'EUR',
    items: [{ where: 'o:1', text: 'order 7', problem }],
  });
});

test('an item has its name, its units, its weight and its cost', () => {
  expect(itemOf({ LOTID: '3', ORDERITEMID: '4', MYCOST: 'US $12.3450' })).toEqual({
    where: 'o:2',
    text: 'text',
    id: '3',
    kind: 'set',
    set: { number: '10482-1' },
    name: null,
    quantity: 2,
    condition: 'sealed',
    details: { grade: null, notes: null, bought_at: null },
    newNotes: null,
    weight: 100_0000,
    own: {
      grossCents: 0,
      platformFeesCents: 0,
      paymentFeesCents: 0,
      shippingCents: 0,
      costCents: 24_69,
    },
    problem: null,
  });
  expect(itemOf({ ORDERITEMID: '4' })?.id).toBe('4');
  expect(itemOf({})?.id).toBe('10482-1');
  expect(itemOf({ ITEMID: '' })?.id).toBe('-');
  expect(itemOf({ CONDITION: 'Used' })?.condition).toBe('used');
  expect(itemOf({})?.own.costCents).toBeNull();
});

test.each<[RawFields, number, number, string | null]>([
  [{ QTY: '0' }, 1, 0, "the quantity must be 1 or more, not '0'"],
  [{ QTY: 'x' }, 1, 0, "the quantity must be 1 or more, not 'x'"],
  [{ PRICE: 'x' }, 2, 0, "the price must be an amount such as 4.20, not 'x'"],
  [{ PRICE: '-1' }, 2, 0, "the price must be an amount such as 4.20, not '-1'"],
  [{ PRICE: '0' }, 2, 0, null],
  [{ MYCOST: 'x' }, 2, 100_0000, "the cost must be an amount such as 4.20, not 'x'"],
  [{ MYCOST: '-1' }, 2, 100_0000, "the cost must be an amount such as 4.20, not '-1'"],
  [{ MYCOST: '0' }, 2, 100_0000, null],
  [{ CONDITION: 'x' }, 2, 100_0000, "the condition must be N or U, not 'x'"],
  [{ CONDITION: 'new' }, 2, 100_0000, null],
])('an item with %j has %d units of weight %d: %p', (given, quantity, weight, problem) => {
  expect(itemOf(given)).toMatchObject({ quantity, weight, problem });
});

test('a minifig is an item of its kind', () => {
  expect(itemOf({ ITEMTYPE: 'M', ITEMID: 'sw0001' })).toMatchObject({
    kind: 'minifig',
    set: { number: 'sw0001' },
    problem: null,
  });
});

test.each([
  ['S', 'set'],
  ['SET', 'set'],
  ['M', 'minifig'],
  ['MINIFIGURE', 'minifig'],
  ['ORIGINAL_BOX', 'box'],
  ['U', 'unsorted lot'],
  ['', 'item without a type'],
  ['Sticker', 'sticker'],
])('the type %p is %s', (type, thing) => {
  expect(itemTypeName(type)).toBe(thing);
});

test('items of other types are not imported', () => {
  expect(otherItemProblem('S', '1')).toBeNull();
  expect(otherItemProblem('M', 'sw0001')).toBeNull();
  expect(otherItemProblem('I', '1')).toBe(
    "'1' is an instruction; only sets and minifigs can be imported",
  );
});

test('missing fields are shown as empty', () => {
  const { ORDERDATE: _, ...undated } = sale;
  expect(orderOf(undated).problem).toBe("the order date must look like 12/31/2025, not ''");
  const problemOf = (fields: RawFields) => {
    const item = { where: 'o:2', text: 'text', fields };
    return toOrder({ where: 'o:1', fields: sale, items: [item] }).items[0]?.problem;
  };
  const { PRICE: _price, ...free } = set;
  expect(problemOf(free)).toBe("the price must be an amount such as 4.20, not ''");
  const { CONDITION: _condition, ...unknown } = set;
  expect(problemOf(unknown)).toBe("the condition must be N or U, not ''");
});

test('an item has its description, its seller and what it includes', () => {
  const about = { DESCRIPTION: 'Box\nopen', REMARKS: 'A3', SUBCONDITION: 'I', CONDITION: 'U' };
  const item = { where: 'o:2', text: 'text', fields: { ...set, ...about } };
  const { BUYER: _, ...bought } = { ...sale, SELLER: 'Bob' };
  const order = toOrder({ where: 'o:1', fields: bought, items: [item] });
  expect(order.items[0]?.details).toEqual({
    grade: 'incomplete',
    notes: 'Box\nopen\nA3',
    bought_at: 'BrickLink, Bob',
  });
  const opened = itemOf({ SUBCONDITION: 'C', CONDITION: 'N' });
  // Without a description it is only for new lots, because stored ones may have a longer note.
  expect(opened?.details).toMatchObject({ grade: null, notes: null });
  expect(opened?.newNotes).toBe('New, complete, not sealed');
});
