/** Importing BrickLink orders into a real store: sales and purchases. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type FilePlace,
  makeFilePlace,
  me,
  shownSales,
  stockUp,
} from '../../../test/support/private-files.ts';

let place: FilePlace;

beforeEach(async () => {
  place = await makeFilePlace();
});

afterEach(() => place.close());

async function lots() {
  const records = await place.records('collection');
  return records
    .filter(({ kind }) => kind === 'lot')
    .map(
      (r) =>
        `${r.source_id} ${r.set_number} ${r.quantity} ${r.condition} ${r.purchase_price_usd} ` +
        `${r.purchase_date}`,
    );
}

const tags = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, text]) => `<${name}>${text}</${name}>\n`);

function xml(
  orders: readonly { fields: Record<string, string>; items: Record<string, string>[] }[],
) {
  const order = ({ fields, items }: (typeof orders)[number]) =>
    [
      '<ORDER>\n',
      ...tags(fields),
      ...items.map((i) => `<ITEM>\n${tags(i).join('')}</ITEM>\n`),
      '</ORDER>\n',
    ].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ORDERS>\n${orders.map(order).join('')}</ORDERS>`;
}

const sold = {
  ORDERID: '7001',
  BUYER: 'Ann & Co',
  ORDERDATE: '9/4/2026',
  ORDERSTATUS: 'Completed',
  BASECURRENCYCODE: 'USD',
  ORDERTOTAL: '1,300.01',
  ORDERSHIPPING: '10.00',
  ORDERCREDIT: '0.01',
  ORDERSALESTAX: '50.00',
  BASEGRANDTOTAL: '1,360.00',
};
const house = {
  ITEMTYPE: 'S',
  ITEMID: '10482-1',
  LOTID: '31',
  QTY: '10',
  PRICE: '100.001',
  CONDITION: 'N',
};
const keeper = {
  ITEMTYPE: 'S',
  ITEMID: '10483-1',
  LOTID: '32',
  QTY: '2',
  PRICE: '100',
  CONDITION: 'U',
};
const bricks = {
  ITEMTYPE: 'P',
  ITEMID: '3001',
  LOTID: '33',
  QTY: '1,000',
  PRICE: '0.1',
  CONDITION: 'N',
  DESCRIPTION: 'red & blue &amp; white &#40;new&#41;',
};

describe('BrickLink', () => {
  test('sold sets are imported with their share of the order; other items are rejected', async () => {
    await stockUp(place);
    const file = xml([{ fields: sold, items: [house, keeper, bricks] }]);
    expect(await place.load(file, {}, 'orders.xml')).toEqual({
      added: 2,
      updated: 0,
      unchanged: 0,
      rejects: ["30: '3001' is a part; only sets and minifigs can be imported"],
    });
    // 1310.00 over 1000.01, 200 and 100; the parts keep their share.
    expect(await shownSales(place)).toEqual([
      'bricklink/7001/31 10482 10 sealed bricklink 2026-09-04 ' +
        'gross 1007.69 fees 0 shipping 7.69 cost 100 fifo',
      'bricklink/7001/32 10483 2 used bricklink 2026-09-04 ' +
        'gross 201.54 fees 0 shipping 1.54 cost 20 fifo',
    ]);
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({ unchanged: 2, added: 0 });
  });

  test('a cost in the file needs no lot', async () => {
    const items = [{ ...house, MYCOST: '61.2345' }, keeper];
    const loaded = await place.load(xml([{ fields: sold, items }]), {}, 'orders.xml');
    expect(loaded.rejects).toEqual([
      '23: the sale is for 2 used units of 10483, but none are left in all lots',
    ]);
    expect(await shownSales(place)).toEqual([expect.stringContaining('cost 612.35 given')]);
  });

  test('purchases become lots with their share of the total paid', async () => {
    const { BUYER: _, ...rest } = sold;
    const bought = { ...rest, SELLER: 'Bob', ORDERDATE: '12/31/2025' };
    const file = xml([{ fields: bought, items: [house, { ...house, QTY: '1' }, keeper] }]);
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({ added: 5, rejects: [] });
    // Together $1,360.00, to the cent.
    expect(await lots()).toEqual([
      'bricklink/7001/31 10482 5 sealed 104.62 2025-12-31',
      'bricklink/7001/31/2 10482 5 sealed 104.61 2025-12-31',
      'bricklink/7001/31#2 10482 1 sealed 104.62 2025-12-31',
      'bricklink/7001/32 10483 1 used 104.62 2025-12-31',
      'bricklink/7001/32/2 10483 1 used 104.61 2025-12-31',
    ]);
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({ unchanged: 5, added: 0 });
  });

  test('units stored as one lot stay one lot', async () => {
    await stockUp(place);
    await place.feed({
      kind: 'holding',
      account: me,
      source_id: 'bricklink/7001/31',
      brickfolio: 'Shelf',
      set_number: '10482',
      quantity: 3,
      condition: 'sealed',
      purchase_price_usd: 33.33,
      purchase_date: '2025-12-31',
    });
    const { BUYER: _, ...rest } = sold;
    const bought = { ...rest, SELLER: 'Bob', ORDERDATE: '12/31/2025', BASEGRANDTOTAL: '100.00' };
    const file = xml([{ fields: bought, items: [{ ...house, QTY: '3' }] }]);
    // The file also says where it was bought.
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({ updated: 1, added: 0 });
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({ unchanged: 1, added: 0 });
    const unknown = xml([{ fields: bought, items: [{ ...house, QTY: '3', ITEMID: '1-1' }] }]);
    expect((await place.load(unknown, {}, 'orders.xml')).rejects).toHaveLength(1);
  });

  test.each([
    [{ ORDERSTATUS: 'NPB' }, 'the order is NPB'],
    [{ ORDERSTATUS: 'Cancelled' }, 'the order is Cancelled'],
    [{ ORDERSTATUS: 'Pending' }, 'the order is Pending: import it once it is paid'],
    [
      { BUYER: '' },
      'the order has neither a buyer nor a seller, so it may be a sale or a purchase',
    ],
    [{ ORDERDATE: '31/12/2025' }, "the order date must look like 12/31/2025, not '31/12/2025'"],
    [
      { BASECURRENCYCODE: 'PLN' },
      'there is no PLN exchange rate for Sep 4, 2026 or the week before it; import one, ' +
        'or write the amount in US dollars',
    ],
    [{ ORDERTOTAL: '0', ORDERCREDIT: '99' }, 'the refund is more than was paid'],
    [
      { ORDERTOTAL: '5.00 USD' },
      "'ORDERTOTAL' of the order must be an amount such as 12.50, not '5.00 USD'",
    ],
    [{ ORDERTOTAL: '' }, "'ORDERTOTAL' of the order must be an amount such as 12.50, not ''"],
    [
      { ORDERSHIPPING: 'free' },
      "'ORDERSHIPPING' of the order must be an amount such as 12.50, not 'free'",
    ],
    [{ BASECURRENCYCODE: 'US\u0000' }, "the currency must be a code such as EUR, not 'US\\u0000'"],
    [{ ORDERID: '7\u0001' }, `'source_id' contains control characters: "bricklink/7\\u0001/31"`],
  ])('an order with %j is rejected', async (fields, reason) => {
    await stockUp(place);
    const file = xml([{ fields: { ...sold, ...fields }, items: [house] }]);
    expect((await place.load(file, {}, 'orders.xml')).rejects).toEqual([`14: ${reason}`]);
  });

  test.each([
    [{ PRICE: '-5.00' }, "the price must be an amount such as 4.20, not '-5.00'"],
    [
      { PRICE: '9'.repeat(400) },
      `the price must be an amount such as 4.20, not '${'9'.repeat(400)}'`,
    ],
    [{ MYCOST: 'little' }, "the cost must be an amount such as 4.20, not 'little'"],
    [
      { ITEMTYPE: 'constructor' },
      "'10483-1' is a constructor; only sets and minifigs can be imported",
    ],
  ])('an item with %j is rejected, others are not', async (fields, reason) => {
    await stockUp(place);
    const file = xml([{ fields: sold, items: [house, { ...keeper, ...fields }] }]);
    const loaded = await place.load(file, {}, 'orders.xml');
    expect(loaded).toMatchObject({ added: 1, rejects: [`22: ${reason}`] });
    const gross = 'PRICE' in fields ? 'gross 1310 ' : 'gross 1091.67 ';
    expect(await shownSales(place)).toEqual([expect.stringContaining(gross)]);
  });

  test('names with control characters are rejected before any lookup', async () => {
    const { BUYER: _, ...rest } = sold;
    const bought = { ...rest, SELLER: 'Bob' };
    const bad = [
      { ...house, LOTID: '3\u00001' },
      { ...keeper, ITEMID: '10483\u0000' },
      { ...keeper, ITEMID: '10\u202e483' },
    ];
    const file = xml([{ fields: bought, items: [...bad, house] }]);
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({
      added: 2,
      rejects: [
        '14: the lot ID contains control characters',
        '22: the number contains control characters',
        '30: the number contains characters that change the direction of text',
      ],
    });
  });

  test('euros are converted by the rate of the day', async () => {
    await stockUp(place);
    const fields = { ...sold, BASECURRENCYCODE: 'EUR' };
    await place.load(xml([{ fields, items: [house] }]), {}, 'orders.xml');
    expect(await shownSales(place)).toEqual([
      expect.stringContaining('gross 1441 fees 0 shipping 11 '),
    ]);
  });

  test('an order without items is a reject', async () => {
    const loaded = await place.load(xml([{ fields: sold, items: [] }]), {}, 'orders.xml');
    expect(loaded.rejects).toEqual(['3: the order has no items; download orders with their items']);
  });

  test('an incomplete file fails with one sentence and the line', async () => {
    const file = xml([{ fields: sold, items: [house, keeper] }]);
    for (const length of [60, 300, 500, file.length - 9]) {
      const cut = file.slice(0, length);
      const line = cut.split('\n').length;
      await expect(place.load(cut, {}, 'orders.xml')).rejects.toThrow(
        `orders.xml:${line}: the file ends before its orders do; is it complete?`,
      );
    }
  });

  test('an unclosed element fails with one sentence and the line; markup is text', async () => {
    await stockUp(place);
    const described = { ...house, DESCRIPTION: 'as <b>new</b> < used<br>' };
    const file = xml([{ fields: sold, items: [described, keeper] }]);
    await expect(place.load(file.replace('</QTY>', ''), {}, 'orders.xml')).rejects.toThrow(
      'orders.xml:19: <PRICE> begins inside <QTY>, whose end is missing.',
    );
    await expect(place.load(file.replace('</ITEM>', ''), {}, 'orders.xml')).rejects.toThrow(
      'orders.xml:23: <ITEM> begins inside <ITEM>, whose end is missing.',
    );
    expect(await place.load(file, {}, 'orders.xml')).toMatchObject({ added: 2, rejects: [] });
  });

  test.each([
    ['deeply nested elements', '<A>\n', ':20: elements are nested too deeply.'],
    ['fields', '', ': an order or item has more than 500 fields.'],
    ['attributes', '', ':1: an element has too many attributes.'],
  ])('too many %s fail with one sentence', async (what, each, message) => {
    const many = Array.from({ length: 2000 }, (_, n) =>
      what === 'fields' ? `<F${n}></F${n}>` : what === 'attributes' ? ` a${n}` : each,
    ).join('');
    const start = what === 'attributes' ? '<ORDERS' : '<ORDERS><ORDER>\n';
    await expect(place.load(start + many, {}, 'o.xml')).rejects.toThrow(message.replace(/^:/, ''));
  });

  test('CSV and XML give the same rows', async () => {
    const header =
      '"Order ID","Order Date","Seller","Base Currency","Shipping","Credit","Order Total",' +
      '"Tax","Base Grand Total","Total Lots","Order Status","Condition","Item Description",' +
      '"Qty","Each","Total","Item Type","Item Number","Inv ID"';
    const order =
      '"7001","12/31/2025","Bob","USD","$10.00","$0.01","$1,300.01","$50.00","$1,360.00",' +
      '"3","Completed","","","","","","","","",""';
    const blank = '"","","","","","","","","","",""';
    const rows = [
      `${blank},"New","Lighthouse","10","$100.001","$1,000.01","Set","10482-1","31"`,
      `${blank},"Used","Keeper","2","$100.00","$200.00","Set","10483-1","32"`,
      `${blank},"New","Brick","1,000","$0.10","$100.00","Part","3001","33"`,
    ];
    const csv = [header, '', order, ...rows, `${blank},"","","","","","","",""`].join('\n');
    const { BUYER: _, ...rest } = sold;
    const bought = { ...rest, SELLER: 'Bob', ORDERDATE: '12/31/2025' };
    expect(await place.load(csv)).toEqual({
      added: 4,
      updated: 0,
      unchanged: 0,
      rejects: ["6: '3001' is a part; only sets and minifigs can be imported"],
    });
    const same = xml([{ fields: bought, items: [house, keeper, bricks] }]);
    expect(await place.load(same, {}, 'o.xml')).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: 4,
    });
    const unnamed = csv.replace('"USD"', '""').replaceAll('7001', '7002');
    expect(await place.load(unnamed)).toMatchObject({ added: 4 });
    const loose = `${blank},New,Lighthouse, as new,1,$100.00,$100.00,Set,10482-1,35`;
    const odd = [header, order, ...rows.slice(0, 2), loose, '"7003","12/31/2025","Bob"', rows[0]];
    expect((await place.load(`${odd.join('\n')}\n`)).rejects).toEqual([
      '5: the row has 20 columns and the header 19',
      '7: the row has 3 columns and the header 19',
    ]);
    expect((await place.load(`${header}\n${order}\n`)).rejects).toEqual([
      '2: the order has no items; download orders with their items',
    ]);
    for (const count of [1, 2]) {
      const cut = [header, '', order, ...rows.slice(0, count)].join('\n');
      await expect(place.load(cut)).rejects.toThrow(
        `file.csv: the file ends in order 7001, after ${count} of its 3 lots; is it complete?`,
      );
    }
  });
});
