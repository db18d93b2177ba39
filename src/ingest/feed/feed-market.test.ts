/** Sale, retract, offer and fx lines of the feed, valid and rejected. */
import { expect, test } from 'bun:test';
import { anOffer, aSale } from '../../../test/support/builders.ts';
import { readFeedLine } from './feed.work.ts';

const now = Date.UTC(2026, 10, 15, 12);
const future = (at: string) => {
  const now = at.includes('T') ? 'it is now 2026-11-15T12:00Z' : 'today is 2026-11-15';
  return `is in the future: ${at}; ${now}`;
};
const twoPlaces = 'must be a number with at most two decimal places';

function read(line: object) {
  return readFeedLine(JSON.stringify(line), now);
}

const sale = {
  kind: 'sale',
  source: 'shop',
  source_id: 'A-1',
  item_type: 'set',
  item: '75192-1',
  condition: 'sealed',
  price: 199.99,
  sold_at: '2026-11-01T10:00:00+02:00',
};
const retract = { kind: 'retract', source: 'shop', source_id: 'A-1' };
const offer = {
  kind: 'offer',
  retailer: 'retailer_a',
  set_number: '75192-1',
  observed_at: '2026-11-15T12:00:00Z',
};
const fx = { kind: 'fx', date: '2026-11-15', currency: 'EUR', usd_per_unit: 1.0834 };

test('a sale line is read, with defaults for missing fields', () => {
  expect(read(sale)).toEqual({
    mayWait: true,
    row: {
      kind: 'sale',
      sale: aSale({
        source: 'shop',
        sourceId: 'A-1',
        itemKind: 'set',
        itemKey: '75192',
        condition: 'sealed',
        priceCents: 199_99,
        shippingCents: 0,
        currency: 'USD',
        quantity: 1,
        soldAt: Date.UTC(2026, 10, 1, 8),
        channel: null,
        seller: null,
        completeness: null,
      }),
    },
  });
});

test('all fields of a sale line are read', () => {
  const line = {
    ...sale,
    item_type: 'minifig',
    item: 'SW0001-1',
    condition: 'used',
    shipping: 4.5,
    currency: 'eur',
    quantity: 3,
    channel: 'bricklink',
    seller: 'seller 7',
    completeness: 'no_box',
  };
  expect(read(line)).toMatchObject({
    row: {
      sale: {
        itemKind: 'minifig',
        itemKey: 'sw0001-1',
        condition: 'used',
        shippingCents: 450,
        currency: 'EUR',
        quantity: 3,
        channel: 'bricklink',
        seller: 'seller 7',
        completeness: 'no_box',
      },
    },
  });
});

test('a sale at the time of the import is not in the future', () => {
  const soldAt = { soldAt: now };
  expect(read({ ...sale, sold_at: '2026-11-15T12:00:00Z' })).toMatchObject({
    row: { sale: soldAt },
  });
});

test.each([
  ['source', "'source' is missing"],
  ['source_id', "'source_id' is missing"],
  ['item_type', "'item_type' is missing"],
  ['item', "'item' is missing"],
  ['condition', "'condition' is missing"],
  ['price', "'price' is missing"],
  ['sold_at', "'sold_at' is missing"],
])('a sale line without %s is rejected', (field, reason) => {
  expect(read({ ...sale, [field]: null })).toEqual({ reason });
});

test.each([
  [
    'of an unknown item type',
    { item_type: 'part' },
    `'item_type' must be one of set, minifig, not "part"`,
  ],
  [
    'in an unknown condition',
    { condition: 'new' },
    `'condition' must be one of sealed, used, not "new"`,
  ],
  ['for nothing', { price: 0 }, "'price' must be above 0, not 0"],
  ['for a negative price', { price: -5 }, "'price' must be from 0 to 1000000, not -5"],
  [
    'for a price out of range',
    { price: 5_000_000 },
    "'price' must be from 0 to 1000000, not 5000000",
  ],
  ['for a fraction of a cent', { price: 19.999 }, `'price' ${twoPlaces}, not 19.999`],
  ['for a text', { price: '19.99' }, `'price' ${twoPlaces}, not "19.99"`],
  [
    'with negative shipping',
    { shipping: -0.01 },
    "'shipping' must be from 0 to 1000000, not -0.01",
  ],
  [
    'in an invalid currency',
    { currency: 'dollars' },
    `'currency' must be a code such as EUR, not "dollars"`,
  ],
  ['of none', { quantity: 0 }, "'quantity' must be a whole number from 1 to 10000, not 0"],
  [
    'of a fractional quantity',
    { quantity: 0.5 },
    "'quantity' must be a whole number from 1 to 10000, not 0.5",
  ],
  [
    'of too many units',
    { quantity: 10_001 },
    "'quantity' must be a whole number from 1 to 10000, not 10001",
  ],
  [
    'in the future',
    { sold_at: '2026-11-15T12:00:00.001Z' },
    `'sold_at' ${future('2026-11-15T12:00:00.001Z')}`,
  ],
  ['tomorrow', { sold_at: '2026-11-16T00:00:00Z' }, `'sold_at' ${future('2026-11-16T00:00:00Z')}`],
  [
    'at no offset',
    { sold_at: '2026-11-01T10:00:00' },
    `'sold_at' must be a time such as 2026-11-15T12:00:00Z, not "2026-11-01T10:00:00"`,
  ],
  [
    'on 30 February',
    { sold_at: '2026-02-30T10:00:00Z' },
    `'sold_at' must be a time such as 2026-11-15T12:00:00Z, not "2026-02-30T10:00:00Z"`,
  ],
  ['on a number', { sold_at: 1_790_000_000 }, "'sold_at' must be text, not 1790000000"],
  [
    'on an unknown channel',
    { channel: 'ebay' },
    `'channel' must be one of fixed, auction, bricklink, amazon, other, not "ebay"`,
  ],
  [
    'in an unknown state',
    { completeness: 'good' },
    "'completeness' must be one of complete, no_box, no_instructions, damaged_box, " +
      'incomplete, unknown, not "good"',
  ],
  [
    'by a seller with control characters',
    { seller: 'a\u001bb' },
    `'seller' contains control characters: "a\\u001bb"`,
  ],
])('a line about a sale %s is rejected', (_, change, reason) => {
  expect(read({ ...sale, ...change })).toEqual({ reason });
});

test('a retract line names a sale', () => {
  expect(read(retract)).toEqual({
    mayWait: true,
    row: { kind: 'retract', source: 'shop', sourceId: 'A-1' },
  });
  expect(read({ ...retract, source: null })).toEqual({ reason: "'source' is missing" });
  expect(read({ ...retract, source_id: null })).toEqual({ reason: "'source_id' is missing" });
});

test('an offer line is read, with and without optional fields', () => {
  const bare = anOffer({ observedAt: now, priceCents: null });
  expect(read(offer)).toEqual({ mayWait: true, row: { kind: 'offer', offer: bare } });
  const full = {
    ...offer,
    price: 119.99,
    list_price: 149.99,
    currency: 'eur',
    seller_type: 'third_party',
    in_stock: false,
    asin: 'B000000001',
    product_url: 'https://retailer-a.example.com/75192',
    lowest_fba: 129.5,
    fba_sellers: 7,
    buy_box: 131,
  };
  expect(read(full)).toEqual({
    mayWait: true,
    row: {
      kind: 'offer',
      offer: {
        ...bare,
        priceCents: 119_99,
        listPriceCents: 149_99,
        currency: 'EUR',
        sellerType: 'third_party',
        inStock: false,
        asin: 'B000000001',
        productUrl: 'https://retailer-a.example.com/75192',
        lowestFbaCents: 129_50,
        fbaSellers: 7,
        buyBoxCents: 131_00,
      },
    },
  });
});

test.each([
  ['no retailer', { retailer: null }, "'retailer' is missing"],
  [
    'an unknown retailer',
    { retailer: 'retailer_c' },
    `'retailer' must be one of retailer_a, retailer_b, not "retailer_c"`,
  ],
  ['no set', { set_number: null }, "'set_number' is missing"],
  ['no instant', { observed_at: null }, "'observed_at' is missing"],
  [
    'an instant in the future',
    { observed_at: '2027-01-01T00:00:00Z' },
    `'observed_at' ${future('2027-01-01T00:00:00Z')}`,
  ],
  ['a negative price', { price: -1 }, "'price' must be from 0 to 1000000, not -1"],
  ['three decimals', { list_price: 9.999 }, `'list_price' ${twoPlaces}, not 9.999`],
  ['no currency code', { currency: '€' }, `'currency' must be a code such as EUR, not "€"`],
  [
    'an unknown seller',
    { seller_type: '1p' },
    `'seller_type' must be one of retailer, third_party, not "1p"`,
  ],
  ['stock that is not a flag', { in_stock: 1 }, "'in_stock' must be true or false, not 1"],
  [
    'sellers below 0',
    { fba_sellers: -1 },
    "'fba_sellers' must be a whole number from 0 to 1000000, not -1",
  ],
  [
    'an invalid address',
    { product_url: 'x' },
    `'product_url' must be an http or https address, not "x"`,
  ],
])('an offer line with %s is rejected', (_, change, reason) => {
  expect(read({ ...offer, ...change })).toEqual({ reason });
});

test.each(['price', 'list_price', 'lowest_fba', 'buy_box'])(
  'the maximum of %s is for a currency',
  (name) => {
    const line = (amount: number, currency: string) =>
      read({ ...offer, price: 1, [name]: amount, currency });
    expect(line(1_299_900, 'KRW')).toMatchObject({ mayWait: true });
    expect(line(1_299_900, 'EUR')).toEqual({
      reason: `'${name}' must be from 0 to 1000000, not 1299900`,
    });
  },
);

test.each(['price', 'shipping'])('the maximum of the %s of a sale is for a currency', (name) => {
  const line = (currency: string) => read({ ...sale, [name]: 1_299_900, currency });
  expect(line('KRW')).toMatchObject({ mayWait: true });
  expect(line('EUR')).toEqual({ reason: `'${name}' must be from 0 to 1000000, not 1299900` });
});

test('an fx line is read, today included', () => {
  const rate = { date: '2026-11-15', currency: 'EUR', usdPerUnit: 1.0834 };
  expect(read(fx)).toEqual({ mayWait: true, row: { kind: 'fx', rate } });
});

test.each([
  ['no date', { date: null }, "'date' is missing"],
  ['a date ahead', { date: '2026-11-16' }, `'date' ${future('2026-11-16')}`],
  [
    'a date that does not exist',
    { date: '2026-06-31' },
    `'date' must be a date such as 2026-11-15, not "2026-06-31"`,
  ],
  ['no currency', { currency: null }, "'currency' is missing"],
  ['an invalid currency', { currency: '€' }, `'currency' must be a code such as EUR, not "€"`],
  ['no rate', { usd_per_unit: null }, "'usd_per_unit' is missing"],
  [
    'a rate of 0',
    { usd_per_unit: 0 },
    "'usd_per_unit' must be a number above 0 and at most 1000000, not 0",
  ],
  [
    'a negative rate',
    { usd_per_unit: -1 },
    "'usd_per_unit' must be a number above 0 and at most 1000000, not -1",
  ],
])('an fx line with %s is rejected', (_, change, reason) => {
  expect(read({ ...fx, ...change })).toEqual({ reason });
});

test.each(['2026-11-01', '2026-11-01T10:00:00', '2026-11-01 10:00Z'])(
  'an instant without a time or an offset (%s) is rejected',
  (instant) => {
    const sale = {
      kind: 'sale',
      source: 's',
      source_id: '1',
      item_type: 'set',
      item: '1',
      condition: 'sealed',
      price: 1,
      sold_at: instant,
    };
    expect(readFeedLine(JSON.stringify(sale), Date.UTC(2026, 10, 15))).toEqual({
      reason: `'sold_at' must be a time such as 2026-11-15T12:00:00Z, not "${instant}"`,
    });
  },
);
