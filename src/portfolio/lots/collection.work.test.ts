/** Collections, entries and sales, joined with published data. */
import { expect, test } from 'bun:test';
import type { ListedItem } from '../../market/published/published-records.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import { readBrickfolios, readEntries, readSales } from './collection.work.ts';

const castle: ListedItem = {
  number: '1',
  title: 'Castle',
  theme: 'Town',
  newCents: 15_00,
  usedCents: null,
  newTier: 'high',
  usedTier: null,
};

/** Accounts with some answers; the market knows one set. */
function portfolioOf(accounts: object) {
  const asked: string[][] = [];
  const market = {
    findListedItems: async (_: string, keys: readonly string[]) => {
      asked.push([...keys]);
      return new Map([['1', castle]]);
    },
    findItemValues: async (_: string, keys: readonly string[]) =>
      keys.map((key) => (key === '1' ? castle : null)),
  };
  return { portfolio: { accounts, market } as unknown as PortfolioData, asked };
}

test('collections are sorted with the default first, then by name, ignoring case', async () => {
  const names = ['b', 'C', 'a', 'A', 'd'];
  const brickfolios = names.map((name, id) => ({ id, name, isDefault: name === 'd' }));
  const stake = {
    kind: 'set',
    key: '1',
    condition: 'sealed',
    grade: null,
    units: 2,
    costCents: 20_00,
    brickfolioId: 1,
  };
  const stakes = [stake, { ...stake, kind: 'set', key: '9', units: 1, costCents: 5_00 }];
  const findHoldings = async () => ({ brickfolios, stakes, purchases: [] });
  const found = await readBrickfolios(portfolioOf({ findHoldings }).portfolio, 5, 'set');
  expect(found.brickfolios.map(({ name }) => name)).toEqual(['d', 'a', 'A', 'b', 'C']);
  const totals = found.brickfolios.map(({ total }) => [total.valueCents, total.itemCount]);
  expect(totals).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [35_00, 3],
  ]);
});

test('entries have the value of their units, or their cost', async () => {
  const lot = {
    kind: 'set',
    key: '1',
    number: '1',
    condition: 'sealed',
    grade: null,
    units: 3,
    priceCents: 10_00,
  };
  const rows = [
    lot,
    { ...lot, condition: 'used', grade: null },
    { ...lot, kind: 'set', key: '9', number: '9' },
  ];
  const listEntries = async () => ({ total: 7, rows });
  const { portfolio, asked } = portfolioOf({ listEntries });
  const page = { limit: 9, offset: 0, brickfolioId: null };
  const found = await readEntries(portfolio, 5, page);
  expect(asked).toEqual([['1', '9']]);
  expect(found?.total).toBe(7);
  expect(found?.entries).toMatchObject([
    { item: castle, unitCents: 15_00, tier: 'high', gain: { costCents: 30_00, valueCents: 45_00 } },
    { unitCents: 10_00, tier: null, gain: { costCents: 30_00, valueCents: 30_00 } },
    { item: { number: '9', title: '9', theme: '' }, unitCents: 10_00, tier: null },
  ]);
  const missing = portfolioOf({ listEntries: async () => null }).portfolio;
  expect(await readEntries(missing, 5, page)).toBeNull();
});

test('sales have their set and proceeds', async () => {
  const sale = {
    kind: 'set',
    key: '1',
    number: '1',
    grossCents: 50_00,
    platformFeesCents: 5_00,
    paymentFeesCents: 1_00,
    shippingCents: 4_00,
    costCents: 20_00,
  };
  const listSales = async () => ({ total: 2, rows: [sale, { ...sale, kind: 'set', key: '9' }] });
  const { portfolio } = portfolioOf({ listSales });
  const { total, sales } = await readSales(portfolio, 5, { limit: 9, offset: 0 });
  expect(total).toBe(2);
  expect(sales).toMatchObject([
    { item: castle, proceeds: { netCents: 40_00, profitCents: 20_00 } },
    { item: { title: '1', newCents: null } },
  ]);
});
