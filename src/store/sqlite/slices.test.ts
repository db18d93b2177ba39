/** Removing much data of an account in short transactions, so that other writes do not wait. */

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleFacts } from '../../../test/support/alerts.ts';
import { aBrickfolio, aLedgerSale, aLot, anAccount } from '../../../test/support/builders.ts';
import { applyRows } from '../../../test/support/own-rows.ts';
import type { AlertScope } from '../../alerts/conditions/alert-rule.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './store.ts';

const email = 'ann@example.com';
const lots = 3_000;
const sales = 1_000;
let folder: string;
let store: Store;
let ann: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-slices-'));
  store = openSqliteStore(folder, { waits: false });
  ann =
    (
      await store.accounts.addAccount(
        anAccount({ email, plan: 'free', passwordHash: 'hash', at: 0 }),
      )
    )?.id ?? 0;
  const rows: PrivateRow[] = ['Shelf', 'Attic'].map((name) => ({
    kind: 'brickfolio',
    email,
    facts: aBrickfolio({ name, isDefault: name === 'Shelf' }),
  }));
  for (let index = 0; index < lots; index++) rows.push(lotRow(index));
  for (let index = 0; index < sales; index++) rows.push(saleRow(index));
  const outcomes = await applyRows(store.accounts, rows, 0);
  expect(outcomes.filter(({ kind }) => kind !== 'added')).toEqual([]);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function lotRow(index: number): PrivateRow {
  return { kind: 'holding', email, facts: aLot({ sourceId: `lot-${index}`, quantity: 1 }) };
}

function saleRow(index: number): PrivateRow {
  const facts = aLedgerSale({ sourceId: `sale-${index}`, lot: `lot-${index}` });
  return { kind: 'ledger_sale', email, facts };
}

/** Writes like another process; returns how often it could during some work. */
async function writesDuring(work: Promise<unknown>): Promise<number> {
  const other = new Database(join(folder, 'accounts.db'));
  let isDone = false;
  work.finally(() => {
    isDone = true;
  });
  let writes = 0;
  while (!isDone) {
    other.run("UPDATE account SET plan = plan WHERE email_key = 'nobody'");
    writes++;
    await Bun.sleep(1);
  }
  other.close();
  return writes;
}

function count(table: string): number {
  const db = new Database(join(folder, 'accounts.db'));
  const found = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get();
  db.close();
  return found?.n ?? 0;
}

test('moving the lots of a collection lets others write, and moves all of them', async () => {
  const { brickfolios } = await store.accounts.findHoldings(ann, null);
  const [shelf, attic] = brickfolios.map(({ id }) => id);
  const fate = { lots: 'move', to: attic ?? 0 } as const;
  const moving = store.accounts.removeBrickfolio(ann, shelf ?? 0, fate);
  expect(await writesDuring(moving)).toBeGreaterThan(5);
  expect(await moving).toBe('done');
  expect(await store.accounts.countLots(ann, attic ?? 0)).toEqual({ lots, withSales: sales });
});

test('removing a collection removes unsold lots, and moves the rest', async () => {
  const { brickfolios } = await store.accounts.findHoldings(ann, null);
  const [shelf, attic] = brickfolios.map(({ id }) => id);
  const alone = { lots: 'remove', to: null } as const;
  expect(await store.accounts.removeBrickfolio(ann, shelf ?? 0, alone)).toBe('lots left');
  expect(count('lot')).toBe(lots);
  const fate = { lots: 'remove', to: attic ?? 0 } as const;
  expect(await store.accounts.removeBrickfolio(ann, shelf ?? 0, fate)).toBe('done');
  const left = await store.accounts.countLots(ann, attic ?? 0);
  expect(left).toEqual({ lots: sales, withSales: sales });
});

test('a rule with many reports is off at once, and lets others write while it is removed', async () => {
  const { accounts } = store;
  const list = await accounts.addWatchList(ann, { name: 'Wanted', at: 0 });
  const listId = typeof list === 'object' ? list.id : 0;
  const reported = Array.from({ length: 2_000 }, (_, index) => {
    return { itemKind: 'set', itemKey: `${index}`, retailer: null, baseCents: 1 } as const;
  });
  const sent = { reported, position: 0, at: 0 };
  const add = async (scope: AlertScope) => {
    const made = await accounts.addAlertRule(ann, { rule: ruleFacts({ scope }), ...sent });
    return typeof made === 'object' ? made.id : 0;
  };
  const [id] = [await add({ kind: 'all' }), await add({ kind: 'list', listId })];
  const changing = accounts.turnOnAlertRule(ann, id, { ...sent, reported: [], at: 1 });
  expect(await writesDuring(changing)).toBeGreaterThan(3);
  expect(count('alert_match')).toBe(2_000);
  await accounts.turnOnAlertRule(ann, id, { ...sent, at: 2 });
  const removing = accounts.removeAlertRule(ann, id);
  await Bun.sleep(1);
  expect((await accounts.findConcerned({ set: [], minifig: [] }, [])).rules).toEqual([]);
  expect(await writesDuring(removing)).toBeGreaterThan(3);
  expect(count('alert_match')).toBe(2_000);
  expect(await writesDuring(accounts.removeWatchList(ann, listId))).toBeGreaterThan(3);
  expect(['alert_match', 'alert_rule', 'watch_list'].map(count)).toEqual([0, 0, 0]);
});

test('an account is gone with the first step of its removal, and no data is left', async () => {
  const removing = store.accounts.removeAccount(email);
  await Bun.sleep(1);
  expect(count('lot')).toBeGreaterThan(0);
  expect(await store.accounts.listAccounts(0)).toEqual([]);
  expect(await store.accounts.findPasswordHash(email)).toBeNull();
  const again = await store.accounts.addAccount(anAccount({ email, plan: 'free', at: 0 }));
  expect(again?.id).not.toBe(ann);
  expect(await writesDuring(removing)).toBeGreaterThan(5);
  expect(await removing).toBe(true);
  expect(await store.accounts.findAccount(email, 0)).toMatchObject({ id: again?.id });
  expect(['account', 'lot', 'ledger_sale', 'ledger_take', 'brickfolio'].map(count)).toEqual([
    1, 0, 0, 0, 0,
  ]);
});

test('an interrupted removal is finished by the sweep', async () => {
  const db = new Database(join(folder, 'accounts.db'));
  db.run("UPDATE account SET email_key = 'removed ' || id");
  db.close();
  expect(await store.accounts.listAccounts(0)).toEqual([]);
  for (let sweeps = 0; sweeps < 100; sweeps++) {
    if ((await store.accounts.sweep(0, 100)) === 0) break;
  }
  expect(['account', 'lot', 'ledger_sale'].map(count)).toEqual([0, 0, 0]);
});
