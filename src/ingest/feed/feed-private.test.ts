/** Brickfolio, holding and ledger sale lines of the feed, valid and rejected. */
import { expect, test } from 'bun:test';
import { aBrickfolio, aLedgerSale } from '../../../test/support/builders.ts';
import { type DetailField, detailFields, noDetails } from '../../portfolio/lots/lot-fields.ts';
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

const brickfolio = { kind: 'brickfolio', account: 'ann@example.com', name: 'Attic' };
const holding = {
  kind: 'holding',
  account: 'ann@example.com',
  source_id: 'lot-1',
  brickfolio: 'Attic',
  set_number: '75192-1',
  quantity: 2,
  condition: 'sealed',
  purchase_price_usd: 99.5,
  purchase_date: '2026-11-15',
};
const ledgerSale = {
  kind: 'ledger_sale',
  account: 'ann@example.com',
  source_id: 'sale-1',
  set_number: '75192-1',
  platform: 'ebay',
  sale_date: '2026-11-15',
  quantity: 1,
  gross_proceeds_usd: 180,
};

test('a brickfolio line is read, with and without optional fields', () => {
  expect(read(brickfolio)).toEqual({
    mayWait: true,
    row: {
      kind: 'brickfolio',
      email: 'ann@example.com',
      facts: aBrickfolio({ name: 'Attic', description: null, isDefault: false }),
    },
  });
  const full = { ...brickfolio, description: 'Under the roof', is_default: true };
  expect(read(full)).toMatchObject({
    row: { facts: { description: 'Under the roof', isDefault: true } },
  });
});

test.each([
  ['no account', { account: null }, "'account' is missing"],
  ['no name', { name: null }, "'name' is missing"],
  ['a blank name', { name: ' ' }, "'name' is empty"],
  [
    'a name that is too long',
    { name: 'x'.repeat(101) },
    `'name' is longer than 100 characters: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"`,
  ],
  [
    'a name with control characters',
    { name: 'A\u007fB' },
    `'name' contains control characters: "A\\u007fB"`,
  ],
  [
    'a name with bidirectional control characters',
    { name: 'A\u202eB' },
    `'name' contains characters that change the direction of text: "A\\u202eB"`,
  ],
  [
    'a description with bidirectional control characters',
    { description: 'A\u2067B' },
    `'description' contains characters that change the direction of text: "A\\u2067B"`,
  ],
  [
    'an account with bidirectional control characters',
    { account: '\u200fann@example.com' },
    `'account' contains characters that change the direction of text: "\\u200fann@example.com"`,
  ],
  [
    'a default that is not a flag',
    { is_default: 'yes' },
    `'is_default' must be true or false, not "yes"`,
  ],
])('a brickfolio line with %s is rejected', (_, change, reason) => {
  expect(read({ ...brickfolio, ...change })).toEqual({ reason, isPrivate: true });
});

test('a holding line is read, including purchases of today, and is owned by default', () => {
  const facts = {
    sourceId: 'lot-1',
    brickfolio: 'Attic',
    kind: 'set',
    number: '75192-1',
    quantity: 2,
    condition: 'sealed',
    priceCents: 99_50,
    purchaseDate: '2026-11-15',
    status: 'owned',
    isEstimated: false,
    dateBasis: 'known',
  } as const;
  expect(read(holding)).toEqual({
    mayWait: true,
    row: { kind: 'holding', email: 'ann@example.com', facts },
  });
  expect(read({ ...holding, status: 'listed', purchase_price_usd: 0 })).toMatchObject({
    row: { facts: { status: 'listed', priceCents: 0 } },
  });
});

const details = {
  grade: 'incomplete_85',
  notes: 'first\r\nsecond\t!  ',
  tags: ['gift', ' Rare ', 'GIFT'],
  place: 'Shelf A>Bin 3',
  bought_at: 'Toy Fair',
  asking_price_usd: 12.5,
  listed_at: '2026-11-01',
  listing_url: 'https://example.com/1',
  own_fields: { Buyer: 'Ann', Amount: 7, None: '' },
} satisfies Readonly<Record<DetailField['wire'], unknown>>;

test('a holding line says what is known about its units, tidied', () => {
  expect(read({ ...holding, condition: 'used', ...details })).toMatchObject({
    row: {
      facts: {
        grade: 'incomplete_85',
        notes: 'first\nsecond !',
        tags: 'gift, Rare',
        place: 'Shelf A › Bin 3',
        boughtAt: 'Toy Fair',
        askingCents: 12_50,
        listedAt: '2026-11-01',
        listingUrl: 'https://example.com/1',
        ownFields: '{"Amount":"7","Buyer":"Ann"}',
      },
    },
  });
});

test('an empty text removes what is known, an absent field does not', () => {
  const emptied = Object.fromEntries(detailFields.map(({ wire }) => [wire, '']));
  expect(read({ ...holding, ...emptied })).toMatchObject({ row: { facts: noDetails } });
  const absent = Object.fromEntries(detailFields.map(({ wire }) => [wire, null]));
  expect(read({ ...holding, ...absent })).toEqual(read(holding));
});

test.each([
  ['grade', 'good', `'grade' must be perfect, light_wear, damaged_box, complete_boxed, complete, `],
  ['grade', 'incomplete_100', `'grade' must be perfect`],
  ['notes', 'x'.repeat(2001), `'notes' must have at most 2,000 characters`],
  ['notes', 'a\u0000b', `'notes' contains control characters`],
  ['tags', 7, `'tags' must be a list of text, not 7`],
  ['tags', ['a,b'], `'tags' has a tag that must not contain commas or semicolons: 'a,b'`],
  ['tags', ['a;b'], `'tags' has a tag that must not contain commas or semicolons: 'a;b'`],
  [
    'tags',
    Array.from({ length: 21 }, (_, at) => `t${at}`),
    `'tags' must have at most 20 tags, not 21`,
  ],
  ['tags', ['x'.repeat(41)], `'tags' has a tag that must have at most 40 characters`],
  ['place', 'x'.repeat(101), `'place' must have at most 100 characters`],
  ['bought_at', {}, `'bought_at' must be text, not an object`],
  ['asking_price_usd', 1.234, `'asking_price_usd' must be a number with at most two decimal`],
  ['asking_price_usd', -1, `'asking_price_usd' must be from 0 to`],
  ['listed_at', '2026-11-16', `'listed_at' is in the future: 2026-11-16; today is 2026-11-15`],
  ['listed_at', 'soon', `'listed_at' must be a date such as 2026-11-15, not "soon"`],
  ['listing_url', 'javascript:alert(1)', `'listing_url' must be an http or https address`],
  ['own_fields', 'x', `'own_fields' must be an object such as {"Buyer": "Ann"}, not "x"`],
  ['own_fields', { ' ': 'x' }, `'own_fields' has a name that is empty`],
  ['own_fields', { '3"x': 'x' }, `'own_fields' has a name that must not contain quotation marks`],
  ['own_fields', { 'a\\b': 'x' }, `'own_fields' has a name that must not contain quotation marks`],
  ['own_fields', { A: ['x'] }, `'own_fields' has 'A', which must be text, not an array`],
])('a holding line whose %s is %p is rejected', (field, value, reason) => {
  expect(read({ ...holding, [field]: value })).toEqual({
    reason: expect.stringContaining(reason),
    isPrivate: true,
  });
});

test('an own field with a number that is too large is rejected', () => {
  const line = JSON.stringify({ ...holding, own_fields: { A: 7 } }).replace('7}', '1e400}');
  expect(readFeedLine(line, now)).toMatchObject({
    reason: "'own_fields' has 'A', which must be text, not Infinity",
  });
});

test.each([
  'account',
  'source_id',
  'brickfolio',
  'set_number',
  'quantity',
  'condition',
  'purchase_price_usd',
  'purchase_date',
])('a holding line without %s is rejected', (field) => {
  expect(read({ ...holding, [field]: null })).toEqual({
    reason: `'${field}' is missing`,
    isPrivate: true,
  });
});

test.each([
  ['no units', { quantity: 0 }, "'quantity' must be a whole number from 1 to 100000, not 0"],
  [
    'too many units',
    { quantity: 100_001 },
    "'quantity' must be a whole number from 1 to 100000, not 100001",
  ],
  [
    'an unknown condition',
    { condition: 'new' },
    `'condition' must be one of sealed, used, not "new"`,
  ],
  [
    'a negative price',
    { purchase_price_usd: -1 },
    "'purchase_price_usd' must be from 0 to 1000000, not -1",
  ],
  ['three decimals', { purchase_price_usd: 9.999 }, `'purchase_price_usd' ${twoPlaces}, not 9.999`],
  [
    'a purchase in the future',
    { purchase_date: '2026-11-16' },
    `'purchase_date' ${future('2026-11-16')}`,
  ],
  [
    'a bad date',
    { purchase_date: '15.11.2026' },
    `'purchase_date' must be a date such as 2026-11-15, not "15.11.2026"`,
  ],
  ['an unknown status', { status: 'sold' }, `'status' must be one of owned, listed, not "sold"`],
])('a holding line with %s is rejected', (_, change, reason) => {
  expect(read({ ...holding, ...change })).toEqual({ reason, isPrivate: true });
});

test('a ledger sale line is read, with defaults for missing fields', () => {
  expect(read(ledgerSale)).toEqual({
    mayWait: true,
    row: {
      kind: 'ledger_sale',
      email: 'ann@example.com',
      facts: aLedgerSale({
        sourceId: 'sale-1',
        number: '75192-1',
        condition: 'sealed',
        platform: 'ebay',
        saleDate: '2026-11-15',
        quantity: 1,
        grossCents: 180_00,
        platformFeesCents: 0,
        paymentFeesCents: 0,
        shippingCents: 0,
        costCents: null,
        lot: null,
      }),
    },
  });
});

test('a ledger sale line may give fees, condition, and its cost or its lot', () => {
  const fees = {
    ...ledgerSale,
    condition: 'used',
    platform_fees_usd: 18.5,
    payment_fees_usd: 5.25,
    shipping_cost_usd: 12,
  };
  const facts = {
    condition: 'used',
    platformFeesCents: 18_50,
    paymentFeesCents: 5_25,
    shippingCents: 12_00,
  };
  expect(read(fees)).toMatchObject({ row: { facts } });
  expect(read({ ...fees, cost_basis_usd: 0 })).toMatchObject({ row: { facts: { costCents: 0 } } });
  expect(read({ ...fees, lot: 'lot-1' })).toMatchObject({ row: { facts: { lot: 'lot-1' } } });
});

test.each([
  'account',
  'source_id',
  'set_number',
  'platform',
  'sale_date',
  'quantity',
  'gross_proceeds_usd',
])('a ledger sale line without %s is rejected', (field) => {
  expect(read({ ...ledgerSale, [field]: null })).toEqual({
    reason: `'${field}' is missing`,
    isPrivate: true,
  });
});

test.each([
  [
    'cost and lot',
    { cost_basis_usd: 50, lot: 'lot-1' },
    "give 'cost_basis_usd' or 'lot', not both",
  ],
  [
    'a cost of 0 and a lot',
    { cost_basis_usd: 0, lot: 'lot-1' },
    "give 'cost_basis_usd' or 'lot', not both",
  ],
  [
    'an unknown platform',
    { platform: 'etsy' },
    "'platform' must be one of ebay, bricklink, brick_owl, amazon, walmart, " +
      'facebook, mercari, whatnot, local, other, not "etsy"',
  ],
  ['a date ahead', { sale_date: '2026-11-16' }, `'sale_date' ${future('2026-11-16')}`],
  ['no units', { quantity: 0 }, "'quantity' must be a whole number from 1 to 100000, not 0"],
  [
    'negative proceeds',
    { gross_proceeds_usd: -1 },
    "'gross_proceeds_usd' must be from 0 to 1000000, not -1",
  ],
  [
    'negative fees',
    { platform_fees_usd: -1 },
    "'platform_fees_usd' must be from 0 to 1000000, not -1",
  ],
  ['three decimals', { payment_fees_usd: 0.001 }, `'payment_fees_usd' ${twoPlaces}, not 0.001`],
  ['a negative cost', { cost_basis_usd: -1 }, "'cost_basis_usd' must be from 0 to 1000000, not -1"],
  [
    'control characters in its lot',
    { lot: 'a\nb' },
    `'lot' contains control characters: "a\\u000ab"`,
  ],
])('a ledger sale line with %s is rejected', (_, change, reason) => {
  expect(read({ ...ledgerSale, ...change })).toEqual({ reason, isPrivate: true });
});

test.each([
  ['account', brickfolio, 254],
  ['account', holding, 254],
  ['account', ledgerSale, 254],
  ['name', brickfolio, 100],
  ['brickfolio', holding, 100],
  ['source_id', holding, 200],
  ['source_id', ledgerSale, 200],
  ['lot', ledgerSale, 200],
])('%s of %o has up to %d characters', (field, line, length) => {
  expect(read({ ...line, [field]: 'x'.repeat(length) })).toHaveProperty('row');
  expect(read({ ...line, [field]: 'x'.repeat(length + 1) })).toMatchObject({
    reason: expect.stringContaining(`'${field}' is longer than ${length} characters`),
  });
});

test.each([holding, ledgerSale])('%o has up to 100,000 units', (line) => {
  expect(read({ ...line, quantity: 100_000 })).toHaveProperty('row');
  expect(read({ ...line, quantity: 100_001 })).toHaveProperty('reason');
  expect(read({ ...line, quantity: 0 })).toHaveProperty('reason');
});
