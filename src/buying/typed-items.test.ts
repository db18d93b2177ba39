/** Typed numbers are resolved with as few queries as possible. */
import { expect, test } from 'bun:test';
import type { TypedItem } from '../domain/buying/box-text.ts';
import { type NumberLookups, resolveTypedItems } from './typed-items.ts';

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
  const typed = ['673419000017', '673419000024', '0673419000017', 'cas001'].map((number) => {
    return { ...typedAs(number), line: 1, quantity: 1 };
  });
  const { items } = await resolveTypedItems(market, typed, 'sealed');
  expect(asked).toEqual([['0673419000017', '0673419000024']]);
  expect(items.map(({ number }) => number)).toEqual(['300', '673419000024', '300', 'cas001']);
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

const typedAs = (number: string, condition: TypedItem['condition'] = null): TypedItem => {
  const said = { condition, grade: null, priceCents: null, ignored: '' };
  return { line: 7, text: `${number} x3`, number, quantity: 3, ...said };
};

test.each([
  ['300', null, { kind: 'set', number: '300', condition: 'sealed' }],
  ['300-1', 'used', { kind: 'set', number: '300-1', condition: 'used' }],
  ['CAS001', null, { kind: 'minifig', number: 'CAS001', condition: 'used' }],
  ['CAS001', 'sealed', { kind: 'minifig', number: 'CAS001', condition: 'sealed' }],
  ['673419000017', null, { kind: 'set', number: '300', condition: 'sealed' }],
  ['999', null, { kind: 'set', number: '999', condition: 'sealed' }],
] as const)('%s, %s, is %j', async (number, condition, meant) => {
  const { items, problems } = await resolveTypedItems(
    makeMarket().market,
    [typedAs(number, condition)],
    'sealed',
  );
  expect([items, problems]).toEqual([[{ ...meant, grade: null, quantity: 3 }], []]);
});

test('a barcode of several sets is a problem of its line, and not an item', async () => {
  const typed = [typedAs('673419000024'), typedAs('300')];
  const { items, problems } = await resolveTypedItems(makeMarket().market, typed, 'used');
  expect(items).toMatchObject([{ kind: 'set', number: '300', condition: 'used', quantity: 3 }]);
  const problem = 'The barcode is on 300, 300-2; write which one.';
  expect(problems).toEqual([{ line: 7, text: '673419000024', problem }]);
});

test('each number is looked up once, and minifigs only if needed', async () => {
  const { market, asked } = makeMarket();
  await resolveTypedItems(
    market,
    [typedAs('300'), typedAs('300-1'), typedAs('673419000017')],
    'used',
  );
  expect(asked).toEqual(['sets 300,673419000017', 'barcodes 0673419000017']);
});

test('a set without a condition needs one if none is given for all, a minifig does not', async () => {
  const typed = [typedAs('300'), typedAs('300', 'used'), typedAs('CAS001')];
  const { items, problems } = await resolveTypedItems(makeMarket().market, typed, null);
  expect(items.map(({ number, condition }) => [number, condition])).toEqual([
    ['300', 'used'],
    ['CAS001', 'used'],
  ]);
  const problem = 'Is it sealed or used? Enter 300 sealed or 300 used.';
  expect(problems).toEqual([{ line: 7, text: '300 x3', problem }]);
});
