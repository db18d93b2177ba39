/** Guarantees of every store about collections: contents, order and totals. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { shareStore } from '../../../test/support/shared-store.ts';
import { parseMonth } from '../../kernel/time.ts';

const shared = shareStore();

test('hasMoreRows counts lots and sales together, of one account', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await other.apply(other.brickfolio('Shelf'), other.lot('a'), other.lot('b'), other.sale('s'));
  await one.apply(one.brickfolio('Shelf'), one.lot('a'), one.sale('s'), one.sale('t'));
  const answers = [0, 2, 3, 4].map((rows) => accounts.hasMoreRows(one.id, rows));
  expect(await Promise.all(answers)).toEqual([true, true, false, false]);
  const nobody = await shared.addOwner();
  expect(await accounts.hasMoreRows(nobody.id, 0)).toBe(false);
});

test('lots of a collection are counted, and those with sold units', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await one.apply(
    one.brickfolio('Shelf'),
    one.brickfolio('Attic'),
    one.lot('a', { quantity: 3 }),
    one.lot('b'),
    one.lot('c', { brickfolio: 'Attic', number: '2' }),
    one.sale('s', { lot: 'a' }),
  );
  const { brickfolios } = await accounts.findHoldings(one.id, null);
  const [shelf = 0, attic = 0] = brickfolios.map(({ id }) => id);
  expect(await accounts.countLots(one.id, shelf)).toEqual({ lots: 2, withSales: 1 });
  expect(await accounts.countLots(one.id, attic)).toEqual({ lots: 1, withSales: 0 });
  expect(await accounts.countLots(other.id, shelf)).toBeNull();
  expect(await accounts.countLots(one.id, attic + 1)).toBeNull();
});

test('holdings are ordered: collections by creation, stakes by set, months by time', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await other.apply(other.brickfolio('Shelf'), other.lot('a'));
  await one.apply(
    one.brickfolio('Shelf', { description: 'Boxes' }),
    one.brickfolio('Attic', { isDefault: true }),
    one.lot('a', { number: '2', purchaseDate: '2026-04-30' }),
    one.lot('b', { condition: 'used', purchaseDate: '2026-05-01', quantity: 5 }),
    one.lot('c', { brickfolio: 'Attic', purchaseDate: '2025-12-31' }),
    one.lot('d', { purchaseDate: '2026-04-01', quantity: 1 }),
    one.lot('gone', { number: '3', quantity: 1 }),
    one.sale('s', { number: '3' }),
    one.sale('t', { condition: 'used', quantity: 2 }),
  );
  const { brickfolios, stakes, purchases } = await accounts.findHoldings(one.id, null);
  const facts = brickfolios.map(({ name, description, isDefault }) => {
    return { name, description, isDefault };
  });
  expect(facts).toEqual([
    { name: 'Shelf', description: 'Boxes', isDefault: false },
    { name: 'Attic', description: null, isDefault: true },
  ]);
  const nameOf = new Map(brickfolios.map(({ id, name }) => [id, name]));
  const summary = stakes.map((stake) => [
    stake.key,
    stake.condition,
    nameOf.get(stake.brickfolioId),
    stake.units,
    stake.costCents,
  ]);
  expect(summary).toEqual([
    ['1', 'sealed', 'Shelf', 1, 10_00],
    ['1', 'sealed', 'Attic', 2, 20_00],
    ['1', 'used', 'Shelf', 3, 30_00],
    ['2', 'sealed', 'Shelf', 2, 20_00],
  ]);
  const month = (text: string) => parseMonth(text) ?? 0;
  expect(purchases).toEqual([
    { month: month('2025-12'), lots: 1, units: 2, costCents: 20_00 },
    { month: month('2026-04'), lots: 2, units: 3, costCents: 30_00 },
    { month: month('2026-05'), lots: 1, units: 3, costCents: 30_00 },
  ]);
});
