/** Guarantees of every store when rows of several accounts are applied in batches. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { expect, test } from 'bun:test';
import { applyRows } from '../../../test/support/own-rows.ts';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { PrivateRow } from './private-rows.ts';

const shared = shareStore();

const kinds = async (...rows: PrivateRow[]) =>
  (await applyRows(shared.store.accounts, rows, now)).map((outcome) =>
    outcome.kind === 'rejected' ? outcome.reason : outcome.kind,
  );

const lotsOf = ({ id }: Owner) => shared.store.accounts.listLots(id, { after: 0, limit: 99 });

/** Sold units of each lot. */
const soldOf = async (owner: Owner) =>
  Object.fromEntries((await lotsOf(owner)).map(({ sourceId, sold }) => [sourceId, sold]));

const takesOf = async ({ id }: Owner) => {
  const sales = await shared.store.accounts.listRecordedSales(id, { after: 0, limit: 99 });
  return Object.fromEntries(
    sales.map(({ sourceId, settled }) => [
      sourceId,
      settled?.takes.map(({ lot, quantity }) => `${quantity} of ${lot}`).join(),
    ]),
  );
};

test('rows of two accounts with the same names are kept apart', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const upper = one.email.toUpperCase();
  await kinds(one.brickfolio('Shelf'), other.brickfolio('Shelf'), one.lot('a'), other.lot('a'));
  expect(
    await kinds(
      one.lot('a', { quantity: 5 }),
      { ...one.lot('b'), email: upper },
      one.sale('s', { quantity: 5 }),
      other.sale('s', { quantity: 5 }),
      other.sale('s', { quantity: 2 }),
    ),
  ).toEqual([
    'updated',
    'added',
    'added',
    'the sale is for 5 sealed units of 1, but only 2 are left in all lots',
    'added',
  ]);
  expect([await soldOf(one), await soldOf(other)]).toEqual([{ a: 5, b: 0 }, { a: 2 }]);
  expect(await kinds(one.sale('s', { quantity: 5 }), other.sale('s', { quantity: 2 }))).toEqual([
    'unchanged',
    'unchanged',
  ]);
});

test('of two forms for collections of one name, the second is refused', async () => {
  const one = await shared.addOwner();
  const outcomes = await Promise.all(
    ['first', 'second'].map(async (description) => {
      const facts = { name: 'Shelf', description, isDefault: false };
      const change = { rows: [{ kind: 'brickfolio', facts, seen: null } as const] };
      return (await shared.store.accounts.change(one.id, change, now)).outcomes[0];
    }),
  );
  expect(outcomes.map((outcome) => outcome?.kind).toSorted()).toEqual(['added', 'rejected']);
  const [left, ...others] = await shared.store.accounts.listBrickfolios(one.id);
  const added = outcomes[0]?.kind === 'added' ? 'first' : 'second';
  expect([left?.description, others]).toEqual([added, []]);
});

test('a sale takes the oldest units left, however many lots there are', async () => {
  const one = await shared.addOwner();
  await one.apply(
    one.brickfolio('Shelf'),
    one.lot('late', { purchaseDate: '2026-09-09' }),
    one.lot('gone', { purchaseDate: '2020-01-01', quantity: 1 }),
    one.lot('used', { purchaseDate: '2020-01-01', condition: 'used' }),
    one.lot('other', { purchaseDate: '2020-01-01', number: '2' }),
    one.lot('tie', { purchaseDate: '2021-01-01', quantity: 1 }),
    one.lot('tie too', { purchaseDate: '2021-01-01', quantity: 1 }),
    one.sale('first'),
  );
  // Each sale is a separate batch, so that lots are loaded again.
  await one.apply(one.sale('second'));
  await one.apply(one.sale('third', { quantity: 2 }));
  expect(await takesOf(one)).toEqual({
    first: '1 of gone',
    second: '1 of tie',
    third: '1 of late,1 of tie too',
  });
});

test('lots whose date a batch changes are still sold oldest first', async () => {
  const one = await shared.addOwner();
  const lot = (name: string, year: number) =>
    one.lot(name, { purchaseDate: `${year}-01-01`, quantity: 1 });
  await one.apply(one.brickfolio('Shelf'), lot('a', 2021), lot('b', 2022), lot('c', 2023));
  await one.apply(lot('a', 2025), lot('b', 2026), one.sale('s', { quantity: 2 }));
  expect(await takesOf(one)).toEqual({ s: '1 of a,1 of c' });
});

test('a sale that changes in a later batch returns its units, and takes others', async () => {
  const one = await shared.addOwner();
  await one.apply(
    one.brickfolio('Shelf'),
    one.lot('a', { quantity: 1 }),
    one.lot('b', { purchaseDate: '2026-04-01' }),
    one.sale('s', { quantity: 2 }),
    one.sale('t', { lot: 'b' }),
  );
  await one.apply(one.sale('s', { quantity: 1 }));
  expect([await soldOf(one), await takesOf(one)]).toEqual([
    { a: 1, b: 1 },
    { s: '1 of a', t: '1 of b' },
  ]);
  await one.apply(one.sale('s', { costCents: 1 }), one.lot('new', { quantity: 1 }));
  expect([await soldOf(one), await takesOf(one)]).toEqual([
    { a: 0, b: 1, new: 0 },
    { s: '', t: '1 of b' },
  ]);
});

test('a sale can name a lot of an earlier batch, or be settled with several', async () => {
  const one = await shared.addOwner();
  await one.apply(
    one.brickfolio('Shelf'),
    one.lot('old', { purchaseDate: '2020-01-01', quantity: 9 }),
    one.lot('a'),
    one.lot('b'),
  );
  await one.apply(one.sale('named', { lot: 'b' }));
  const takes = [
    { lot: 'a', quantity: 2, costCents: null },
    { lot: 'b', quantity: 1, costCents: null },
  ];
  await one.apply(one.sale('settled', { quantity: 3, settled: { costCents: 7, takes } }));
  expect(await soldOf(one)).toEqual({ old: 0, a: 2, b: 2 });
});

test('rows added in one batch can refer to each other, and get ids in order', async () => {
  const one = await shared.addOwner();
  await one.apply(
    one.brickfolio('Shelf'),
    one.brickfolio('Attic'),
    one.lot('a', { brickfolio: 'Attic' }),
    one.lot('b'),
    one.sale('s', { lot: 'b' }),
    one.sale('t', { lot: 'a', quantity: 2 }),
  );
  const lots = await lotsOf(one);
  expect(lots.map(({ sourceId, brickfolio }) => [sourceId, brickfolio])).toEqual([
    ['a', 'Attic'],
    ['b', 'Shelf'],
  ]);
  expect(await takesOf(one)).toEqual({ s: '1 of b', t: '2 of a' });
  const { brickfolios } = await shared.store.accounts.findHoldings(one.id, null);
  expect(brickfolios.map(({ name, createdAt }) => [name, createdAt])).toEqual([
    ['Shelf', now],
    ['Attic', now],
  ]);
});

test('lots and sales are counted in the store if the memory does not have them', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await one.apply(one.brickfolio('Shelf'), one.lot('a'), one.sale('s'));
  await other.apply(other.brickfolio('Shelf'));
  // Makes the remembered counts outdated.
  const raise = (sql: string) => onTables(shared.folder, sql, [one.id]);
  await raise('UPDATE private.account SET private_version = private_version + 1 WHERE id = ?');
  expect(await kinds(one.lot('b'), one.sale('t'), other.lot('b'))).toEqual([
    'added',
    'added',
    'added',
  ]);
  expect(await accounts.hasMoreRows(one.id, 3)).toBe(true);
  expect(await accounts.hasMoreRows(one.id, 4)).toBe(false);
});

test('the version of an account increases only if its data changes', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const version = async ({ id }: Owner) => {
    const sql = 'SELECT private_version AS version FROM private.account WHERE id = ?';
    const [row] = await onTables<{ version: number }>(shared.folder, sql, [id]);
    return row?.version ?? -1;
  };
  await one.apply(one.brickfolio('Shelf'), one.lot('a'));
  const [before, others] = [await version(one), await version(other)];
  await one.apply(one.brickfolio('Shelf'), one.lot('a'));
  expect(await kinds(one.sale('too many', { quantity: 9 }))).not.toEqual(['added']);
  expect(await version(one)).toBe(before);
  await one.apply(one.lot('a', { quantity: 5 }), one.lot('b'));
  expect(await version(one)).toBeGreaterThan(before);
  expect(await version(other)).toBe(others);
});
