/** Importing API orders into a real store, with items inside or in other files. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type FilePlace,
  makeFilePlace,
  shownSales,
  stockUp,
} from '../../../test/support/private-files.ts';
import { Corrector } from '../runner/corrections.work.ts';
import { OrderAnswers } from './order-answers.work.ts';

let place: FilePlace;

beforeEach(async () => {
  place = await makeFilePlace();
  await stockUp(place);
});

afterEach(() => place.close());

const text = (value: unknown) => JSON.stringify(value);
const together = 'import an order together with its items';

describe('BrickLink', () => {
  const order = {
    order_id: 7001,
    date_ordered: '2026-09-04T17:59:06.373Z',
    seller_name: 'me',
    buyer_name: 'ann',
    status: 'COMPLETED',
    total_count: 3,
    cost: {
      currency_code: 'USD',
      subtotal: '120.0000',
      grand_total: '133.0000',
      etc1: '1.0000',
      etc2: '0.0000',
      insurance: '2.0000',
      shipping: '10.0000',
      credit: '0.5000',
      coupon: '0.5000',
    },
  };
  const item = (id: number, no: string, more: object = {}) => ({
    inventory_id: id,
    item: { no, name: 'A set', type: 'SET', category_id: 34 },
    quantity: 1,
    new_or_used: 'N',
    completeness: 'S',
    unit_price: '90.0000',
    unit_price_final: '80.0000',
    ...more,
  });
  const house = item(31, '10482-1');
  const keepers = item(32, '10483-1', { quantity: 2, new_or_used: 'U', unit_price_final: '20' });
  const sales = [
    'bricklink/7001/31 10482 1 sealed bricklink 2026-09-04 ' +
      'gross 88 fees 0 shipping 8 cost 10 fifo',
    'bricklink/7001/32 10483 2 used bricklink 2026-09-04 ' +
      'gross 44 fees 0 shipping 4 cost 20 fifo',
  ];
  const answer = (data: unknown) => text({ meta: { code: 200, message: 'OK' }, data });

  test.each([
    ['with its items', { 'a.json': text({ ...order, items: [house, keepers] }) }],
    ['with batches of items', { 'a.json': answer({ ...order, items: [[house], [keepers]] }) }],
    [
      'next to the response with its items',
      { 'a.json': answer(order), 'b.json': answer([[house, keepers]]) },
    ],
    ['after its items', { 'a.json': text([house, keepers]), 'b.json': text([order]) }],
  ])('an order %s becomes sales at what was paid after discounts', async (_, files) => {
    expect(await place.loadAll(files)).toMatchObject({ added: 2, rejects: [] });
    expect(await shownSales(place)).toEqual(sales);
    expect(await place.loadAll(files)).toMatchObject({ added: 0, unchanged: 2 });
  });

  test.each([
    [
      'items',
      text([
        { ...order, items: [house, keepers] },
        { ...order, items: [house] },
      ]),
    ],
    ['batches', answer({ ...order, items: [[house, keepers], [house], [], [[keepers, house]]] })],
    [
      'batches of several orders',
      answer([
        { ...order, items: [[house, keepers]] },
        { ...order, order_id: 2, items: [[house]] },
        { ...order, order_id: 3, items: [[keepers], [house, keepers]] },
        { ...order, order_id: 4 },
      ]),
    ],
    [
      'responses',
      `[${answer([order, { ...order, order_id: 2 }])},${answer({ ...order, items: [house] })}]`,
    ],
  ])('each row of %s has its own location', (_, json) => {
    const answers = new OrderAnswers();
    const value: unknown = JSON.parse(json);
    const taken = answers.take([{ where: 'a.json#1', value }]);
    const items = [...taken, ...answers.end().orders].flatMap((each) => each.items);
    const places = items.map(({ where }) => where);
    expect(places.length).toBeGreaterThan(2);
    expect(new Set(places).size).toBe(places.length);
  });

  test('a correction of an item leaves those of other orders alone', () => {
    const orders = answer([
      { ...order, items: [[house, keepers]] },
      { ...order, order_id: 2, items: [[house]] },
    ]);
    const texts = { ITEMID: '10484-1', QTY: '2', PRICE: '20', CONDITION: 'U' };
    const corrections = new Map([['a.json#1.1.2', { texts, isSkipped: false }]]);
    const value: unknown = JSON.parse(orders);
    const taken = new OrderAnswers(new Corrector(corrections)).take([{ where: 'a.json#1', value }]);
    expect(taken.map(({ items }) => items.map(({ set }) => set))).toMatchObject([
      [{ number: '10482-1' }, { number: '10484-1' }],
      [{ number: '10482-1' }],
    ]);
  });

  test('the same order as XML is the same sale', async () => {
    await place.loadAll({ 'a.json': text({ ...order, items: [house] }) });
    const xml =
      '<ORDERS><ORDER><ORDERID>7001</ORDERID><BUYER>ann</BUYER><ORDERDATE>9/4/2026</ORDERDATE>' +
      '<ORDERSTATUS>Completed</ORDERSTATUS><BASECURRENCYCODE>USD</BASECURRENCYCODE>' +
      '<ORDERTOTAL>120.00</ORDERTOTAL><ORDERADDCHRG1>1.00</ORDERADDCHRG1><ORDERCREDIT>1.00' +
      '</ORDERCREDIT><ORDERSHIPPING>10</ORDERSHIPPING><ORDERINSURANCE>2</ORDERINSURANCE><ITEM>' +
      '<ITEMTYPE>S</ITEMTYPE><ITEMID>10482-1</ITEMID><LOTID>31</LOTID><QTY>1</QTY>' +
      '<PRICE>80</PRICE><CONDITION>N</CONDITION></ITEM></ORDER></ORDERS>';
    expect(await place.load(xml, {}, 'orders.xml')).toMatchObject({ added: 0, unchanged: 1 });
  });

  test('items that cannot be imported are rejected with the reason', async () => {
    const part = item(33, '3001', { item: { no: '3001', type: 'PART' } });
    const box = item(34, '10482-1', { item: { no: '10482-1', type: 'ORIGINAL_BOX' } });
    const orders = [
      { ...order, items: [part, box] },
      { ...order, order_id: 2, status: 'PENDING', items: [house] },
      { ...order, order_id: 3, status: 'NPB', items: [house] },
      { ...order, order_id: 4, cost: { ...order.cost, subtotal: 'much' }, items: [house] },
      order,
    ];
    expect((await place.load(text(orders), {}, 'a.json')).rejects).toEqual([
      "1.1: '3001' is a part; only sets and minifigs can be imported",
      "1.2: '10482-1' is a box; only sets and minifigs can be imported",
      '2: the order is PENDING: import it once it is paid',
      '3: the order is NPB',
      "4: 'ORDERTOTAL' of the order must be an amount such as 12.50, not 'much'",
      '5: the order has no items; import them together with the order',
    ]);
  });

  test('orders of several sellers were placed, not received', async () => {
    const orders = ['me', 'bob'].map((seller_name, order_id) => {
      return { ...order, order_id, seller_name, items: [house] };
    });
    const { added, rejects } = await place.load(text(orders), {}, 'a.json');
    expect({ added, rejects }).toEqual({
      added: 1,
      rejects: [
        "2: the seller is 'bob', but 'me' in other orders: only orders that the account received " +
          'can be imported from the API; download those that it placed as XML or CSV',
      ],
    });
  });

  test('a hundred thousand orders and items are held, but not more', () => {
    const answers = new OrderAnswers();
    const take = (value: unknown) => answers.take([{ where: 'a.json#1', value }]);
    take(Array.from({ length: 99_999 }, () => house));
    expect(take(order)).toEqual([]);
    const owlItem = { order_item_id: '1', lot_id: '9', boid: '1', ordered_quantity: '1' };
    expect(() => take(owlItem)).toThrow(
      'More than 100,000 orders and items are in separate files; split them.',
    );
  });

  test('errors and other responses fail with one sentence', async () => {
    const error = text({ meta: { code: 404, message: 'RESOURCE_NOT_FOUND', description: 'x' } });
    await expect(place.load(error, {}, 'a.json')).rejects.toThrow(
      'a.json#1: BrickLink answered with an error (404): RESOURCE_NOT_FOUND, x.',
    );
    for (const other of ['[1]', '{"hello":"world"}']) {
      await expect(place.load(other, {}, 'a.json')).rejects.toThrow(
        'a.json#1: the record is not an order; import JSON from Brickmark, BrickLink or Brick Owl.',
      );
    }
  });
});

describe('Brick Owl', () => {
  const order = (order_id: string, more: object = {}) => ({
    order_id,
    order_time: '1788516000',
    status: '5',
    base_currency: 'USD',
    sub_total: '40.00',
    ship_total: '5.00',
    total_quantity: '2',
    ...more,
  });
  const item = (id: string, more: object = {}) => ({
    order_item_id: id,
    lot_id: '9',
    boid: '1',
    type: 'Set',
    name: 'LEGO Keeper Set 10483',
    condition: 'New',
    ordered_quantity: '1',
    base_price: '20.00',
    ...more,
  });
  const ids = async () => (await shownSales(place)).map((sale) => sale.split(' ', 1)[0]);

  test('items without an order ID belong to the only order', async () => {
    const files = { 'order.json': text(order('88')), 'items.json': text([item('1'), item('2')]) };
    expect(await place.loadAll(files)).toMatchObject({ added: 2, rejects: [] });
    expect(await shownSales(place)).toEqual([
      'brickowl/88/1 10483 1 sealed brick_owl 2026-09-04 ' +
        'gross 22.5 fees 0 shipping 2.5 cost 10 fifo',
      'brickowl/88/2 10483 1 sealed brick_owl 2026-09-04 ' +
        'gross 22.5 fees 0 shipping 2.5 cost 10 fifo',
    ]);
  });

  test('an order that does not say how many units it has gets all items', async () => {
    const unsure = text(order('88', { total_quantity: undefined }));
    const files = { 'order.json': unsure, 'items.json': text([item('1')]) };
    expect(await place.loadAll(files)).toMatchObject({ added: 1, rejects: [] });
  });

  test('items are matched to orders by ID or file name', async () => {
    const files = {
      'orders.json': text({ orders: [order('88'), order('89')] }),
      '89-items.json': text([item('3')]),
      'items.json': text([item('1', { order_id: '88' })]),
    };
    expect(await place.loadAll(files)).toMatchObject({ added: 2, rejects: [] });
    expect(await ids()).toEqual(['brickowl/88/1', 'brickowl/89/3']);
  });

  test('ambiguous items are rejected', async () => {
    const load = (files: Readonly<Record<string, string>>) => place.loadAll(files);
    const bare = 'the order has no items; import them together with the order';
    const items = text([item('1')]);
    expect((await load({ 'a.json': text(order('88')), 'b.json': items })).rejects).toEqual([
      `b.json#1: the order has 2 units, and the items 1; ${together}`,
      `a.json#1: ${bare}`,
    ]);
    const two = text([order('88'), order('89')]);
    expect((await load({ 'a.json': two, 'b.json': items })).rejects[0]).toBe(
      `b.json#1: neither it nor the file name says which order it belongs to; ${together}`,
    );
    expect((await load({ 'b.json': items })).rejects).toEqual([
      `b.json#1: its order is not among the files; ${together}`,
    ]);
    const named = text([item('1', { order_id: '90' })]);
    expect((await load({ 'a.json': two, 'b.json': named })).rejects[0]).toBe(
      `b.json#1: order '90' is not among the files; ${together}`,
    );
    expect(await ids()).toEqual([]);
  });

  test.each([
    ['0', 'the order is Pending'],
    ['8', 'the order is Cancelled'],
  ])('a status may be a number: %s', async (status, reason) => {
    const loaded = await place.load(
      text(order('88', { status, items: [item('1')] })),
      {},
      'a.json',
    );
    expect(loaded).toMatchObject({ added: 0, rejects: [`1: ${reason}`] });
  });
});
