/** Importing collections of other services into a real store. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  addUnusualLot,
  type FilePlace,
  makeFilePlace,
  me,
} from '../../../test/support/private-files.ts';
import { dayMs } from '../../kernel/time.ts';

let place: FilePlace;

beforeEach(async () => {
  place = await makeFilePlace();
});

afterEach(() => place.close());

/** Stored lots, shortened. */
async function lots() {
  const records = await place.records('collection');
  return records.flatMap((r) =>
    r.kind === 'lot'
      ? [
          `${r.set_number} ${r.quantity} ${r.condition} ${r.purchase_price_usd}` +
            `${r.is_estimated ? '?' : ''} ${r.purchase_date} ${r.brickfolio}`,
        ]
      : [],
  );
}

const economy = 'Number,Theme,Subtheme,Year,SetName,Retail,Paid,Value,Condition,Date,Notes\n';

test('a BrickEconomy collection has a lot per copy, with condition and price', async () => {
  const loaded = await place.load(
    `${economy}10482-1,Coastline,,2025,Lighthouse,$119.99,€40.00,$1,UsedComplete,03/07/2025,
10482-1,Coastline,,2025,Lighthouse,$119.99,"$1,099.50",$1,New,31/12/2025,
10482-1,Coastline,,2025,Lighthouse,$119.99,99,$1,New,2026-01-02,
10483-1,Coastline,,2025,Keeper,$1,$10,$1,Worn,01/02/2025,
10483-1,Coastline,,2025,Keeper,$1,ten,$1,New,01/02/2025,
10483-1,Coastline,,2025,Keeper,$1,$10,$1,New,12/31/2025,
10483-1,Coastline,,2025,Keeper,$1,$10,$1,New,01/01/2027,
10483-1,Coastline,,2025,Keeper,$1,PLN 10,$1,New,01/01/2025,
99999-1,Coastline,,2025,Keeper,$1,$10,$1,New,01/01/2025,
cst001,Coastline,,2025,Minifig cst001,$1,$10,$1,New,01/01/2025,
`,
  );
  expect(loaded).toEqual({
    added: 3,
    updated: 0,
    unchanged: 0,
    rejects: [
      "5: the condition must be New, Sealed or Used, not 'Worn'",
      "6: 'Paid' must be an amount such as $40.08 or €40.08, not 'ten'",
      "7: 'Date' must be a date such as 31/12/2025 or 2025-12-31, not '12/31/2025'",
      "8: 'purchase_date' is in the future: 2027-01-01; today is 2026-11-15",
      '9: there is no PLN exchange rate for Jan 1, 2025 or the week before it; import one, ' +
        'or write the amount in US dollars',
      "10: set '99999-1' is not in the catalog",
      "11: minifig 'cst001' is not in the catalog",
    ],
  });
  expect(await lots()).toEqual([
    '10482 1 used 44 2025-07-03 My collection',
    '10482 1 sealed 1099.5 2025-12-31 My collection',
    '10482 1 sealed 99 2026-01-02 My collection',
  ]);
});

test('one date with the month first decides for the whole file', async () => {
  await place.load(`${economy}10482,,,,,,1,,New,03/07/2025,\n10482,,,,,,2,,New,12/31/2025,\n`);
  expect(await lots()).toEqual([
    '10482 1 sealed 1 2025-03-07 My collection',
    '10482 1 sealed 2 2025-12-31 My collection',
  ]);
});

test('removing a row does not change lots with other dates', async () => {
  const row = (price: number, day: string) => `10482,,,,,,${price},,New,${day},\n`;
  const [first, second, third] = [
    row(10, '2025-01-01'),
    row(20, '2025-02-01'),
    row(30, '2025-03-01'),
  ];
  await place.load(`${economy}${first}${second}${third}`);
  expect(await place.load(`${economy}${second}${third}`)).toMatchObject({
    unchanged: 2,
    updated: 0,
  });
  expect(await lots()).toEqual([
    '10482 1 sealed 10 2025-01-01 My collection',
    '10482 1 sealed 20 2025-02-01 My collection',
    '10482 1 sealed 30 2025-03-01 My collection',
  ]);
});

test('a lot without price and date gets the MSRP and a date, and keeps both', async () => {
  const file = `${economy}10482-1,,,,,,,,New,,\n10484-1,,,,,,,,New,,\n`;
  expect(await place.load(file)).toEqual({
    added: 1,
    updated: 0,
    unchanged: 0,
    rejects: ['3: there is no price, and no MSRP of 10484; use --missing-price zero'],
  });
  expect(await lots()).toEqual(['10482 1 sealed 119.99? 2026-11-15 My collection']);
  place.now += 3 * dayMs;
  await place.feed({
    kind: 'set',
    set_number: '10482-1',
    title: 'Harbour Lighthouse',
    theme: 'Coastline',
    msrp_usd: 129.99,
  });
  expect(await place.load(file)).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
  // A price added later is no longer estimated.
  const paid = `${economy}10482-1,,,,,,$80,,New,,\n`;
  expect(await place.load(paid)).toMatchObject({ added: 0, updated: 1 });
  expect(await lots()).toEqual(['10482 1 sealed 80 2026-11-15 My collection']);
  expect(await place.load(file)).toMatchObject({ updated: 0, unchanged: 1 });
});

test('a missing price is handled by the settings', async () => {
  const file = `${economy}10484-1,,,,,,,,New,,\n`;
  const rejected = await place.load(file, { missingPrice: 'reject' });
  expect(rejected.rejects).toEqual(['2: there is no price; use --missing-price msrp or zero']);
  expect(await place.load(file, { missingPrice: 'zero' })).toMatchObject({ added: 1 });
  expect(await place.load(file, { missingPrice: 'zero' })).toMatchObject({ unchanged: 1 });
  expect(await lots()).toEqual(['10484 1 sealed 0? 2026-11-15 My collection']);
});

test('the older BrickEconomy collection has quantities, and skips wanted sets', async () => {
  const header = 'Number,Theme,Subtheme,Year,Name,Owned,Wanted,Retail\n';
  const file = `${header}10482-1,,,,,2,0,$99.99\n10483-1,,,,,0,1,$9.99\n10484-1,,,,,1,0,$49.99\n`;
  expect(await place.load(file)).toEqual({
    added: 2,
    updated: 0,
    unchanged: 0,
    rejects: ["3: 'Owned' is 0, so there is nothing to add"],
  });
  // The file's retail price is used if the catalog has none.
  expect(await lots()).toEqual([
    '10482 2 sealed 119.99? 2026-11-15 My collection',
    '10484 1 sealed 49.99? 2026-11-15 My collection',
  ]);
});

test.each([
  [
    'with spaces',
    'Number,Set name,RRP (USD),Qty owned,Qty owned new,Qty owned used\n' +
      '10482-1,Lighthouse,119.99,3,1,1\n10483-1,Keeper,,0,0,0\n10483-1,Keeper,,1,0,1\n',
  ],
  [
    'without',
    'SetID,Number,Variant,SetName,USRetailPrice,Own,Want,QtyOwned,QtyOwnedNew,QtyOwnedUsed\n' +
      '1,10482,1,Lighthouse,119.99,X,,3,1,1\n2,10483,1,Keeper,,,X,0,0,0\n' +
      '2,10483,1,Keeper,,X,,,,1\n',
  ],
])("Brickset's export %s: a lot for each condition", async (_, file) => {
  const { rejects, ...counts } = await place.load(file);
  expect(counts).toEqual({ added: 3, updated: 0, unchanged: 0 });
  expect(rejects).toEqual([
    expect.stringMatching(/^3: '(Qty owned|QtyOwned)' is 0, so there is nothing to add$/),
  ]);
  expect(await lots()).toEqual([
    '10482 2 sealed 119.99? 2026-11-15 My collection',
    '10482 1 used 119.99? 2026-11-15 My collection',
    '10483 1 used 14.99? 2026-11-15 My collection',
  ]);
});

test('a Rebrickable set list, ignoring case', async () => {
  const file = 'Set number,Quantity,Includes spares,Inventory ver\n10482-1,2,True,1\n';
  expect(await place.load(file)).toMatchObject({ added: 1, rejects: [] });
  expect(await lots()).toEqual(['10482 2 sealed 119.99? 2026-11-15 My collection']);
});

test('lots go to the named collection, else to the default, else to a new one', async () => {
  await place.feed(
    { kind: 'brickfolio', account: me, name: 'Attic' },
    { kind: 'brickfolio', account: me, name: 'Barn', is_default: true },
  );
  const file = 'Set Number,Quantity,Includes Spares,Inventory Ver\n10482-1,1,True,1\n';
  await place.load(file);
  await place.load(file, { brickfolio: 'Cellar' });
  expect(await lots()).toEqual([
    '10482 1 sealed 119.99? 2026-11-15 Barn',
    '10482 1 sealed 119.99? 2026-11-15 Cellar',
  ]);
  // Another default does not move existing lots.
  await place.feed({ kind: 'brickfolio', account: me, name: 'Attic', is_default: true });
  expect(await place.load(file)).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
});

test('a collection is only created for a lot', async () => {
  await place.load('Set Number,Quantity,Includes Spares,Inventory Ver\n1,1,True,1\n');
  expect(await place.records('collection')).toEqual([]);
});

test('unknown minifigs are rejected one by one, with the reason', async () => {
  const file = 'list,owner,minifigure_no,name,quantity\npersonal,u1,cst001,Keeper,1\n';
  expect(await place.load(file)).toMatchObject({
    added: 0,
    rejects: ["2: minifig 'cst001' is not in the catalog"],
  });
});

test.each([
  [
    'unknown columns',
    'a,b,c\n1,2,3\n',
    {},
    /^.*:1: the columns match no supported file: .*BrickLink/,
  ],
  ['an empty file', '', {}, /is empty\.$/],
  ['an unknown account', 'a,b\n', { account: 'no@example.com' }, /^There is no account 'no@ex/],
  [
    'a name that is too long',
    'a,b\n',
    { brickfolio: 'x'.repeat(101) },
    /^The collection name is longer/,
  ],
  ['JSON of something else', '{"a":1}', {}, /#1: the record is not an order; import JSON/],
  ['an unclosed quote', `${economy}10482,"a,,\n1,2\n`, {}, /:2: .*a quote that is never/],
  [
    'an incomplete export',
    '{"format":"brickmark collection","rows":[{"kind":"brickfolio","brickf',
    {},
    /ends in the middle of its JSON/,
  ],
  ['XML of something else', '<rss></rss>', {}, /:1: the file begins with <RSS>/],
])('%s fails with one sentence', async (_, file, settings, message) => {
  await expect(place.load(file, settings)).rejects.toThrow(message);
});

test('a lot without a date has an assumed one, marked as such', async () => {
  await place.feed(
    {
      kind: 'set',
      set_number: '20001',
      title: 'Quay',
      theme: 'Coastline',
      release_date: '2024-03-01',
    },
    { kind: 'set', set_number: '20002', title: 'Pier', theme: 'Coastline', year: 2019 },
  );
  const file =
    `${economy}20001,,,,,,€10,,New,,\n20002,,,,,,€10,,New,,\n` +
    '10482,,,,,,10,,New,,\n10482,,,,,,10,,New,2025-02-03,\n';
  const bases = async () =>
    (await place.records('collection')).flatMap((r) =>
      r.kind === 'lot' ? `${r.set_number} ${r.purchase_date} ${r.date_basis}` : [],
    );
  expect(await place.load(file)).toMatchObject({ added: 4, rejects: [] });
  expect(await bases()).toEqual([
    '20001 2024-03-01 unknown',
    // There is no exchange rate of 2019, so today's is used.
    '20002 2019-01-01 unknown',
    '10482 2026-11-15 unknown',
    '10482 2025-02-03 known',
  ]);
  place.now += dayMs;
  expect(await place.load(file, { missingDate: 'release' })).toMatchObject({ unchanged: 4 });
  await place.addAccount('bob@example.com');
  await place.load(file, { account: 'bob@example.com', missingDate: 'release' });
  const { dateBasis, purchaseDate } =
    (await place.findLot('brickeconomy/20001/sealed#1', 'bob@example.com')) ?? {};
  expect({ dateBasis, purchaseDate }).toEqual({
    dateBasis: 'assumed',
    purchaseDate: '2024-03-01',
  });
});

test('fields that a file does not have stay as stored', async () => {
  const lot = await addUnusualLot(place);
  const file = 'Set Number,Quantity,Includes Spares,Inventory Ver\n10482-1,3,True,1\n';
  expect(await place.load(file)).toMatchObject({ updated: 1, rejects: [] });
  expect(await place.findLot(lot.sourceId)).toEqual({ ...lot, quantity: 3, sold: 0 });
});
