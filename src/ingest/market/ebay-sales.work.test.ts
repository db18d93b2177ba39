/** Sales from eBay: certainly one complete set, or a reason why not. */
import { describe, expect, test } from 'bun:test';
import { aSale } from '../../../test/support/builders.ts';
import { readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readOptions } from '../../../test/support/read-options.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Sale } from '../../market/source-rows/source-rows.ts';
import { ebaySales } from './ebay-sales.work.ts';

const known = new Map(
  [
    ['10482', 'Harbour Lighthouse'],
    ['10483', 'Harbour Office'],
    ['2024', 'Fork Lift'],
    ['6080', "King's Castle"],
  ].map(([number = '', title = '']) => [
    number,
    { number, title, msrpCents: null, releaseDate: null, year: null },
  ]),
);

const lighthouse: JsonObject = {
  itemId: 'v1|110|0',
  title: 'LEGO 10482 Harbour Lighthouse new sealed',
  condition: 'New',
  conditionId: '1000',
  buyingOptions: ['FIXED_PRICE'],
  lastSoldDate: '2026-11-02T18:20:00.000Z',
  lastSoldPrice: { value: '131.00', currency: 'USD' },
  totalSoldQuantity: 4,
  seller: { username: 'brick-shop', feedbackScore: 12 },
};

/** The rows of responses, each in its own file. */
async function read(...answers: readonly unknown[]) {
  const { store } = readOptions();
  const market = {
    ...store.market,
    findKnownSets: async (keys: readonly string[]) =>
      new Map([...known].filter(([key]) => keys.includes(key))),
  };
  const files = Object.fromEntries(
    answers.map((answer, index) => [`${index}.json`, JSON.stringify(answer)]),
  );
  const options = readOptions({ store: { ...store, market } });
  const items = await readFiles(ebaySales, files, { options });
  const sales = items.flatMap((item): Sale[] =>
    'result' in item && 'row' in item.result && 'sale' in item.result.row
      ? [item.result.row.sale]
      : [],
  );
  return { sales, rejects: rejectsOf(items) };
}

const sold = (given: JsonObject) => ({ ...lighthouse, ...given });

test('a listing is a sale of one set', async () => {
  const { sales, rejects } = await read({ total: 1, itemSales: [lighthouse] });
  expect(rejects).toEqual([]);
  expect(sales).toEqual([
    aSale({
      source: 'ebay',
      sourceId: 'v1|110|0 2026-11-02T18:20:00.000Z',
      itemKind: 'set',
      itemKey: '10482',
      condition: 'sealed',
      priceCents: 131_00,
      shippingCents: 0,
      currency: 'USD',
      quantity: 1,
      soldAt: Date.UTC(2026, 10, 2, 18, 20),
      channel: 'fixed',
      seller: expect.stringMatching(/^[\da-f]{16}$/),
      completeness: 'complete',
    }),
  ]);
});

test('a list and a single item are read like a response', async () => {
  expect((await read([lighthouse], lighthouse)).sales).toHaveLength(2);
  expect((await read({ ...lighthouse, total: 1 })).sales).toHaveLength(1);
});

test('a response without results has no rows', async () => {
  const none = { href: 'x', total: 0, limit: 200, offset: 0 };
  expect(await read(none, { ...none, itemSales: [] })).toEqual({ sales: [], rejects: [] });
});

test('converted prices are read in their original currency', async () => {
  const lastSoldPrice = {
    value: '140.12',
    currency: 'USD',
    convertedFromValue: '120.0',
    convertedFromCurrency: 'EUR',
  };
  expect((await read(sold({ lastSoldPrice }))).sales).toMatchObject([
    { priceCents: 120_00, currency: 'EUR' },
  ]);
  // Half a conversion is none.
  const { convertedFromValue: _, ...half } = lastSoldPrice;
  expect((await read(sold({ lastSoldPrice: half }))).sales).toMatchObject([
    { priceCents: 140_12, currency: 'USD' },
  ]);
});

describe('the channel', () => {
  test.each([
    [['AUCTION'], 3, 'auction'],
    [['AUCTION', 'FIXED_PRICE'], 1, 'auction'],
    [['AUCTION', 'FIXED_PRICE'], 0, 'fixed'],
    [['FIXED_PRICE', 'BEST_OFFER'], undefined, 'fixed'],
    [undefined, undefined, 'fixed'],
  ] as const)('is an auction only with bids: %p, %p', async (buyingOptions, bidCount, channel) => {
    expect((await read(sold({ buyingOptions, bidCount }))).sales).toMatchObject([{ channel }]);
  });
});

describe('the set', () => {
  const reasonOf = async (title: string) => (await read([sold({ title }), lighthouse])).rejects;

  test('is the only one in the title, ignoring years and box codes', async () => {
    const { sales } = await read(
      sold({ title: 'LEGO 10482-1 Lighthouse 2024 brand new sealed (6175770)' }),
      sold({ title: 'LEGO King’s Castle 6080 complete 1984', conditionId: '3000' }),
    );
    expect(sales.map(({ itemKey }) => itemKey)).toEqual(['10482', '6080']);
  });

  test('titles with two sets, or another possible set number, are rejected', async () => {
    expect(await reasonOf('LEGO 10482 + 10483 new sealed')).toEqual([
      "0.json#1: it may be for several sets, 10482 and 10483: 'LEGO 10482 + 10483 new sealed'",
    ]);
    expect(await reasonOf('LEGO 10482 and 71799 sealed')).toEqual([
      "0.json#1: it may be for several sets, 10482 and 71799: 'LEGO 10482 and 71799 sealed'",
    ]);
  });

  test('unknown sets and years are rejected', async () => {
    expect(await reasonOf('LEGO 99999 sealed')).toEqual([
      "0.json#1: it names no set in the catalog: 'LEGO 99999 sealed'",
    ]);
    expect(await reasonOf('LEGO fork lift 2024 sealed')).toHaveLength(1);
  });

  test('ambiguous titles are rejected with the reason', async () => {
    expect(await reasonOf('LEGO 10482 sealed x2')).toEqual([
      "0.json#1: it may be for several sets: 'LEGO 10482 sealed x2'",
    ]);
  });
});

describe('rejected', () => {
  test.each([
    [{ itemId: 7 }, "'itemId' must be text"],
    [{ lastSoldDate: null }, "'lastSoldDate' is missing"],
    [{ lastSoldDate: '2027-01-01T00:00:00Z' }, "'sold_at' is in the future"],
    [{ lastSoldPrice: { value: '1' } }, "'lastSoldPrice' must be an amount with its currency"],
    [{ lastSoldPrice: { value: '0.00', currency: 'USD' } }, "'price' must be above 0"],
    [{ itemGroupType: 'SELLER_DEFINED_VARIATIONS' }, 'the listing is for several items'],
    [{ title: null }, "it names no set in the catalog: ''"],
  ])('rejects a sale with %o', async (given, reason) => {
    const { rejects, sales } = await read([sold(given), lighthouse]);
    expect(sales).toHaveLength(1);
    expect(rejects).toEqual([expect.stringContaining(`0.json#1: ${reason}`)]);
  });

  test('an error is one reject among others, and an error if it is the only response', async () => {
    const error = { errors: [{ errorId: 1100, message: 'Access denied' }] };
    expect((await read(error, lighthouse)).rejects).toEqual([
      '0.json#1: eBay answered with an error: Access denied',
    ]);
    await expect(read(error)).rejects.toThrow('eBay answered with an error: Access denied.');
    await expect(read({ errors: [{ errorId: 1100 }] })).rejects.toThrow('an error: 1100.');
    await expect(read({ errors: [] })).rejects.toThrow('an error: no reason given.');
    await expect(read({ a: 1 })).rejects.toThrow("it has no 'itemId'");
  });
});
