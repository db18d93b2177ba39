/** Orders from Brick Owl's API: amounts, dates and problems. */
import { expect, test } from 'bun:test';
import type { JsonObject } from '../../kernel/json.ts';
import { brickOwlApi } from './brick-owl.work.ts';

const order = { order_id: 7, iso_order_time: '2026-03-01T10:00:00Z', sub_total: '100.00' };
const item = {
  order_item_id: 5,
  set_number: '10482-1',
  ordered_quantity: 2,
  base_price: '50.0000',
  condition: 'New (Sealed)',
};

const read = (given: JsonObject, ...items: readonly JsonObject[]) => {
  const records = items.map((value, index) => ({ where: `items#${index + 1}`, value }));
  return brickOwlApi().read({ where: 'order#1', value: { ...order, ...given } }, records);
};
const itemOf = (given: JsonObject) => read({}, { ...item, ...given }).items[0];

test('orders, items and units are recognized by their fields', () => {
  expect([brickOwlApi().isOrder(order), brickOwlApi().isOrder(item)]).toEqual([true, false]);
  expect([brickOwlApi().isItem(order), brickOwlApi().isItem(item)]).toEqual([false, true]);
  expect(brickOwlApi().itemsOf({ items: 1, order_items: 2 })).toBe(1);
  expect(brickOwlApi().itemsOf({ order_items: 2 })).toBe(2);
  expect(brickOwlApi().totalOf({ total_quantity: '3' })).toBe(3);
  expect(brickOwlApi().totalOf({})).toBeNull();
  const quantities = [
    { ordered_quantity: 4, quantity: 5 },
    { quantity: 5, qty: 6 },
    { qty: 6 },
    {},
  ];
  expect(quantities.map(brickOwlApi().quantityOf)).toEqual([4, 5, 6, 0]);
});

test('gross proceeds are goods and shipping, less coupons and refunds', () => {
  const { shared } = read({
    ship_total: 12,
    refund_shipping: 2,
    refund_subtotal: 5,
    refund_adjustment: 1,
    coupon_discount: 4,
    brickowl_fee: 2.5,
    affiliate_fee: 0.5,
    my_cost_total: 60,
  });
  expect(shared).toEqual({
    // 100 − 4 + 10 − 6.
    grossCents: 100_00,
    platformFeesCents: 3_00,
    paymentFeesCents: 0,
    shippingCents: 10_00,
    costCents: 60_00,
  });
  expect(read({}).shared).toMatchObject({ grossCents: 100_00, costCents: null });
});

test('a missing subtotal is derived from the total', () => {
  const total = { sub_total: '', base_order_total: 120, ship_total: 12, tax_amount: 8 };
  expect(read(total).shared.grossCents).toBe(112_00);
  expect(read({ ...total, sub_total: 90 }).shared.grossCents).toBe(102_00);
  expect(read({ sub_total: null }).problem).toStartWith("'sub_total' of the order must be");
});

test.each<[JsonObject, string]>([
  [{ iso_order_time: '2026-03-01T10:00:00Z' }, '2026-03-01'],
  [{ iso_order_time: null, order_time: '1772359200' }, '2026-03-01'],
  [{ iso_order_time: 1772359200 }, '2026-03-01'],
  [{ iso_order_time: '100000000' }, '1973-03-03'],
  [{ iso_order_time: '12345678' }, ''],
])('%j is %s', (given, date) => {
  expect(read(given).date).toBe(date);
});

test.each<[JsonObject, string | null]>([
  [{ status: 'Shipped' }, null],
  [{ status: 'Cancelled' }, 'the order is Cancelled'],
  [{ status_id: 0 }, 'the order is Pending'],
  [{ status_id: '1' }, 'the order is Payment Submitted'],
  [{ status_id: 2 }, null],
  [{ status: 7 }, 'the order is On Hold'],
  [{ status: '8', status_id: 2 }, 'the order is Cancelled'],
  [{ iso_order_time: 'soon' }, "'iso_order_time' must be a time such as 2026-11-15T12:00:00Z"],
  [{ ship_total: 'x' }, "'ship_total' of the order must be an amount such as 12.50, not 'x'"],
])('an order with %j: %p', (given, problem) => {
  expect(read(given).problem).toBe(problem);
});

test('an order has ID and currency, and without items it is one reject', () => {
  expect(read({ base_currency: 'eur' })).toMatchObject({
    platform: 'brick_owl',
    id: '7',
    kind: 'sale',
    currency: 'EUR',
  });
  expect(read({}).currency).toBe('USD');
  const problem = 'the order has no items; import them together with the order';
  expect(read({}).items).toMatchObject([{ where: 'order#1', problem }]);
});

test('an item has its name, its units and its weight', () => {
  expect(itemOf({})).toMatchObject({
    where: 'items#1',
    id: '5',
    set: { number: '10482-1' },
    quantity: 2,
    condition: 'sealed',
    weight: 2 * 50_0000,
    problem: null,
  });
  expect(itemOf({ order_item_id: null, lot_id: 3, boid: 4 })?.id).toBe('3');
  expect(itemOf({ order_item_id: null, boid: 4 })?.id).toBe('4');
  expect(itemOf({ order_item_id: null })?.id).toBe('-');
  expect(itemOf({ condition: 'Used (Complete)' })?.condition).toBe('used');
  expect(itemOf({ condition: null })?.condition).toBe('sealed');
});

test('a set is identified by number, or else by its name', () => {
  const ids = [
    { type: 'boid', id: '1' },
    { type: 'set_number', id: '10483-1' },
  ];
  expect(itemOf({ ids })?.set).toEqual({ number: '10483-1' });
  expect(itemOf({ ids: [{ type: 'boid', id: '1' }] })?.set).toEqual({ number: '10482-1' });
  expect(itemOf({ set_number: null, name: 'Pier 10484' })?.set).toEqual({ texts: ['Pier 10484'] });
});

test.each<[JsonObject, number, number, string | null]>([
  [{ refunded_quantity: 1 }, 1, 50_0000, null],
  [{ refunded_quantity: 2 }, 1, 0, 'all units were refunded'],
  [{ ordered_quantity: 'x' }, 1, 0, 'the quantity must be a whole number'],
  [{ base_price: 'x' }, 2, 0, "'base_price' must be an amount"],
  [{ base_price: '-1' }, 2, 0, "'base_price' must be an amount"],
  [{ base_price: '0' }, 2, 0, null],
  [{ type: 'Set' }, 2, 100_0000, null],
  [
    { type: 'Part', name: 'Brick' },
    2,
    100_0000,
    "'Brick' is a part; only sets and minifigs can be imported",
  ],
])('an item with %j has %d units of weight %d: %p', (given, quantity, weight, problem) => {
  expect(itemOf(given)).toMatchObject({ quantity, weight, problem });
});
