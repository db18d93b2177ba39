/** SQLite files: opening, migrating and transactions. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import type { Fill } from '../sql/migrations.ts';
import { firstVersion, OtherBuildError, type SchemaChange } from '../sql/schema-version.ts';
import { inSnapshot, inTransaction, openDatabase, type StoreFile } from './database.ts';

let folder: string;
let path: string;
let opened: StoreFile[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-database-'));
  path = join(folder, 'a.db');
  opened = [];
});
afterEach(() => {
  for (const db of opened) db.close();
  rmSync(folder, { recursive: true });
});

const migrations = [
  'CREATE TABLE parent (id INTEGER PRIMARY KEY)',
  'CREATE TABLE child (parent_id INTEGER REFERENCES parent (id))',
];
const newest = firstVersion + 1;

function open(options: Partial<Parameters<typeof openDatabase>[1]> = {}): StoreFile {
  const db = openDatabase(path, { durability: 'power', migrations, ...options });
  opened.push(db);
  return db;
}

const pragma = (db: StoreFile, name: string) =>
  Object.values(db.query(`PRAGMA ${name}`).get() as object)[0];

describe('the schema', () => {
  const first = migrations.slice(0, 1);

  test('is updated by a command that writes, which is told from which to which', () => {
    const changes: SchemaChange[] = [];
    const onMigrated = (change: SchemaChange) => changes.push(change);
    open({ migrations: first, onMigrated });
    open({ onMigrated });
    open({ onMigrated });
    const store = basename(path);
    expect(changes).toEqual([
      { store, from: 0, to: firstVersion },
      { store, from: firstVersion, to: newest },
    ]);
  });

  test('is left as it is by a command that only reads', () => {
    expect(() => open({ onlyReads: true })).toThrow('unable to open');
    open({ migrations: first });
    const message = `has schema ${firstVersion}; this version of Brickmark needs ${newest}.`;
    expect(() => open({ onlyReads: true })).toThrow(message);
    expect(pragma(open({ migrations: first, onlyReads: true }), 'user_version')).toBe(firstVersion);
    open();
    expect(pragma(open({ onlyReads: true }), 'user_version')).toBe(newest);
  });
});

describe('a file', () => {
  test('rejects a statement with a missing value', () => {
    const select = open().query('SELECT $number AS number');
    expect(select.get({ number: 1 })).toEqual({ number: 1 });
    expect(() => select.get({})).toThrow();
  });

  test('has WAL mode, a busy timeout, foreign keys, and the requested durability', () => {
    const db = open();
    expect(pragma(db, 'journal_mode')).toBe('wal');
    expect(pragma(db, 'foreign_keys')).toBe(1);
    expect(pragma(db, 'busy_timeout')).toBe(10_000);
    expect(pragma(db, 'wal_autocheckpoint')).toBe(4_000);
    expect(pragma(db, 'cache_size')).toBe(-32_000);
    // 2: commits survive a power failure; 1: a killed process.
    expect(pragma(db, 'synchronous')).toBe(2);
    const other = open({ durability: 'process', waits: false, cacheKb: 500 });
    expect(pragma(other, 'synchronous')).toBe(1);
    expect(pragma(other, 'busy_timeout')).toBe(0);
    expect(pragma(other, 'cache_size')).toBe(-500);
  });

  test('that needs no migration is opened while another process writes', () => {
    const other = open();
    other.run('BEGIN IMMEDIATE');
    expect(pragma(open(), 'user_version')).toBe(newest);
  });

  test('gets missing migrations, each once', () => {
    open({ migrations: migrations.slice(0, 1) }).run('INSERT INTO parent VALUES (7)');
    const db = open();
    expect(pragma(db, 'user_version')).toBe(newest);
    expect(db.query('SELECT id FROM parent').all()).toEqual([{ id: 7 }]);
    expect(db.query('SELECT parent_id FROM child').all()).toEqual([]);
    open();
  });

  test('of a newer version is left unchanged', () => {
    open();
    expect(() => open({ migrations: migrations.slice(0, 1) })).toThrow(
      `made by a newer version of Brickmark (schema ${newest}; this version has ${firstVersion})`,
    );
    expect(pragma(open(), 'user_version')).toBe(newest);
  });

  test.each([1, 2, 107, 199])('of an earlier build with schema %d is left unchanged', (version) => {
    const earlier = new Database(path, { create: true });
    earlier.run('CREATE TABLE lot (id INTEGER PRIMARY KEY)');
    earlier.run(`PRAGMA user_version = ${version}`);
    expect(() => open()).toThrow(OtherBuildError);
    expect(() => open()).toThrow(
      'The store was made by a build before 1.0.0 and cannot be opened: with that build, ' +
        "run 'brickmark export collection' and 'brickmark export sales' for each account, then " +
        'import these files and your source files into an empty store here.',
    );
    expect(earlier.query('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'lot' }]);
    expect(earlier.query('PRAGMA user_version').get()).toEqual({ user_version: version });
    earlier.close();
  });

  test('with another schema under a version that we know is left unchanged', () => {
    open().close();
    const other = new Database(path);
    other.run('ALTER TABLE child ADD COLUMN scopes text');
    for (const onlyReads of [false, true]) {
      expect(() => open({ onlyReads })).toThrow(
        "The schema of the store is not as Brickmark made it: the table 'child' was changed. " +
          'Undo this change, or restore a backup.',
      );
    }
    other.run('ALTER TABLE child DROP COLUMN scopes');
    open();
    other.close();
  });

  test('is compared with what its own version must be before it is migrated', () => {
    open({ migrations: migrations.slice(0, 1) }).close();
    const other = new Database(path);
    other.run('CREATE TABLE child (other)');
    expect(() => open()).toThrow("it has the table 'child', which Brickmark did not create");
    expect(other.query('PRAGMA user_version').get()).toEqual({ user_version: firstVersion });
    other.close();
  });

  test('opened by several processes at once is migrated by one of them', async () => {
    const counted = [...migrations, 'CREATE TABLE run (n)', 'INSERT INTO run VALUES (1)'];
    const program = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dir, 'database.ts'))};
      const options = { durability: 'process', migrations: ${JSON.stringify(counted)} };
      openDatabase(${JSON.stringify(path)}, options).close();`;
    const start = () => Bun.spawn([process.execPath, '-e', program], { stderr: 'inherit' }).exited;
    expect(await Promise.all([start(), start(), start(), start()])).toEqual([0, 0, 0, 0]);
    const db = open({ migrations: counted });
    expect(db.query('SELECT n FROM run').all()).toEqual([{ n: 1 }]);
  });

  test('with a failed migration keeps the version before it', () => {
    open();
    const failing = [...migrations, 'CREATE TABLE more (n)', 'CREATE TABLE last (n); no'];
    expect(() => open({ migrations: failing })).toThrow();
    const mended = open({ migrations: failing.slice(0, -1), onlyReads: true });
    expect(pragma(mended, 'user_version')).toBe(newest + 1);
    expect(mended.query("SELECT 1 FROM sqlite_schema WHERE name = 'last'").get()).toBeNull();
  });

  test('gets a column filled in slices; a fill that was interrupted goes on', () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => 2 * index + 1);
    open().query('INSERT INTO parent SELECT value FROM json_each(?)').run(JSON.stringify(ids));
    const column = 'ALTER TABLE parent ADD COLUMN twice INTEGER CHECK (twice < 4600)';
    const fill: Fill = {
      file: 'market.db',
      table: 'published.parent',
      by: 'id',
      set: 'twice = 2 * id',
      where: 'twice IS NULL',
    };
    const filled = 'SELECT count(twice) AS n FROM parent WHERE twice = 2 * id';
    expect(() => open({ migrations: [...migrations, column, fill] })).toThrow('CHECK');
    const stopped = open({ migrations: [...migrations, column], onlyReads: true });
    stopped.run('UPDATE parent SET twice = 7 WHERE id = 4999');
    expect(stopped.query(filled).get()).toEqual({ n: 1_000 });
    const mended: Fill = { ...fill, set: 'twice = min(2 * id, 4598)' };
    const counts: number[] = [];
    const onFilled = (rows: number) => counts.push(rows);
    const db = open({ migrations: [...migrations, column, mended], onFilled });
    expect(counts).toEqual([1_000, 1_499, 1_499]);
    expect(db.query('SELECT twice FROM parent WHERE id = 4999').get()).toEqual({ twice: 7 });
    expect(pragma(db, 'user_version')).toBe(newest + 2);
    expect(db.query('SELECT count(*) AS n FROM parent WHERE twice IS NULL').get()).toEqual({
      n: 0,
    });
  });

  test('prepares a statement once, and leaves no WAL when it is closed', () => {
    const db = openDatabase(path, { durability: 'power', migrations });
    const sql = 'SELECT id FROM parent';
    expect(db.prepared(sql)).toBe(db.prepared(sql));
    db.prepared(sql).all();
    db.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});

describe('a transaction', () => {
  test('is atomic, and rethrows the error', () => {
    const db = open();
    const add = (id: number) => db.query('INSERT INTO parent VALUES (?)').run(id);
    expect(inTransaction(db, () => add(1).changes)).toBe(1);
    const failing = () =>
      inTransaction(db, () => {
        add(2);
        throw new Error('undone');
      });
    expect(failing).toThrow('undone');
    expect(db.inTransaction).toBe(false);
    expect(db.query('SELECT id FROM parent').all()).toEqual([{ id: 1 }]);
    expect(() => inTransaction(db, () => db.run('INSERT INTO child VALUES (9)'))).toThrow(
      'FOREIGN',
    );
  });

  test('fails with StoreBusyError while another process writes', () => {
    const [db, other] = [open({ waits: false }), open({ waits: false })];
    inTransaction(other, () => {
      expect(() => inTransaction(db, () => {})).toThrow(StoreBusyError);
      // Reads still see the previous state.
      expect(inSnapshot(db, () => db.query('SELECT id FROM parent').all())).toEqual([]);
    });
    inTransaction(db, () => {});
  });

  test('that cannot start for another reason throws that error', () => {
    const db = open();
    expect(() => inTransaction(db, () => inTransaction(db, () => {}))).toThrow(
      /within a transaction/,
    );
  });

  test('that only reads has one snapshot', () => {
    const [db, other] = [open(), open()];
    inSnapshot(db, () => {
      const count = () => db.query('SELECT count(*) AS n FROM parent').get();
      expect(count()).toEqual({ n: 0 });
      other.run('INSERT INTO parent VALUES (1)');
      expect(count()).toEqual({ n: 0 });
    });
  });
});
