/** Watched items: their order, their queries, and their rows. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { defaultTerms } from '../../buying/boxes/quotes.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { minifigExample } from '../../contract/minifig.ts';
import { retailRowExample } from '../../contract/retail.ts';
import { setExample } from '../../contract/set.ts';
import type { ConditionEvidence } from '../../market/evidence/evidence.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import type { WatchedItem } from './watch-list.ts';
import { readWatched, type WatchedQuestion, type WatchedSource } from './watched-prices.work.ts';

const valued: ConditionEvidence = {
  valueCents: 100_00,
  lowCents: 90_00,
  highCents: 110_00,
  valueSpread: 0.05,
  saleSpread: 0.1,
  sales: { ever: 20, days30: 2, days90: 5, days180: 10, days365: 20 },
  firstSale: '2026-01',
  latestSale: '2026-10',
};
const used = { ...valued, valueCents: 20_00 };
const evidence = someEvidence({ tier: 'high', sealed: valued, used });

const setRecord = (key: string): ResaleRecord => {
  const { retailer_a: block } = retailRowExample;
  const a = { ...block, price: 45, inStock: true };
  const b = { ...block, price: null };
  return {
    key,
    number: `${key}-now`,
    body: JSON.stringify(setExample),
    evidence: key === 'modeled' ? { ...evidence, tier: key } : evidence,
    retail: JSON.stringify({ ...retailRowExample, retailer_a: a, retailer_b: b }),
  };
};
const minifigRecord = (key: string): ResaleRecord => {
  const body = JSON.stringify(minifigExample);
  return { key, number: `${key}-now`, body, evidence, retail: null };
};

let nextId = 0;
const watched = (kind: ItemKind, key: string, targetCents: number | null = null): WatchedItem => {
  return { id: ++nextId, listId: 1, addedAt: 0, kind, key, number: key, targetCents, note: '' };
};

/** The rows of a page, and the market queries. */
async function read(items: readonly WatchedItem[], asked: Partial<WatchedQuestion> = {}) {
  const questions: string[] = [];
  const names = new Map([
    ['1', { number: '1', name: 'zebra' }],
    ['2', { number: '2', name: 'Apple' }],
    ['fig', { number: 'fig', name: 'Monkey' }],
  ]);
  const source = {
    tables: builtInTables,
    findOffers: async (keys) => {
      questions.push(`offers ${keys}`);
      const priceOf = (key: string) => ({
        retailer: 'retailer_a' as const,
        priceCents: Number(key) * 10_00,
        isAtLowest: false,
      });
      return new Map(keys.filter((key) => key !== '9').map((key) => [key, priceOf(key)]));
    },
    market: {
      findNames: async (kind, keys) => {
        questions.push(`names of ${kind}s ${keys}`);
        return new Map([...names].filter(([key]) => keys.includes(key)));
      },
      findResaleRecords: async (kind, keys) => {
        questions.push(`${kind}s ${keys}`);
        const known = keys.filter((key) => key !== '9');
        const toRecord = kind === 'set' ? setRecord : minifigRecord;
        return new Map(known.map((key) => [key, toRecord(key)]));
      },
    },
  } as WatchedSource;
  const question = { order: 'added', terms: defaultTerms, at: Date.UTC(2026, 10, 9) } as const;
  const rows = await readWatched(source, items, { ...question, offset: 0, limit: 10, ...asked });
  return { rows, keys: rows.map(({ item }) => item.key), questions };
}

test('by distance: the furthest below its target first, those without a target last', async () => {
  // 10.00 for 20.00, 20.00 for 25.00, and 30.00 for 30.00.
  const items = [
    watched('set', '9', 10_00),
    watched('set', '3', 30_00),
    watched('minifig', '5', 99_00),
    watched('set', '4'),
    watched('set', '1', 20_00),
    watched('set', '2', 25_00),
  ];
  const { keys, questions } = await read(items, { order: 'distance' });
  expect(keys).toEqual(['1', '2', '3', '4', '5', '9']);
  // Minifigs and sets without a target have no distance, so their offers are not read.
  expect(questions[0]).toBe('offers 9,3,1,2');
});

test('by name, ignoring case; an item without a name by its number', async () => {
  const items = [
    watched('set', '1'),
    watched('minifig', 'fig'),
    watched('set', 'n'),
    watched('set', '2'),
  ];
  const { keys, questions } = await read(items, { order: 'name' });
  expect(keys).toEqual(['2', 'fig', 'n', '1']);
  expect(questions.slice(0, 2)).toEqual(['names of sets 1,n,2', 'names of minifigs fig']);
});

test('a page reads no more than it shows', async () => {
  const items = ['1', '2', '3', '4'].map((key) => watched('set', key));
  const { keys, questions } = await read(items, { offset: 1, limit: 2 });
  expect(keys).toEqual(['3', '2']);
  expect(questions).toEqual(['sets 3,2']);
});

test('a set has its sealed value, its offer, and the distance to the target', async () => {
  const item = watched('set', '1', 50_00);
  const { rows } = await read([item]);
  expect(rows).toEqual([
    {
      item,
      number: '1-now',
      title: setExample.title,
      theme: setExample.theme,
      offer: { retailer: 'retailer_a', priceCents: 45_00, isAtLowest: expect.any(Boolean) },
      tier: 'high',
      valueCents: 100_00,
      maxBuyCents: expect.any(Number),
      distance: { cents: -5_00, percent: -10 },
    },
  ]);
});

test('a minifig has its used value, and neither theme nor offer', async () => {
  const item = watched('minifig', 'fig', 50_00);
  const { rows } = await read([item]);
  const known = { number: 'fig-now', title: minifigExample.name, tier: 'high', valueCents: 20_00 };
  expect(rows).toMatchObject([{ item, ...known, theme: null, offer: null, distance: null }]);
});

test('an unpublished item keeps its number', async () => {
  const item = watched('set', '9', 50_00);
  const { rows } = await read([item]);
  const nothing = { title: null, theme: null, offer: null, tier: null, valueCents: null };
  expect(rows).toEqual([{ item, number: '9', ...nothing, maxBuyCents: null, distance: null }]);
});

test('a value without sales has no max buy price', async () => {
  const { rows } = await read([watched('set', '1'), watched('set', 'modeled')]);
  expect(rows.map(({ valueCents }) => valueCents)).toEqual([100_00, 100_00]);
  expect(rows.map(({ maxBuyCents }) => maxBuyCents === null)).toEqual([true, false]);
});
