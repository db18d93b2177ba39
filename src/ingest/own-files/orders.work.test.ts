/** Importing orders of marketplaces into a real store. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type FilePlace,
  makeFilePlace,
  shownSales,
  stockUp,
} from '../../../test/support/private-files.ts';

let place: FilePlace;

beforeEach(async () => {
  place = await makeFilePlace();
});

afterEach(() => place.close());

describe('eBay', () => {
  const header =
    '\n"Sales Record Number","Order Number","Buyer Username","Item Number","Item Title",' +
    '"Custom Label","Quantity","Sold For","Shipping And Handling","Total Price","Sale Date",' +
    '"Paid On Date"\n,,,,,,,,,,,\n';
  const footer = '\n"5","record(s) downloaded"\n"Seller ID : ann"\n';

  const paid = (day: number) => `"Sep-0${day}-26","Sep-0${day}-26"`;

  test('orders of one and of several items, with their shipping by price', async () => {
    await stockUp(place);
    const rows = [
      `"1","11-1","bob","501","10482, never used","","1","$43.00","$7.00","$50.00",${paid(4)}`,
      '"2","11-2","bob","","","","3","$90.00","$9.01","$99.01","Sep-05-26","Sep-05-26"',
      '"2","11-2","bob","502","Keeper","10483-1","2","$30.00","","","",""',
      '"2","11-2","bob","503","Used pier","A 10484","1","$30.00","","","",""',
      `"3","11-3","bob","504","LEGO Keeper 10483","","2","$60.00","$1.00","$61.00",${paid(6)}`,
      '"4","11-4","bob","505","Pier & lighthouse 10482 10484","","1","$1.00","$1.00","$2.00",' +
        paid(6),
      `"5","11-5","bob","506","Bulk bricks","","1","$1.00","$1.00","$2.00",${paid(6)}`,
      '"6","11-6","bob","507","10482","","1","$1.00","$1.00","$2.00","Sep-06-26",""',
    ];
    expect(await place.load(`${header}${rows.join('\n')}${footer}`)).toEqual({
      added: 4,
      updated: 0,
      unchanged: 0,
      rejects: [
        "9: 'Pier & lighthouse 10482 10484' names several sets: 10482, 10484",
        "10: no set number found in 'Bulk bricks'",
        '11: the order is not paid',
      ],
    });
    expect(await shownSales(place)).toEqual([
      'ebay/11-1/501 10482 1 sealed ebay 2026-09-04 gross 50 fees 0 shipping 7 cost 10 fifo',
      'ebay/11-2/502 10483 2 sealed ebay 2026-09-05 gross 66.01 fees 0 shipping 6.01 cost 20 fifo',
      'ebay/11-2/503 10484 1 used ebay 2026-09-05 gross 33 fees 0 shipping 3 cost 10 fifo',
      // The total shows that the price is for both units.
      'ebay/11-3/504 10483 2 sealed ebay 2026-09-06 gross 61 fees 0 shipping 1 cost 20 fifo',
    ]);
  });

  test('dates with slashes must be unambiguous', async () => {
    await stockUp(place);
    const row = (id: number, day: string) =>
      `"${id}","11-${id}","bob","50${id}","10482","","1","$43.00","$7.00","$50.00",` +
      `"${day}","${day}"`;
    const rows = [row(1, '25/10/2026'), row(2, '10/25/2026'), row(3, '05/10/2026')];
    const { added, rejects } = await place.load(`${header}${rows.join('\n')}${footer}`);
    expect({ added, rejects: rejects.length }).toEqual({ added: 2, rejects: 1 });
    expect((await shownSales(place)).every((sale) => sale.includes(' 2026-10-25 '))).toBe(true);
  });

  test('rows that do not fit the header and absurd amounts are rejected', async () => {
    await stockUp(place);
    const rows = [
      `1,11-1,bob,501,Lighthouse, as new,10482,1,$43.00,$7.00,$50.00,${paid(4)}`,
      `2,11-2,bob,502,10482,,1,$43.00,$7.00,$50.00,${paid(4)}`,
      '3,11-3,bob,,,,2,$20.00,$1,001.00,$21.00,Sep-05-26,Sep-05-26',
      '3,11-3,bob,503,10482,,1,$20.00,,,,',
      `4,11-4,bob,504,10482,,1,${'9'.repeat(400)},$7.00,$50.00,${paid(4)}`,
    ];
    expect(await place.load(`${header}${rows.join('\n')}${footer}`)).toMatchObject({
      added: 1,
      rejects: [
        '4: the row has 13 columns and the header 12',
        '7: the row has 13 columns and the header 12',
        expect.stringContaining("8: 'Sold For' must be an amount such as $43.00"),
      ],
    });
  });
});

describe('Amazon', () => {
  const header = [
    'settlement-id',
    'settlement-start-date',
    'deposit-date',
    'total-amount',
    'currency',
    'transaction-type',
    'order-id',
    'amount-type',
    'amount-description',
    'amount',
    'posted-date',
    'sku',
    'quantity-purchased',
  ].join('\t');
  const row = (...cells: string[]) => ['1', '', '', '', '', ...cells].join('\t');
  const total = ['1', '01.09.2026', '15.09.2026', '123,45', 'EUR', ...Array(8).fill('')].join('\t');
  const day = '04.09.2026';

  test('amounts are summed by order and SKU, with decimal commas, promotions and refunds', async () => {
    await stockUp(place);
    const file = [
      header,
      total,
      row('Order', 'A1', 'ItemPrice', 'Principal', '100,00', day, 'LEGO-10482-NEW', '2'),
      row('Order', 'A1', 'ItemPrice', 'Tax', '19,00', day, 'LEGO-10482-NEW', ''),
      row(
        'Order',
        'A1',
        'ItemWithheldTax',
        'MarketplaceFacilitatorTax-Principal',
        '-19,00',
        day,
        'LEGO-10482-NEW',
        '',
      ),
      row('Order', 'A1', 'ItemFees', 'Commission', '-15,00', day, 'LEGO-10482-NEW', ''),
      row('Order', 'A2', 'ItemPrice', 'Principal', '30,00', day, '10483', '1'),
      row(
        'Order',
        'A1',
        'ItemFees',
        'FBAPerUnitFulfillmentFee',
        '-5,50',
        day,
        'LEGO-10482-NEW',
        '',
      ),
      row('Order', 'A1', 'Promotion', 'Shipping', '-10,00', day, 'LEGO-10482-NEW', ''),
      row('Refund', 'A2', 'ItemPrice', 'Principal', '-30,00', '06.09.2026', '10483', ''),
      row('Refund', 'A0', 'ItemPrice', 'Principal', '-30,00', '06.09.2026', '10483', ''),
      row('Order', 'A3', 'ItemPrice', 'Principal', '1,00', day, 'SHOE-1', '1'),
      row('other-transaction', '', 'other-transaction', 'Subscription Fee', '-39,00', day, '', ''),
    ].join('\n');
    const loaded = await place.load(`${file}\n`, {}, 'settlement.txt');
    expect({ ...loaded, rejects: [...loaded.rejects].sort() }).toEqual({
      added: 1,
      updated: 0,
      unchanged: 0,
      rejects: [
        '11: a refund of an order that is not in this file',
        "12: no set number found in 'SHOE-1'",
        "13: 'Subscription Fee' is not for an item of an order",
        '7: the order was refunded',
      ],
    });
    expect(await shownSales(place)).toEqual([
      'amazon/A1/LEGO-10482-NEW 10482 2 sealed amazon 2026-09-04 ' +
        'gross 99 fees 16.5 shipping 6.05 cost 20 fifo',
    ]);
  });
});

const rangeFile =
  `"Includes Amazon Marketplace, Fulfillment by Amazon (FBA) transactions"
"All amounts in USD, unless specified"
"date/time","settlement id","type","order id","sku","description","quantity","marketplace",` +
  `"product sales","shipping credits","promotional rebates","selling fees","fba fees","total"
"Sep 4, 2026 10:20:30 AM PDT","1","Order","B1","10482-new","House","2","amazon.com",` +
  `"1,100.00","5","-5","-165.00","-12.50","922.50"
"Sep 6, 2026 10:20:30 AM PDT","1","Refund","B1","10482-new","House","1","amazon.com",` +
  `"-550.00","0","0","66.00","0","-484"
"Sep 7, 2026 10:20:30 AM PDT","1","Transfer","","","To bank","","","0","0","0","0","0","-1"
`;

test('marketplace names do not match properties of Object.prototype', async () => {
  await stockUp(place);
  const file = rangeFile.replaceAll('"amazon.com"', '"constructor"');
  expect(await place.load(file)).toMatchObject({ added: 1 });
});

test("Amazon's transactions of a range of dates, below their explanations", async () => {
  await stockUp(place);
  expect(await place.load(rangeFile)).toMatchObject({
    added: 1,
    rejects: ["6: 'To bank' is not for an item of an order"],
  });
  expect(await shownSales(place)).toEqual([
    'amazon/B1/10482-new 10482 2 sealed amazon 2026-09-04 ' +
      'gross 550 fees 99 shipping 12.5 cost 20 fifo',
  ]);
});

describe('Brick Owl', () => {
  const order = {
    order_id: '88',
    iso_order_time: '2026-09-04T10:00:00+00:00',
    status: 'Shipped',
    base_currency: 'USD',
    sub_total: '60.00',
    ship_total: '6.00',
    coupon_discount: '1.00',
    brickowl_fee: '1.50',
    affiliate_fee: '0.30',
    my_cost_total: '41.00',
    tax_amount: '3',
    items: [
      {
        type: 'Set',
        name: 'Harbour Lighthouse',
        order_item_id: '1',
        condition: 'New',
        ordered_quantity: '1',
        base_price: '40.00',
        ids: [{ type: 'set_number', id: '10482-1' }],
      },
      {
        type: 'Set',
        name: 'LEGO Keeper Set 10483',
        order_item_id: '2',
        condition: 'Used (Good)',
        ordered_quantity: '2',
        base_price: '10.000',
      },
      { type: 'Part', name: 'Brick', order_item_id: '3', ordered_quantity: '1', base_price: '0' },
    ],
  };

  test('fees and cost come from the order, by price', async () => {
    const loaded = await place.load(JSON.stringify({ orders: [order] }), {}, 'orders.json');
    expect(loaded).toEqual({
      added: 2,
      updated: 0,
      unchanged: 0,
      rejects: ["1.3: 'Brick' is a part; only sets and minifigs can be imported"],
    });
    expect(await shownSales(place)).toEqual([
      'brickowl/88/1 10482 1 sealed brick_owl 2026-09-04 ' +
        'gross 43.33 fees 1.2 shipping 4 cost 27.33 given',
      'brickowl/88/2 10483 2 used brick_owl 2026-09-04 ' +
        'gross 21.67 fees 0.6 shipping 2 cost 13.67 given',
    ]);
  });

  test('a missing total is derived from the order, and is never 0', async () => {
    const { sub_total: _, ...bare } = order;
    const [item] = order.items;
    const items = [item, { ...item, order_item_id: '4', base_price: '-40.00' }];
    const total = { ...bare, base_order_total: '68.00', items };
    expect(await place.load(JSON.stringify(total), {}, 'a.json')).toMatchObject({
      added: 1,
      rejects: ["1.2: 'base_price' must be an amount"],
    });
    expect(await shownSales(place)).toEqual([expect.stringContaining('gross 65 ')]);
    const wrong = [
      { ...bare, items: [item] },
      { ...order, ship_total: 'free', items: [item] },
      { ...order, base_currency: 'US\u0000', items: [item] },
      { ...order, items: [{ ...item, base_price: '9'.repeat(400) }] },
    ];
    expect((await place.load(JSON.stringify(wrong), {}, 'b.json')).rejects).toEqual([
      "1: 'sub_total' of the order must be an amount such as 12.50, not ''",
      "2: 'ship_total' of the order must be an amount such as 12.50, not 'free'",
      "3: the currency must be a code such as EUR, not 'US\\u0000'",
      "4: 'base_price' must be an amount",
    ]);
  });

  test('a single order, a list of orders, and other records', async () => {
    const { items: _, ...bare } = order;
    expect(await place.load(JSON.stringify(bare), {}, 'a.json')).toMatchObject({
      rejects: ['1: the order has no items; import them together with the order'],
    });
    const cancelled = { ...order, status: 'Cancelled', items: order.items.slice(0, 1) };
    expect(await place.load(JSON.stringify([cancelled]), {}, 'b.json')).toMatchObject({
      rejects: ['1: the order is Cancelled'],
    });
  });
});
