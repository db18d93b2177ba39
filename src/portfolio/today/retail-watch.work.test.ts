/** Retail prices of held sets, with the prices paid. */
import { describe, expect, test } from 'bun:test';
import type { RetailRecord } from '../../market/published/published-records.ts';
import type { HeldCost } from '../lots/lots.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import { findRetail, readRetailWatch, watchWindowMs } from './retail-watch.work.ts';

const recordOf = (setKey: string, changedAt: number | null): RetailRecord => ({
  setKey,
  body: '{}',
  asinKey: null,
  upcKey: null,
  eanKey: null,
  changedAt,
});

const held: readonly HeldCost[] = [
  { kind: 'set', key: '1', units: 2, costCents: 30_01 },
  { kind: 'set', key: '2', units: 1, costCents: 9_00 },
];

function portfolioOf(records: readonly RetailRecord[]) {
  const asked: unknown[] = [];
  const portfolio = {
    accounts: {
      listHeldCosts: async (_: number, __: string, keys?: readonly string[]) => {
        asked.push(keys);
        return held.filter(({ key }) => !keys || keys.includes(key));
      },
    },
    market: {
      findRetail: async () => records[0] ?? null,
      findRetailKeys: async () => ['2', '9'],
      listRetail: async (keys: readonly string[], changedSince: number | null) => {
        asked.push([keys, changedSince]);
        return [...records];
      },
    },
  } as unknown as PortfolioData;
  return { portfolio, asked };
}

describe('one set', () => {
  test.each([
    [recordOf('1', 5), 15_01],
    [recordOf('7', 5), null],
  ])('%p has the average cost of a unit', async (record, paidCents) => {
    const { portfolio, asked } = portfolioOf([record]);
    expect(await findRetail(portfolio, 5, {})).toEqual({ record, paidCents });
    expect(asked).toEqual([[record.setKey]]);
  });

  test('without an offer is null', async () => {
    expect(await findRetail(portfolioOf([]).portfolio, 5, {})).toBeNull();
  });
});

describe('the held sets', () => {
  const every = { changedSince: null, asinKeys: null, barcodeKeys: null };

  test('are sorted by latest change, then by number; those that never changed last', async () => {
    const records = [
      recordOf('5', null),
      recordOf('2', 7),
      recordOf('4', null),
      recordOf('3', 9),
      recordOf('1', 7),
    ];
    const { portfolio, asked } = portfolioOf(records);
    const rows = await readRetailWatch(portfolio, 5, { ...every, changedSince: 3 });
    expect(rows.map(({ record }) => record.setKey)).toEqual(['3', '1', '2', '4', '5']);
    expect(rows.map(({ paidCents }) => paidCents)).toEqual([null, 15_01, 9_00, null, null]);
    expect(asked).toEqual([undefined, [['1', '2'], 3]]);
  });

  test.each([
    { ...every, asinKeys: ['a'] },
    { ...every, barcodeKeys: ['b'] },
  ])('are limited to identifiers: %p', async (filter) => {
    const { portfolio, asked } = portfolioOf([]);
    await readRetailWatch(portfolio, 5, filter);
    expect(asked).toEqual([
      ['2', '9'],
      [['2'], null],
    ]);
  });
});

test.each([
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['0d', 0],
  ['99999999999999999999d', Number.MAX_SAFE_INTEGER],
  ['7', null],
  ['7w', null],
  ['-7d', null],
  ['7d ', null],
  ['', null],
])('the window %p is %p ms', (text, ms) => {
  expect(watchWindowMs(text)).toBe(ms);
});
