/** A database is migrated completely or not at all, and by one node. */
// @runs PostgreSQL, PostgreSQL 17: is about its schema
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import { until } from '../../../test/support/until.ts';
import type { Fill } from '../sql/migrations.ts';
import {
  firstVersion,
  newestVersion,
  type SchemaChange,
  SchemaError,
} from '../sql/schema-version.ts';
import { type Client, type Connection, openClient } from './client.ts';
import { findVersion, migrate, migrations } from './migrations.ts';
import { applyRoles } from './roles.ts';

/** Starts on an empty database of a server; returns what was created. */
async function startOn(server: { encoding: string; version: number }): Promise<string[]> {
  const made: string[] = [];
  let version = 0;
  const connection = {
    query: async (sql: string) => {
      if (sql.includes('server_encoding')) return [server];
      return version > 0 ? [{ version }] : [];
    },
    script: async (sql: string) => void made.push(sql),
    run: async (_: string, [given]: readonly number[] = []) => {
      version = given ?? version;
      return 1;
    },
  } as unknown as Connection;
  const transaction = (work: (tx: Connection) => Promise<unknown>) => work(connection);
  await migrate({ ...connection, transaction, snapshot: transaction } as Client).catch((error) => {
    expect(made).toEqual([]);
    throw error;
  });
  return made;
}

test('a server that is too old or has another encoding is rejected before anything is created', async () => {
  const started = await startOn({ encoding: 'UTF8', version: 150_000 });
  expect(started).toEqual(migrations.filter((step) => typeof step === 'string'));
  const old = startOn({ encoding: 'UTF8', version: 149_999 });
  await expect(old).rejects.toThrow('Brickmark needs PostgreSQL 15 or newer.');
  const ascii = startOn({ encoding: 'SQL_ASCII', version: 150_000 });
  await expect(ascii).rejects.toThrow('createdb --encoding UTF8');
});

describe.skipIf(!isPostgres)('PostgreSQL', () => {
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-migrations-'));
    url = (await databaseOf(folder)) ?? '';
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const open = () => openClient(url, { max: 1, statementMs: 0, name: 'test' });

  async function onEmpty(work: (client: Client) => Promise<void>): Promise<void> {
    const client = open();
    try {
      await client.script('DROP SCHEMA IF EXISTS published, source, private CASCADE');
      await work(client);
    } finally {
      await client.close();
    }
  }

  const newest = newestVersion(migrations);

  const versionsUpTo = (last: number) =>
    Array.from({ length: last - firstVersion + 1 }, (_, index) => ({
      version: firstVersion + index,
    }));

  const versions = (client: Client) =>
    client.query('SELECT version FROM published.migration ORDER BY version');

  test('nodes that start at once migrate a database once, and all of them start', () =>
    onEmpty(async (client) => {
      const nodes = [open(), open(), open()];
      await Promise.all(nodes.map((node) => migrate(node)));
      expect(await versions(client)).toEqual(versionsUpTo(newest));
      for (const node of nodes) await node.close();
    }));

  test('a transaction sees the version that another node has committed since it began', () =>
    onEmpty(async (client) => {
      const other = open();
      const found = await client.transaction(async (tx) => {
        const before = await findVersion(tx);
        // A few catalog changes: many would make PostgreSQL update the caches of all sessions.
        await other.script(
          'CREATE SCHEMA published; CREATE TABLE published.migration (version integer); ' +
            'INSERT INTO published.migration VALUES (100)',
        );
        return [before, await findVersion(tx)];
      });
      expect(found).toEqual([0, 100]);
      await other.close();
    }));

  const later = [...migrations, 'CREATE TABLE source.later (id bigint, twice bigint)'];
  const fill: Fill = {
    file: 'market.db',
    table: 'source.later',
    by: 'id',
    set: 'twice = 2 * id',
    where: 'twice IS NULL',
  };

  test('a database gets missing migrations, each once', () =>
    onEmpty(async (client) => {
      await migrate(client);
      await migrate(client, later);
      await migrate(client, later);
      expect(await versions(client)).toEqual(versionsUpTo(newest + 1));
      expect(await client.query('SELECT id FROM source.later')).toEqual([]);
    }));

  test('a command that only reads leaves the schema as it is; others are told the change', () =>
    onEmpty(async (client) => {
      await migrate(client);
      const reading = migrate(client, later, { onlyReads: true });
      await expect(reading).rejects.toThrow(
        `The database has schema ${newest}; this version of Brickmark needs ${newest + 1}.`,
      );
      expect(await findVersion(client)).toBe(newest);
      const changes: SchemaChange[] = [];
      const onMigrated = (change: SchemaChange) => changes.push(change);
      await migrate(client, later, { onMigrated });
      await migrate(client, later, { onMigrated, onlyReads: true });
      expect(changes).toEqual([{ store: 'database', from: newest, to: newest + 1 }]);
    }));

  test('a failed migration keeps the version before it', () =>
    onEmpty(async (client) => {
      await migrate(client);
      const failing = [...later, 'CREATE TABLE source.last (id bigint); no'];
      await expect(migrate(client, failing)).rejects.toThrow();
      expect(await versions(client)).toEqual(versionsUpTo(newest + 1));
      await expect(client.query('SELECT id FROM source.last')).rejects.toThrow();
    }));

  test('rows are filled in slices; a fill that was interrupted goes on', () =>
    onEmpty(async (client) => {
      await migrate(client, later);
      await client.script(
        `INSERT INTO source.later SELECT 2 * n - 1 FROM generate_series(1, 2500) AS n;
         ALTER TABLE source.later ADD CONSTRAINT small CHECK (twice < 4600)`,
      );
      await expect(migrate(client, [...later, fill])).rejects.toThrow('small');
      const filled = () =>
        client.query('SELECT count(twice) AS n FROM source.later WHERE twice = 2 * id');
      expect(await filled()).toEqual([{ n: 1_000 }]);
      await client.script(
        `ALTER TABLE source.later DROP CONSTRAINT small;
         UPDATE source.later SET twice = 7 WHERE id = 4999`,
      );
      const counts: number[] = [];
      await migrate(client, [...later, fill], { onFilled: (rows) => counts.push(rows) });
      expect(counts).toEqual([1_000, 1_499, 1_499]);
      // A value that was there already stays.
      expect(await filled()).toEqual([{ n: 2_499 }]);
      expect(await findVersion(client)).toBe(newest + 2);
    }));

  test('a migration lets others use a table for which it waits', () =>
    onEmpty(async (client) => {
      await migrate(client);
      const [busy, node, other] = [open(), open(), open()];
      const held = Promise.withResolvers<void>();
      const began = Promise.withResolvers<void>();
      const reading = busy.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM source.sale');
        began.resolve();
        await held.promise;
      });
      await began.promise;
      const changing = migrate(node, [...migrations, 'ALTER TABLE source.sale ADD more text']);
      const waits = () =>
        client.query("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'");
      await until(async () => (await waits()).length === 1);
      expect(await other.query('SELECT 1 FROM source.sale')).toEqual([]);
      held.resolve();
      await Promise.all([reading, changing]);
      expect(await findVersion(client)).toBe(newest + 1);
      for (const each of [busy, node, other]) await each.close();
    }));

  test('a newer schema is rejected', () =>
    onEmpty(async (client) => {
      await migrate(client, later);
      await expect(migrate(client)).rejects.toThrow(SchemaError);
      await expect(migrate(client)).rejects.toThrow(
        `by a newer version of Brickmark (schema ${newest + 1}; this version has ${newest})`,
      );
    }));

  test.each([
    ['ALTER TABLE private.api_key DROP COLUMN scopes', 'private.api_key.scopes is missing'],
    ['ALTER TABLE private.account ADD COLUMN more text', 'private.account.more is not known here'],
    ['DROP TABLE source.parted_minifig', 'source.parted_minifig.key is missing'],
  ])('another schema under a version that we know is rejected: %s', (change, difference) =>
    onEmpty(async (client) => {
      await migrate(client);
      await client.script(change);
      for (const onlyReads of [false, true]) {
        await expect(migrate(client, migrations, { onlyReads })).rejects.toThrow(
          `The schema of the database is not as Brickmark made it: the column ${difference}.`,
        );
      }
      // Nothing is migrated on top of it.
      await expect(migrate(client, later)).rejects.toThrow(SchemaError);
      expect(await findVersion(client)).toBe(newest);
    }),
  );

  test('a role without the privilege gets a message with the role to use', () =>
    onEmpty(async (client) => {
      await migrate(client);
      await client.script('SET ROLE pg_read_all_data');
      await migrate(client);
      await expect(migrate(client, later)).rejects.toThrow('this role may not change it');
      await client.script('RESET ROLE');
      expect(await findVersion(client)).toBe(newest);
    }));

  test.each([1, 35, 107, 199])('schema %d of an earlier build is rejected', (version) =>
    onEmpty(async (client) => {
      await client.script(
        `CREATE SCHEMA published;
         CREATE TABLE published.migration (version integer PRIMARY KEY);
         INSERT INTO published.migration SELECT generate_series(1, ${version})`,
      );
      await expect(migrate(client)).rejects.toThrow(SchemaError);
      await expect(migrate(client)).rejects.toThrow(
        'The database was made by a build before 1.0.0 and cannot be opened: with that ' +
          "build, run 'brickmark export collection' and 'brickmark export sales' for each " +
          'account, then import these files and your source files into an empty store here.',
      );
      expect(await findVersion(client)).toBe(version);
    }),
  );

  test('a database of an earlier build gets no roles', () =>
    onEmpty(async (client) => {
      await client.script(
        `CREATE SCHEMA published; CREATE SCHEMA source; CREATE SCHEMA private;
         CREATE TABLE published.migration AS SELECT 100 AS version`,
      );
      const prefix = 'earlier_build';
      await expect(applyRoles(url, { prefix, passwords: {} })).rejects.toThrow(SchemaError);
      const named = `SELECT 1 FROM pg_roles WHERE rolname LIKE '${prefix}%'`;
      expect(await client.query(named)).toEqual([]);
    }));
});
