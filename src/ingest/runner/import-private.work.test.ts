/** Importing collections, lots and recorded sales into a real store. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { writeRows } from '../../../test/support/many-rows.ts';
import { onTables } from '../../../test/support/tables.ts';
import { salesMax } from '../../contract/limits.ts';
import { countText } from '../../kernel/format.ts';
import type { Store } from '../../store/store.ts';
import { readFeedLine } from '../feed/feed.work.ts';
import { importRows } from './import.work.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-import-'));
  store = await openTestStore(folder);
  for (const email of ['ann@example.com', 'bob@example.com']) {
    await store.accounts.addAccount(anAccount({ email, plan: 'free', at: now }));
  }
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports lines like `import feed`, and returns the outcomes. */
async function load(...lines: readonly object[]) {
  async function* groups() {
    yield lines.map((line, index) => {
      const text = JSON.stringify(line);
      return { where: `line ${index + 1}`, text, result: readFeedLine(text, now) };
    });
  }
  const target = { ...store, clock: () => now, onReject: () => {} };
  const { rejects, ...counts } = await importRows(groups(), target);
  return { ...counts, rejects: rejects.map(({ where, reason }) => `${where}: ${reason}`) };
}

const castle = { kind: 'set', set_number: '75192-1', title: 'Castle', theme: 'Castles' };
const tower = { kind: 'set', set_number: '6001', title: 'Tower', theme: 'Castles' };
const attic = { kind: 'brickfolio', account: 'ann@example.com', name: 'Attic' };

function lot(id: string, quantity: number, facts: object = {}) {
  return {
    kind: 'holding',
    account: 'ann@example.com',
    source_id: id,
    brickfolio: 'Attic',
    set_number: '75192',
    quantity,
    condition: 'sealed',
    purchase_price_usd: 10,
    purchase_date: '2026-01-01',
    ...facts,
  };
}

function sale(id: string, quantity: number, facts: object = {}) {
  return {
    kind: 'ledger_sale',
    account: 'ann@example.com',
    source_id: id,
    set_number: '75192',
    platform: 'ebay',
    sale_date: '2026-06-01',
    quantity,
    gross_proceeds_usd: 50,
    ...facts,
  };
}

const fine = { rejected: 0, rejects: [] };

test('a lot may come before its set and its collection, and a sale before its lots', async () => {
  const report = await load(sale('s', 3), lot('a', 2), lot('b', 1), attic, castle);
  expect(report).toMatchObject({ read: 5, added: 5, ...fine });
});

test('sales are applied in order of date, not of lines', async () => {
  const report = await load(
    castle,
    attic,
    sale('later, from the old lot', 1, { sale_date: '2026-07-01', lot: 'old' }),
    sale('earlier, from any lot', 1, { sale_date: '2026-06-01' }),
    lot('new', 1, { purchase_date: '2026-02-01' }),
    lot('old', 1, { purchase_date: '2026-01-01' }),
  );
  expect(report.rejects).toEqual([
    "line 3: the sale is for 1 sealed unit of 75192, but none are left in lot 'old'",
  ]);
});

test('importing the same file again changes nothing, sold or not', async () => {
  const lines = [castle, attic, lot('a', 2), lot('b', 1), sale('s', 2)];
  expect(await load(...lines)).toMatchObject({ added: 5, ...fine });
  expect(await load(...lines)).toMatchObject({ added: 0, updated: 0, unchanged: 5, ...fine });
  expect(await load(...lines.toReversed())).toMatchObject({ unchanged: 5, ...fine });
});

test('an unknown account, collection or set is named in the reason', async () => {
  await load(castle, attic);
  const report = await load(
    { ...attic, account: 'eve@example.com' },
    lot('a', 1, { account: 'eve@example.com' }),
    lot('b', 1, { brickfolio: 'Cellar' }),
    lot('c', 1, { set_number: '404' }),
    sale('d', 1, { account: 'eve@example.com' }),
    sale('e', 1, { set_number: '404' }),
    lot('f', 1, { account: 'bob@example.com' }),
  );
  expect(report).toMatchObject({ read: 7, rejected: 7 });
  expect(report.rejects.toSorted()).toEqual([
    "line 1: there is no account 'eve@example.com'",
    "line 2: there is no account 'eve@example.com'",
    "line 3: there is no collection 'Cellar'",
    "line 4: set '404' is not in the catalog",
    "line 5: there is no account 'eve@example.com'",
    "line 6: set '404' is not in the catalog",
    // Ann's collection is not Bob's.
    "line 7: there is no collection 'Attic'",
  ]);
});

test('an account is found by email, ignoring case', async () => {
  const report = await load(castle, attic, lot('a', 1, { account: 'Ann@Example.COM' }));
  expect(report).toMatchObject({ added: 3, ...fine });
});

test('a sale of more units than are left is rejected with the number left', async () => {
  await load(castle, attic, lot('a', 2), lot('b', 3));
  const few = (left: number, where: string, of: number) =>
    `line 1: the sale is for ${of} sealed units of 75192, but only ${left} are left ${where}`;
  expect((await load(sale('s', 6))).rejects).toEqual([few(5, 'in all lots', 6)]);
  expect((await load(sale('s', 3, { lot: 'a' }))).rejects).toEqual([few(2, "in lot 'a'", 3)]);
  expect(await load(sale('s', 4))).toMatchObject({ added: 1, ...fine });
  expect((await load(sale('t', 2))).rejects).toEqual([
    'line 1: the sale is for 2 sealed units of 75192, but only 1 is left in all lots',
  ]);
  expect(await load(sale('t', 1))).toMatchObject({ added: 1, ...fine });
});

test('a sale takes only units of its own account, set and condition', async () => {
  const bobs = { account: 'bob@example.com' };
  await load(castle, tower, attic, { ...attic, ...bobs });
  await load(
    lot('a', 5, bobs),
    lot('b', 5, { set_number: '6001' }),
    lot('c', 5, { condition: 'used' }),
    lot('d', 1),
  );
  expect((await load(sale('s', 2))).rejects).toEqual([
    'line 1: the sale is for 2 sealed units of 75192, but only 1 is left in all lots',
  ]);
  expect((await load(sale('t', 6, { condition: 'used' }))).rejects).toEqual([
    'line 1: the sale is for 6 used units of 75192, but only 5 are left in all lots',
  ]);
  expect((await load(sale('u', 1, { lot: 'c' }))).rejects).toEqual([
    "line 1: there is no lot 'c' of this set and condition",
  ]);
});

test('a lot cannot have fewer units than were sold from it', async () => {
  await load(castle, attic, lot('a', 5), sale('s', 3));
  expect((await load(lot('a', 2))).rejects).toEqual([
    'line 1: quantity 2 is less than the 3 already sold from this lot',
  ]);
  expect(await load(lot('a', 3))).toMatchObject({ updated: 1, ...fine });
  expect((await load(sale('t', 1))).rejects).toEqual([
    'line 1: the sale is for 1 sealed unit of 75192, but none are left in all lots',
  ]);
  expect(await load(lot('a', 4), sale('t', 1))).toMatchObject({ updated: 1, added: 1, ...fine });
});

test('a lot with sales keeps its set and condition; others may change', async () => {
  await load(castle, tower, attic, lot('a', 5), sale('s', 3), lot('b', 1));
  const reason = 'set and condition cannot change: 3 units already sold from this lot';
  expect((await load(lot('a', 5, { condition: 'used' }))).rejects).toEqual([`line 1: ${reason}`]);
  expect((await load(lot('a', 5, { set_number: '6001' }))).rejects).toEqual([`line 1: ${reason}`]);
  expect(await load(lot('b', 1, { condition: 'used' }))).toMatchObject({ updated: 1, ...fine });
  expect(await load(lot('a', 5, { status: 'listed' }))).toMatchObject({ updated: 1, ...fine });
});

test('a sale with a given cost uses no lot', async () => {
  await load(castle, attic, lot('a', 1));
  expect(await load(sale('s', 5, { cost_basis_usd: 40 }))).toMatchObject({ added: 1, ...fine });
  expect(await load(sale('t', 1))).toMatchObject({ added: 1, ...fine });
});

test('a changed sale returns the units it no longer takes', async () => {
  await load(castle, attic, lot('a', 2), sale('s', 2));
  expect(await load(sale('s', 1))).toMatchObject({ updated: 1, ...fine });
  expect(await load(sale('t', 1))).toMatchObject({ added: 1, ...fine });
  expect((await load(sale('s', 2))).rejects).toEqual([
    'line 1: the sale is for 2 sealed units of 75192, but only 1 is left in all lots',
  ]);
});

test('among many lines, exactly the bad ones are rejected', async () => {
  await load(castle, attic);
  const lots = Array.from({ length: 250 }, (_, index) =>
    lot(`${index}`, 1, index % 50 === 7 ? { set_number: `no-${index}` } : {}),
  );
  const report = await load(...lots);
  expect(report).toMatchObject({ read: 250, added: 245, rejected: 5 });
  expect(report.rejects).toEqual(
    [7, 57, 107, 157, 207].map(
      (index) => `line ${index + 1}: set 'no-${index}' is not in the catalog`,
    ),
  );
});

test('a later holding replaces one that was deferred for its collection', async () => {
  const report = await load(castle, lot('a', 5), attic, lot('a', 3), sale('s', 4));
  expect(report).toMatchObject({ added: 3, rejected: 2 });
});

/** Cost of each stored sale, and the units taken from each lot. */
async function frozen() {
  const ofSales = 'SELECT source_id AS id, cost_cents AS cost FROM ledger_sale ORDER BY source_id';
  const sales = await onTables(folder, ofSales);
  const lots = await onTables<{ id: string; sold: number; taken: number }>(
    folder,
    `SELECT l.source_id AS id, l.sold, coalesce(sum(t.quantity), 0) AS taken
     FROM lot l LEFT JOIN ledger_take t ON t.lot_id = l.id GROUP BY l.id ORDER BY l.source_id`,
  );
  for (const { sold, taken } of lots) expect(sold).toBe(taken);
  return { sales, sold: Object.fromEntries(lots.map(({ id, sold }) => [id, sold])) };
}

const older = { purchase_date: '2025-01-01', purchase_price_usd: 1 };

test('correcting fees keeps the frozen cost; correcting the quantity does not', async () => {
  await load(castle, attic, lot('a', 2), sale('s', 2));
  expect(await frozen()).toEqual({ sales: [{ id: 's', cost: 2000 }], sold: { a: 2 } });
  await load(lot('b', 2, older), sale('s', 2, { platform_fees_usd: 3 }));
  expect(await frozen()).toEqual({ sales: [{ id: 's', cost: 2000 }], sold: { a: 2, b: 0 } });
  await load(sale('s', 3));
  expect(await frozen()).toEqual({ sales: [{ id: 's', cost: 1200 }], sold: { a: 1, b: 2 } });
});

test('a sale rejected on reimport changes nothing', async () => {
  await load(castle, attic, lot('a', 2), sale('s', 2));
  const before = await frozen();
  expect(await load(sale('s', 3))).toMatchObject({ rejected: 1 });
  expect(await frozen()).toEqual(before);
});

test("a sale beyond the account's limit is rejected with that reason", async () => {
  await load(castle, attic);
  await writeRows(folder, 'ledger_sale', { accountId: 1, count: salesMax - 1 });
  const sales = ['a', 'b', 'c'].map((id) => sale(id, 1, { cost_basis_usd: 5 }));
  const { added, rejects } = await load(...sales);
  expect(added).toBe(1);
  expect(rejects).toEqual([
    `line 2: the limit of ${countText(salesMax)} sales is reached`,
    `line 3: the limit of ${countText(salesMax)} sales is reached`,
  ]);
});
