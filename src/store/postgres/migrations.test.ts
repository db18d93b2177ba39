/** A database is migrated completely or not at all, and by one node. */
// @runs PostgreSQL, PostgreSQL 17: is about its schema
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import {
  firstVersion,
  newestVersion,
  OtherBuildError,
  type SchemaChange,
  SchemaError,
} from '../sql/schema-version.ts';
import { type Client, type Connection, openClient } from './client.ts';
import { findVersion, migrate, migrations } from './migrations.ts';

/** Starts on an empty database of a server; returns what was created. */
async function startOn(server: { encoding: string; version: number }): Promise<string[]> {
  const made: string[] = [];
  const connection = {
    query: async (sql: string) => (sql.includes('server_encoding') ? [server] : []),
    script: async (sql: string) => void made.push(sql),
    run: async () => 1,
  } as unknown as Connection;
  const transaction = (work: (tx: Connection) => Promise<unknown>) => work(connection);
  await migrate({ ...connection, transaction } as Client).catch((error) => {
    expect(made).toEqual([]);
    throw error;
  });
  return made;
}

test('a server that is too old or has another encoding is rejected before anything is created', async () => {
  const started = await startOn({ encoding: 'UTF8', version: 150_000 });
  expect(started).toEqual([...migrations]);
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

  const later = [...migrations, 'CREATE TABLE source.later (id bigint)'];

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

  test('a failed migration changes nothing', () =>
    onEmpty(async (client) => {
      await migrate(client);
      await expect(migrate(client, [...later, 'no'])).rejects.toThrow();
      expect(await versions(client)).toEqual(versionsUpTo(newest));
      await expect(client.query('SELECT id FROM source.later')).rejects.toThrow();
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
        await expect(migrate(client, migrations, { onlyReads })).rejects.toThrow(OtherBuildError);
        await expect(migrate(client, migrations, { onlyReads })).rejects.toThrow(
          `into an empty store here. (Difference found: the column ${difference}.)`,
        );
      }
      // Nothing is migrated on top of it.
      await expect(migrate(client, later)).rejects.toThrow(OtherBuildError);
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

  test.each([1, 35, 100])('schema %d of an earlier build is rejected', (version) =>
    onEmpty(async (client) => {
      await client.script(
        `CREATE SCHEMA published;
         CREATE TABLE published.migration (version integer PRIMARY KEY);
         INSERT INTO published.migration SELECT generate_series(1, ${version})`,
      );
      await expect(migrate(client)).rejects.toThrow(SchemaError);
      await expect(migrate(client)).rejects.toThrow(
        'The database was made by another build before 1.0.0 and cannot be opened: with that ' +
          "build, run 'brickmark export collection' and 'brickmark export sales' for each " +
          'account, then import these files and your source files into an empty store here.',
      );
      expect(await findVersion(client)).toBe(version);
    }),
  );
});
