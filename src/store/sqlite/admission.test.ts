/** Admission on SQLite, decided and charged in one transaction. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { dayMs } from '../../kernel/time.ts';
import { sqliteAdmission } from './admission.ts';
import { openDatabase, type StoreFile } from './database.ts';
import { accountMigrations } from './schema.ts';

const now = Date.UTC(2026, 10, 15, 12);

let db: StoreFile;
let admit: ReturnType<typeof sqliteAdmission>;

beforeEach(() => {
  db = openDatabase(':memory:', { durability: 'process', migrations: accountMigrations });
  addAccount();
  admit = sqliteAdmission(db);
});

function addAccount(): void {
  db.run(
    `INSERT INTO account (id, email, email_key, plan, created_at)
     VALUES (1, 'ann@example.com', 'ann@example.com', 'reseller', 0)`,
  );
}

afterEach(() => db.close());

const hashOf = (byte: number) => new Uint8Array(32).fill(byte);

/** Adds a key with a daily allowance of 10. */
function addKey(byte: number, expiresAt: number | null = null, place = byte): void {
  db.run(
    `INSERT INTO api_key (id, account_id, place, used_before, hash, prefix, name, allowance,
       scopes, created_at, expires_at)
     VALUES (?1, 1, ?4, 0, ?2, 'bmk_0000', 'Key', 10, 15, 0, ?3)`,
    [byte, hashOf(byte), expiresAt, place],
  );
}

const ask = (...costs: number[]) =>
  admit(
    costs.map((cost) => ({ keyHash: hashOf(1), cost })),
    now,
  ).map((admission) => admission?.outcome);

const used = () => db.query<{ used: number }, []>('SELECT used FROM usage').all();

test('a key can spend exactly its allowance', () => {
  addKey(1);
  expect(ask(10, 1)).toEqual(['granted', 'exhausted']);
  expect(used()).toEqual([{ used: 10 }]);
});

test('usage of another place or another day does not count against an allowance', () => {
  addKey(1);
  addKey(2);
  const spend = (byte: number, at: number) => admit([{ keyHash: hashOf(byte), cost: 8 }], at);
  spend(2, now);
  spend(1, now - dayMs);
  spend(2, now - dayMs);
  expect(ask(4, 6, 1)).toEqual(['granted', 'granted', 'exhausted']);
});

test('keys in the same place share its count', () => {
  // After a clock was set back, a key that has expired is active again, beside its successor.
  addKey(1);
  addKey(2, null, 1);
  const spend = (byte: number) => ({ keyHash: hashOf(byte), cost: 6 });
  expect(admit([spend(1), spend(2)], now).map((admission) => admission?.outcome)).toEqual([
    'granted',
    'exhausted',
  ]);
  expect(used()).toEqual([{ used: 6 }]);
});

test('requests without cost are granted, and write nothing', () => {
  addKey(1);
  db.run('PRAGMA query_only = ON');
  expect(ask(0, 0)).toEqual(['granted', 'granted']);
  db.run('PRAGMA query_only = OFF');
  expect(used()).toEqual([]);
  expect(ask(0, 1)).toEqual(['granted', 'granted']);
  expect(used()).toEqual([{ used: 1 }]);
});

test('a charge that could not be written does not count', () => {
  addKey(1);
  expect(ask(3)).toEqual(['granted']);
  const fail = "BEFORE UPDATE ON main.usage BEGIN SELECT RAISE(ABORT, 'disk full'); END";
  db.run(`CREATE TEMP TRIGGER full ${fail}`);
  expect(() => ask(7)).toThrow('disk full');
  db.run('DROP TRIGGER full');
  expect(ask(0, 7)).toEqual(['granted', 'granted']);
  expect(used()).toEqual([{ used: 10 }]);
});

test('what others commit applies to the next group', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-admission-'));
  const options = { durability: 'process', migrations: accountMigrations, waits: false } as const;
  const open = () => openDatabase(join(folder, 'accounts.db'), options);
  const memory = db;
  db = open();
  const other = open();
  try {
    addAccount();
    addKey(1);
    admit = sqliteAdmission(db);
    const charge = (cost: number) => {
      const [admission] = admit([{ keyHash: hashOf(1), cost }], now);
      return admission && [admission.outcome, admission.used, admission.caller.privateVersion];
    };
    expect(charge(1)).toEqual(['granted', 1, 0]);
    sqliteAdmission(other)([{ keyHash: hashOf(1), cost: 5 }], now);
    expect(charge(0)).toEqual(['granted', 6, 0]);
    expect(charge(5)).toEqual(['exhausted', 6, 0]);
    other.run('UPDATE api_key SET allowance = 11');
    expect(charge(5)).toEqual(['granted', 11, 0]);
    other.run("UPDATE account SET plan = 'free', private_version = 7");
    expect(charge(0)).toEqual(['plan', 11, 7]);
    other.run('UPDATE api_key SET revoked_at = 1');
    expect(charge(0)).toBeNull();
  } finally {
    other.close();
    db.close();
    db = memory;
    rmSync(folder, { recursive: true });
  }
});

test('while another process writes, charging fails, but requests without cost succeed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-admission-'));
  const path = join(folder, 'accounts.db');
  const options = { durability: 'process', migrations: accountMigrations, waits: false } as const;
  const [own, other] = [openDatabase(path, options), openDatabase(path, options)];
  try {
    other.run('BEGIN IMMEDIATE');
    const decide = sqliteAdmission(own);
    const group = (...costs: number[]) => costs.map((cost) => ({ keyHash: hashOf(1), cost }));
    expect(() => decide(group(0, 1), now)).toThrow(StoreBusyError);
    expect(decide(group(0, 0), now)).toEqual([null, null]);
  } finally {
    own.close();
    other.close();
    rmSync(folder, { recursive: true });
  }
});

test('a group with costs fails completely, and is not remembered', () => {
  addKey(1);
  addKey(2);
  const both = [1, 2].map((byte) => ({ keyHash: hashOf(byte), cost: 6 }));
  const full = "BEGIN SELECT RAISE(FAIL, 'full'); END";
  db.run(`CREATE TRIGGER full BEFORE INSERT ON usage WHEN new.place = 2 ${full}`);
  expect(() => admit(both, now)).toThrow('full');
  expect(used()).toEqual([]);
  db.run('DROP TRIGGER full');
  expect(admit(both, now).map((admission) => admission?.used)).toEqual([6, 6]);
});

test('a place is charged once per group, for all that was granted', () => {
  addKey(1);
  db.run('CREATE TEMP TABLE written (used INTEGER)');
  for (const event of ['INSERT', 'UPDATE']) {
    db.run(`CREATE TEMP TRIGGER note_${event} AFTER ${event} ON usage
      BEGIN INSERT INTO written VALUES (new.used); END`);
  }
  expect(ask(3, 0, 8, 4)).toEqual(['granted', 'granted', 'exhausted', 'granted']);
  expect(ask(3, 2)).toEqual(['granted', 'exhausted']);
  expect(db.query('SELECT used FROM written').all()).toEqual([{ used: 7 }, { used: 10 }]);
});

test('a key expires exactly at its time', () => {
  addKey(1, now + 1);
  addKey(2, now);
  const outcomes = admit(
    [1, 2, 3].map((byte) => ({ keyHash: hashOf(byte), cost: 1 })),
    now,
  );
  expect(outcomes.map((admission) => admission?.outcome ?? null)).toEqual(['granted', null, null]);
});
