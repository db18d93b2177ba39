/** The private half of the embedded store: waiting for other processes, and lost files. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import type { AccountStore } from '../store.ts';
import { openSqliteAccounts } from './accounts.ts';
import { openDatabase } from './database.ts';
import { accountMigrations } from './schema.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;
let path: string;
let fault: Error | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-accounts-'));
  path = join(folder, 'accounts.db');
  fault = null;
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (waits: boolean) =>
  openSqliteAccounts(path, {
    waits,
    migrating: {},
    checkFiles: () => {
      if (fault) throw fault;
    },
  });

/** Another process that is writing. */
function startWriting(): { end(): void } {
  const options = { durability: 'process', migrations: accountMigrations } as const;
  const other = openDatabase(path, options);
  other.run('BEGIN IMMEDIATE');
  return { end: () => other.close() };
}

const addAccount = (accounts: AccountStore) =>
  accounts.addAccount(anAccount({ email: 'ann@example.com', at: now }));

const spend = (accounts: AccountStore) =>
  accounts.admitGroup([{ keyHash: new Uint8Array(32), cost: 1 }], now);

test('charging usage does not wait for another process, and fails at once', async () => {
  const accounts = open(true);
  expect(accounts.admissionMsMax).toBe(0);
  const writing = startWriting();
  // Waiting would retry after a pause, for ten seconds.
  const failure = spend(accounts).catch((error: unknown) => error);
  expect(await Promise.race([failure, Bun.sleep(0)])).toBeInstanceOf(StoreBusyError);
  writing.end();
  expect((await spend(accounts)).admissions).toEqual([null]);
  await accounts.close();
});

test('a server retries until the other process has written', async () => {
  const accounts = open(false);
  const writing = startWriting();
  const added = addAccount(accounts);
  // The first attempt has failed by now.
  writing.end();
  expect((await added)?.id).toBe(1);
  await accounts.close();
});

test('nothing is written if the files were replaced', async () => {
  const accounts = open(true);
  fault = new Error('The files are gone.');
  await expect(addAccount(accounts)).rejects.toThrow('The files are gone.');
  await expect(spend(accounts)).rejects.toThrow('The files are gone.');
  fault = null;
  expect(await accounts.listAccounts(0)).toEqual([]);
  await accounts.close();
});

test('closing leaves a single file', async () => {
  const accounts = open(true);
  await addAccount(accounts);
  await spend(accounts);
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  await accounts.close();
  expect(readdirSync(folder)).toEqual(['accounts.db']);
});

test('delivery figures are read from an index, however many deliveries wait', () => {
  const db = openDatabase(path, { durability: 'process', migrations: accountMigrations });
  for (const figure of ['count(*)', 'min(at)']) {
    const sql = `SELECT ${figure} FROM delivery WHERE state = 'waiting'`;
    const [plan] = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    expect(plan?.detail).toContain('USING COVERING INDEX delivery_waiting_at');
  }
  db.close();
});
