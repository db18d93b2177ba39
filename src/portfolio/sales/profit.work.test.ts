/** The profit report is computed once, until sales, lots or the market change. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { expect, test } from 'bun:test';
import { shareStore } from '../../../test/support/shared-store.ts';
import type { SaleFilter } from './ledger.ts';
import { ProfitReports } from './profit.work.ts';

const shared = shareStore();

/** Reports of a store, and how often they read sales. */
function reportsOf() {
  const { accounts, market } = shared.store;
  const counted = { reads: 0 };
  const listSalesAfter: typeof accounts.listSalesAfter = (...given) => {
    counted.reads++;
    return accounts.listSalesAfter(...given);
  };
  const portfolio = { accounts: { ...accounts, listSalesAfter }, market };
  return { counted, reports: new ProfitReports({ accounts, market }, portfolio) };
}

const all: SaleFilter = { span: undefined, platform: null, items: null };

test('a report is kept until a sale is added, and another account has its own', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const sold = (name: string) => owner.sale(name, { quantity: 1, grossCents: 50_00 });
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('l', { quantity: 3 }), sold('a'));
  const { counted, reports } = reportsOf();
  const find = async (grouping: 'month' | 'platform', name = 'all', filter = all) =>
    (await reports.find(owner.id, { name, filter, grouping })).total.sales;
  expect(await Promise.all([find('month'), find('month')])).toEqual([1, 1]);
  expect([await find('month'), counted.reads]).toEqual([1, 1]);
  expect([await find('platform'), counted.reads]).toEqual([1, 2]);
  const none = { ...all, span: { from: '2001-01-01', to: '2001-12-31' } };
  expect([await find('month', '2001', none), counted.reads]).toEqual([0, 3]);
  const others = await reports.find(other.id, { name: 'all', filter: all, grouping: 'month' });
  expect(others).toMatchObject({ rows: [], total: { sales: 0 } });
  await owner.apply(sold('b'));
  expect(await find('month')).toBe(2);
  expect(await find('platform')).toBe(2);
});
