/** Text becomes rows with as few queries as possible. */
import { expect, test } from 'bun:test';
import { type NumberLookups, readRows } from './typed-items.work.ts';

test('all barcodes are looked up at once', async () => {
  const asked: (readonly string[])[] = [];
  const market: NumberLookups = {
    findListedItems: async () => new Map(),
    findResaleRecords: async () => new Map(),
    findBarcodeSets: async (codes) => {
      asked.push(codes);
      return new Map([['0673419000017', ['300']]]);
    },
  };
  const rows = await readRows(market, '673419000017, 673419000024, 0673419000017, cas001');
  expect(asked).toEqual([['0673419000017', '0673419000024']]);
  expect(rows.map(({ number }) => number)).toEqual(['300', '673419000024', '300', 'cas001']);
});

/** A market that knows set 300, minifig cas001, and barcodes of one set and of two. */
function makeMarket() {
  const asked: string[] = [];
  const market = {
    findListedItems: async (_: string, keys: readonly string[]) => {
      asked.push(`sets ${keys}`);
      return new Map(keys.filter((key) => key === '300').map((key) => [key, {}]));
    },
    findResaleRecords: async (_: string, keys: readonly string[]) => {
      asked.push(`minifigs ${keys}`);
      const known = keys.filter((key) => key === 'cas001' || key === '300');
      return new Map(known.map((key) => [key, {}]));
    },
    findBarcodeSets: async (codes: readonly string[]) => {
      asked.push(`barcodes ${codes}`);
      return new Map([
        ['0673419000017', ['300']],
        ['0673419000024', ['300', '300-2']],
      ]);
    },
  } as unknown as NumberLookups;
  return { market, asked };
}

test.each([
  ['300', { kind: 'set', number: '300', condition: null }],
  ['300-1 used x3', { kind: 'set', number: '300-1', condition: 'used', quantity: 3 }],
  ['300 (no box) $45', { condition: 'used', grade: 'complete', priceCents: 45_00 }],
  ['300 sealed from Ann', { condition: 'sealed', ignored: 'from Ann' }],
  // A minifig is used unless something else is said.
  ['CAS001', { kind: 'minifig', number: 'CAS001', condition: 'used' }],
  ['CAS001 new', { kind: 'minifig', number: 'CAS001', condition: 'sealed' }],
  ['673419000017', { kind: 'set', number: '300', condition: null }],
  ['999', { kind: 'set', number: '999', condition: null, problem: null }],
  ['Gate', { number: null, text: 'Gate', problem: expect.stringContaining('No set or minifig') }],
] as const)('%s is %j', async (text, meant) => {
  expect(await readRows(makeMarket().market, text)).toMatchObject([meant]);
});

test('a barcode of several sets is to be chosen', async () => {
  const rows = await readRows(makeMarket().market, '673419000024 used x2\n300');
  const problem = 'The barcode is on 300, 300-2; choose which one.';
  expect(rows).toMatchObject([
    { number: null, condition: 'used', quantity: 2, problem },
    { number: '300', problem: null },
  ]);
});

test('rows are in the order of the text, and long ones are cut', async () => {
  const rows = await readRows(makeMarket().market, `Gate\n300\nWall ${'x'.repeat(300)}\n300-1`);
  expect(rows.map(({ number }) => number)).toEqual([null, '300', null, '300-1']);
  expect(rows[2]?.text).toHaveLength(200);
});

test('each number is looked up once, and minifigs only if needed', async () => {
  const { market, asked } = makeMarket();
  await readRows(market, '300, 300-1, 673419000017');
  expect(asked).toEqual(['sets 300,673419000017', 'barcodes 0673419000017']);
});
