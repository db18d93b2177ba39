/** Files of the embedded store: copies, abandoned folders, locks and lost files. */

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreLostError } from '../../kernel/store-errors.ts';
import { scriptsIn } from '../sql/migrations.ts';
import { firstVersion, migrationsUpTo } from '../sql/schema-version.ts';
import { copyDatabase, openExisting, removeAbandoned, syncPath } from './files.ts';
import { seizeStore, shareStore } from './lock.ts';
import { watchOpenFiles } from './open-files.ts';
import { stampReader } from './publish-stamp.ts';
import { accountMigrations, newestSchema } from './schema.ts';
import { findSchemaFault } from './schema-check.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);

test('a copy has the same data, is private, and replaces no file', () => {
  const db = new Database(path('a.db'), { create: true });
  db.run('CREATE TABLE t (n)');
  db.run('INSERT INTO t VALUES (7)');
  copyDatabase(path('a.db'), path('b.db'));
  expect(openExisting(path('b.db')).query('SELECT n FROM t').get()).toEqual({ n: 7 });
  expect(statSync(path('b.db')).mode & 0o777).toBe(0o600);
  expect(() => copyDatabase(path('a.db'), path('b.db'))).toThrow('EEXIST');
  expect(() => openExisting(path('none.db'))).toThrow();
  expect(existsSync(path('none.db'))).toBe(false);
});

test('a synced path is closed again', () => {
  /** File descriptors: the lowest free number is next. */
  const nextNumber = () => {
    const file = openSync(folder, 'r');
    closeSync(file);
    return file;
  };
  const before = nextNumber();
  for (let count = 0; count < 50; count++) syncPath(folder);
  expect(nextNumber() - before).toBeLessThan(50);
});

test('unfinished folders of killed processes are removed, and nothing else', () => {
  const gone = Bun.spawnSync(['true']).pid;
  const names = [
    `.part-${gone}-abc`,
    `.part-${process.pid}-abc`,
    '.part-0-abc',
    '.part-1-abc',
    '.part-x-abc',
    `${gone}-abc`,
    `.part-${gone}`,
  ];
  for (const name of names) mkdirSync(path(name));
  removeAbandoned(folder, '.part-');
  expect(readdirSync(folder).sort()).toEqual(names.slice(1).sort());
});

test('a folder that cannot be removed does not prevent removing others', () => {
  // No process has such an ID.
  const folders = [1, 2].map(() => mkdtempSync(path('.part-99999999-')));
  const tried: string[] = [];
  removeAbandoned(folder, '.part-', (found) => {
    tried.push(found);
    if (tried.length === 1) throw Object.assign(new Error(found), { code: 'EPERM' });
    rmSync(found, { recursive: true });
  });
  expect([...tried].sort()).toEqual([...folders].sort());
  expect(tried.map(existsSync)).toEqual([true, false]);
});

describe('a store', () => {
  test('is shared by many processes, or locked by one exclusively', () => {
    const [one, two] = [shareStore(folder), shareStore(folder)];
    expect(seizeStore(folder, 1)).toBeNull();
    one.release();
    expect(seizeStore(folder, 1)).toBeNull();
    two.release();
    const alone = seizeStore(folder, 1);
    expect(alone).not.toBeNull();
    expect(seizeStore(folder, 1)).toBeNull();
    alone?.release();
    shareStore(folder).release();
  });

  test('with an invalid lock file reports that, not a busy store', () => {
    writeFileSync(path('store.lock'), 'x'.repeat(4_096));
    expect(() => seizeStore(folder, 1)).toThrow('not a database');
  });
});

describe('open files', () => {
  const names = ['accounts.db', 'market.db'].flatMap((name) =>
    ['', '-wal', '-shm'].map((suffix) => name + suffix),
  );

  /** The files of an open store. */
  function open(): () => void {
    for (const name of names) writeFileSync(path(name), '');
    return watchOpenFiles(folder, () => ms);
  }

  let ms = 0;

  /** Makes the last check outdated. */
  const later = () => {
    ms += 50;
  };

  test('are checked again after 50 milliseconds', async () => {
    const check = open();
    check();
    later();
    check();
    rmSync(path('market.db-wal'));
    // The last check is recent.
    ms += 49;
    check();
    ms += 1;
    expect(check).toThrow(StoreLostError);
    expect(check).toThrow('market.db-wal was deleted or moved while it was open');
  });

  test.each(names)('are lost if %s is deleted', (name) => {
    const check = open();
    rmSync(path(name));
    later();
    expect(check).toThrow(`${name} was deleted or moved while it was open`);
  });

  test('are lost if replaced, and valid again when moved back', async () => {
    const check = open();
    renameSync(path('accounts.db'), path('kept'));
    writeFileSync(path('accounts.db'), '');
    later();
    expect(check).toThrow('accounts.db was replaced while it was open');
    renameSync(path('kept'), path('accounts.db'));
    check();
  });
});

test('the stamp is read again after a write of another connection, and 0 if there is none', () => {
  const db = new Database(path('m.db'), { create: true });
  db.run('PRAGMA journal_mode = wal');
  db.run('CREATE TABLE meta (name, value)');
  const other = new Database(path('m.db'));
  const stamp = stampReader(db);
  expect(stamp()).toBe(0);
  other.run("INSERT INTO meta VALUES ('other', 3), ('publish_stamp', 5)");
  expect(stamp()).toBe(5);
  other.run("UPDATE meta SET value = 6 WHERE name = 'publish_stamp'");
  expect([stamp(), stamp()]).toEqual([6, 6]);
});

describe('a schema', () => {
  const newest = newestSchema['accounts.db'];

  /** The fault of a database after changes, or with fewer migrations. */
  function faultOf(changes: readonly string[], version = newest): string | null {
    const db = new Database(':memory:', { strict: true });
    for (const sql of scriptsIn(migrationsUpTo(version, accountMigrations))) db.run(sql);
    db.run(`PRAGMA user_version = ${version}`);
    for (const sql of changes) db.run(sql);
    return findSchemaFault(db, accountMigrations);
  }

  test('of our migrations has no fault, in any version', () => {
    expect(newest).toBe(firstVersion + accountMigrations.length - 1);
    for (let version = firstVersion; version <= newest; version++) {
      expect(faultOf([], version)).toBeNull();
    }
  });

  test('with an added, missing or changed part has a fault', () => {
    expect(faultOf(['CREATE VIEW v AS SELECT 1'])).toBe(
      "it has the view 'v', which Brickmark did not create",
    );
    expect(faultOf(['CREATE TRIGGER t AFTER DELETE ON account BEGIN SELECT 1; END'])).toBe(
      "it has the trigger 't', which Brickmark did not create",
    );
    expect(faultOf(['DROP TABLE heartbeat'])).toBe("the table 'heartbeat' is missing");
    expect(faultOf(['ALTER TABLE account ADD COLUMN more INTEGER'])).toBe(
      "the table 'account' was changed",
    );
  });
});
