/** A database of an earlier version is brought up to date with everything that is in it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { databaseOf, isPostgres, openDatabase } from '../../../test/support/engines.ts';
import {
  anyOldClaims,
  type OldClaims,
  oldClaimsSql,
  ownersOf,
} from '../../../test/support/old-claims.ts';
import { expectPlacedKeys, hashOf, oldKeysSql } from '../../../test/support/old-keys.ts';
import { expectTakeCosts, oldTakesSql } from '../../../test/support/old-takes.ts';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { publishSettings } from '../../../test/support/publish-settings.ts';
import { makePublisher } from '../../publish/publisher.ts';
import { SchemaError } from '../sql/schema-error.ts';
import { type Client, type Connection, openClient } from './client.ts';
import { findVersion, migrate, migrations } from './migrations.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** Starts on an empty database of a server; what was made there. */
async function startOn(server: { encoding: string; version: number }): Promise<string[]> {
  const made: string[] = [];
  const connection = {
    query: async (sql: string) =>
      sql.includes('server_encoding')
        ? [server]
        : sql.includes('regclass')
          ? [{ there: false }]
          : [],
    script: async (sql: string) => void made.push(sql),
  } as unknown as Connection;
  const transaction = (work: (tx: Connection) => Promise<unknown>) => work(connection);
  await migrate({ ...connection, transaction } as Client).catch((error) => {
    expect(made).toEqual([]);
    throw error;
  });
  return made;
}

test('a server that is too old, or tells no letters apart, is refused before anything is made', async () => {
  const started = await startOn({ encoding: 'UTF8', version: 150_000 });
  expect(started.filter((sql) => migrations.includes(sql))).toEqual([...migrations]);
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

  /** Makes the database what a version of its schema left. */
  async function oldVersion(version: number, fill: string): Promise<void> {
    const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
    await client.script('DROP SCHEMA published, source, private CASCADE');
    for (const sql of migrations.slice(0, version)) await client.script(sql);
    await client.script(
      `CREATE TABLE published.migration
         (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
       INSERT INTO published.migration SELECT generate_series(1, ${version})`,
    );
    await client.script(fill);
    await migrate(client);
    await client.close();
  }

  test('nodes that start at once bring a database up to date once, and all go on', async () => {
    const open = () => openClient(url, { max: 1, statementMs: 0, name: 'test' });
    const nodes = [open(), open(), open()];
    const [first] = nodes;
    await first?.script('DROP SCHEMA published, source, private CASCADE');
    await Promise.all(nodes.map(migrate));
    const applied = await first?.query('SELECT version FROM published.migration');
    expect(applied).toHaveLength(migrations.length);
    for (const node of nodes) await node.close();
  });

  test('a newer schema is refused, and whoever may not change an older one is told who may', async () => {
    const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
    await migrate(client);
    const newer = migrations.length + 1;
    await client.run('INSERT INTO published.migration (version) VALUES ($1)', [newer]);
    await expect(migrate(client)).rejects.toThrow(SchemaError);
    await client.run('DELETE FROM published.migration WHERE version >= $1', [newer - 1]);
    await client.script('SET ROLE pg_read_all_data');
    await expect(migrate(client)).rejects.toThrow('this role may not change it');
    await client.script('RESET ROLE');
    expect(await findVersion(client)).toBe(newer - 2);
    await client.run('INSERT INTO published.migration (version) VALUES ($1)', [newer - 1]);
    await migrate(client);
    await client.close();
  });

  test('aliases get items, and minifigs that are one are published as one', async () => {
    const record = (number: string, aliases: readonly string[]) =>
      JSON.stringify(aMinifig({ number, aliases }));
    const item = (id: number, number: string, kind = 'minifig') =>
      `INSERT INTO published.item
         VALUES (${id}, '${kind}', '${number}', '${number}', 3, 3, ${now + 1e9});`;
    await oldVersion(
      1,
      `${item(1, 'fig-1')} ${item(2, 'cst001')} ${item(3, 'x')} ${item(4, 'y')}
       ${item(5, '10482', 'set')}
       INSERT INTO source.catalog_record VALUES (1, 'feed', '${record('fig-1', ['old-1'])}'),
         (2, 'feed', '${record('cst001', ['fig-1', 'bl-1'])}'),
         (3, 'feed', '${record('x', ['y'])}'), (4, 'feed', '${record('y', ['x'])}'),
         (5, 'feed', '${JSON.stringify(aSet())}');
       INSERT INTO published.alias VALUES ('old-1', 1, 'feed'), ('fig-1', 2, 'feed'),
         ('bl-1', 2, 'feed'), ('y', 3, 'feed'), ('x', 4, 'feed');
       INSERT INTO source.set_minifig VALUES (5, 'fig-1', 'feed', 'fig-1');
       INSERT INTO published.document VALUES (1, 'minifig', 'fig-1', 1, '{}');`,
    );
    const { market, close } = await openDatabase(url);
    expect(await market.listStale(0, 9)).toEqual([2, 3, 5]);
    expect(await market.listDue(now, 9)).toEqual([2, 3, 5]);
    const settings = { engine: plainEngine, ...publishSettings };
    await makePublisher(market, settings, () => now).publishStale();
    for (const number of ['cst001', 'fig-1', 'bl-1', 'old-1']) {
      expect(await market.findDocument('minifig', number)).toMatchObject({ key: 'cst001' });
    }
    expect(await market.findDocument('minifig', 'y')).toMatchObject({ key: 'x' });
    await close();
  });

  test('sets at retailers and what has a value are due, so that what to pay is told without a command', async () => {
    const before = migrations.findIndex((sql) => sql.includes('CREATE TABLE published.deal ('));
    await oldVersion(
      before,
      `INSERT INTO published.item VALUES (1, 'set', '1', '1', 3, 3, ${now + 1e9}, NULL),
         (2, 'set', '2', '2', 3, 3, ${now + 1e9}, NULL),
         (3, 'set', '3', '3', 3, 3, ${now + 1e9}, NULL), (4, 'minifig', '4', '4', 1, 1, NULL, 3);
       INSERT INTO published.retail (item_id, key, body) VALUES (2, '2', '{}');
       INSERT INTO source.evidence (item_id, body) VALUES (2, '{}'), (3, '{}'), (4, '{}');`,
    );
    const { market, close } = await openDatabase(url);
    expect([await market.listDue(now, 9), await market.listStale(0, 9)]).toEqual([[2, 3], [2]]);
    expect(await market.listDeals(null, 9)).toEqual([]);
    await close();
  });

  test('what sales took gets its part of their cost', async () => {
    const before = migrations.findIndex((sql) => sql.includes('ledger_take ADD COLUMN'));
    await oldVersion(before, oldTakesSql('private.'));
    const store = await openDatabase(url);
    await expectTakeCosts(store);
    await store.close();
  });

  test('keys get places and go on from what they spent today; those that ended keep their past', async () => {
    await oldVersion(5, oldKeysSql('private.', now));
    await expectPlacedKeys(await openDatabase(url), now);
  });

  test('a node of the version before goes on beside the new schema', async () => {
    const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
    // As the version before writes keys and reads what was used.
    const [one, two] = [0xee, 0xef];
    for (const byte of [one, two]) {
      await client.run(
        `INSERT INTO private.api_key (account_id, name, hash, prefix, allowance, created_at)
         VALUES (1, 'Old node', $1::bytea, 'bmk_', 3, $2::bigint)`,
        [hashOf(byte), now],
      );
    }
    const store = await openDatabase(url);
    // They share a place: in one group, what is left goes to both, and no more than that.
    const requests = [one, two, one, two].map((byte) => ({ keyHash: hashOf(byte), cost: 1 }));
    const { admissions } = await store.accounts.admitGroup(requests, now);
    const granted = admissions.filter((admission) => admission?.outcome === 'granted');
    expect(granted.map((admission) => admission?.used).sort()).toEqual([1, 2, 3]);
    const used = await client.query<{ used: number }>(
      `SELECT u.used FROM private.api_key k JOIN private.usage u ON u.key_id = k.id
       WHERE k.name = 'Old node'`,
    );
    expect(used).toEqual([{ used: 3 }]);
    await store.close();
    await client.close();
  });

  test('a number belongs to the minifig that an import would give it to', async () => {
    const tables = {
      item: 'published.item',
      alias: 'published.alias',
      record: 'source.catalog_record',
    };
    const belongs = async (claims: OldClaims) => {
      await oldVersion(1, oldClaimsSql(claims, tables));
      const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
      const owners = await client.query<{ key: string; owner: string }>(
        `SELECT i.key, o.key AS owner FROM published.item i
         JOIN published.item o ON o.id = coalesce(i.part_of, i.id)`,
      );
      await client.close();
      const byKey = Object.fromEntries(owners.map(({ key, owner }) => [key, owner]));
      expect(byKey).toEqual(ownersOf(claims));
    };
    await fc.assert(fc.asyncProperty(anyOldClaims, belongs), { numRuns: 3 });
  });
});
