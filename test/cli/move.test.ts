/** `move`: copies everything or nothing. */
// @runs SQLite (rest): starts PostgreSQL
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { type Client, openClient } from '../../src/store/postgres/client.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { movedTables, numberedTables } from '../../src/store/sql/tables.ts';
import { isPostgres } from '../support/engines.ts';
import type { FullPlace } from '../support/full-place.ts';
import {
  changing,
  countThere,
  edit,
  listedHere,
  listedThere,
  makeEverything,
  reportedHere,
  reportedThere,
  rowsHere,
  rowsThere,
} from '../support/full-tables.ts';
import { partitionScript } from '../support/partitions.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { programCommand } from '../support/program.ts';
import { until } from '../support/until.ts';

interface Moved {
  readonly tables: readonly { table: string; rows: number; sha256: string }[];
  readonly rows: number;
  readonly seconds: number;
}

// `move` copies the embedded store, so these tests run once, on SQLite.
describe.skipIf(isPostgres)('move', () => {
  let server: PostgresServer;
  let place: FullPlace;
  let count = 0;
  let migrated: Promise<string> | null = null;

  beforeAll(async () => {
    [server, place] = await Promise.all([PostgresServer.launch(), makeEverything()]);
  });

  afterAll(async () => {
    await place.close();
    await server.remove();
  });

  async function makeDatabase(): Promise<string> {
    const name = `move_${++count}`;
    await server.query(`CREATE DATABASE ${name}`);
    return name;
  }

  /** A database with tables to copy, which is faster than creating them. */
  async function makeTemplate(): Promise<string> {
    const database = await makeDatabase();
    await onDatabase(database, migrate);
    return database;
  }

  async function onDatabase(name: string, work: (client: Client) => Promise<unknown>) {
    const client = openClient(server.url(name), { max: 1, statementMs: 0, name: 'test' });
    await work(client);
    await client.close();
  }

  /** A database with tables and additional content. */
  async function makeMigrated(sql: string): Promise<string> {
    migrated ??= makeTemplate();
    const name = `move_${++count}`;
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${await migrated} STRATEGY file_copy`);
    await onDatabase(name, (client) => client.script(sql));
    return name;
  }

  function copyStore(): string {
    const data = join(place.folder, `copy-${++count}`);
    cpSync(place.data, data, { recursive: true });
    return data;
  }

  async function move(database: string, data = place.data): Promise<Moved> {
    return place.json<Moved>(['move', '--to', server.url(database), '--data', data]);
  }

  /** The move fails with a sentence and leaves the target unchanged. */
  async function refused(
    database: string,
    messages: readonly string[],
    data = place.data,
  ): Promise<void> {
    const words = ['move', '--to', server.url(database), '--data', data];
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    for (const message of messages) expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('brickmark@');
    // An error with its own sentence is not repeated as the reason of another.
    expect(stderr).not.toMatch(/cannot be \w+: (The database|Nothing was moved)/);
  }

  test('the list of moved columns matches both stores', async () => {
    const database = await makeMigrated('SELECT 1');
    expect(listedHere()).toEqual(reportedHere(place.data));
    expect(listedThere()).toEqual(await reportedThere(server, database));
    const identities = await server.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
       WHERE is_identity = 'YES'`,
      database,
    );
    expect(identities.map(({ name }) => name).sort()).toEqual([...numberedTables].sort());
  });

  test('every row of every table is copied, and the embedded store is unchanged', async () => {
    const bytes = () =>
      readdirSync(place.data).map((name) => [name, Bun.hash(readFileSync(join(place.data, name)))]);
    const before = bytes();
    const database = await makeDatabase();
    // In a child process: SQLite deletes its WAL files only when the process ends.
    const ran = await place.start(['move', '--to', server.url(database), '--json']);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const moved = JSON.parse(ran.stdout) as Moved;
    expect(bytes()).toEqual(before);
    expect(moved.tables.map(({ table }) => table)).toEqual(movedTables.map((t) => t.target));
    let rows = 0;
    for (const table of movedTables) {
      const here = rowsHere(place.data, table);
      expect([table.name, here.length]).not.toEqual([table.name, 0]);
      const there = await rowsThere(server, database, table);
      // The move itself is in the audit log of the target.
      if (table.target === 'private.audit') expect(there.pop()).toContain('store.moved');
      expect(there).toEqual(here);
      const reported = moved.tables.find((one) => one.table === table.target);
      expect(reported).toMatchObject({
        rows: here.length,
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
      });
      rows += here.length;
    }
    expect(moved).toMatchObject({ rows, seconds: expect.any(Number) });
    expect(await move(await makeDatabase())).toMatchObject({ tables: moved.tables });
    const partitioned = await makeMigrated(partitionScript);
    expect(await move(partitioned)).toMatchObject({ tables: moved.tables });
  });

  test('the database has the same constraints as a new one', async () => {
    const database = await makeMigrated('SELECT 1');
    const rules = () =>
      server.query(
        `SELECT conrelid::regclass::text, conname, convalidated, pg_get_constraintdef(oid)
         FROM pg_constraint ORDER BY 1, 2`,
        database,
      );
    const before = await rules();
    await move(database);
    expect(await rules()).toEqual(before);
  });

  test('IDs continue after the highest ever assigned', async () => {
    const database = await makeDatabase();
    await move(database);
    const nextIds = async (name: string) => {
      const sql = `SELECT nextval(pg_get_serial_sequence('${name}', 'id'))::int AS id`;
      const [row] = await server.query<{ id: number }>(sql, database);
      return row?.id;
    };
    // The second account was removed.
    expect(await nextIds('private.account')).toBe(3);
    for (const name of numberedTables) {
      const table = movedTables.find(({ target }) => target === name);
      const [row] = await server.query<{ id: number }>(
        `SELECT max(id)::int AS id FROM ${name}`,
        database,
      );
      expect(table).toBeDefined();
      expect(await nextIds(name)).toBeGreaterThan(row?.id ?? 0);
    }
  });

  test('the output has the copied tables and the next step, but no password', async () => {
    const database = await makeDatabase();
    const env = { BRICKMARK_DATABASE_URL: server.url(database) };
    const { stdout, stderr } = await place.run(['move', '--to', server.url(database)], { env });
    expect(stdout).toMatch(/^table +rows\n/);
    expect(stdout).toMatch(/\nprivate\.account +1\n/);
    expect(stdout).toMatch(new RegExp(`verified: [\\d,]+ rows in ${movedTables.length} tables`));
    expect(stdout).toContain('serve --database');
    expect(`${stdout}${stderr}`).not.toContain(`${new URL(server.url()).password}@`);
  });

  test('a store in use is not moved', async () => {
    const database = await makeDatabase();
    const served = await place.serve();
    await refused(database, ['Stop the server']);
    await served.kill('SIGTERM');
    await move(database);
  });

  test.each([
    [
      'published.item',
      "INSERT INTO published.item (id, kind, key, number) VALUES (1, 'set', '1', '1')",
    ],
    ['published.fx', "INSERT INTO published.fx VALUES ('EUR', '2020-01-01', 1.1, 0)"],
    [
      'private.account',
      `INSERT INTO private.account (email, email_key, plan, created_at)
       VALUES ('a', 'a', 'free', 0)`,
    ],
  ])('a database with rows in %s is rejected and stays unchanged', async (table, sql) => {
    const database = await makeMigrated(sql);
    await refused(database, [`is not empty: '${table}' has rows`]);
    expect(await countThere(server, database)).toBe(1);
  });

  test('a served but empty database is accepted', async () => {
    const sql = `UPDATE published.meta SET value = 5;
      INSERT INTO published.theme_list VALUES (1, '{"themes":[]}')`;
    const database = await makeMigrated(sql);
    expect((await move(database)).rows).toBeGreaterThan(100);
  });

  test.each([
    [
      'a changed price',
      'source.sale',
      'NEW.price_cents := NEW.price_cents + 1;',
      'its rows differ',
    ],
    [
      'a changed last bit of a double',
      'published.fx',
      'IF NEW.usd_per_unit = 1.1 THEN NEW.usd_per_unit := 1.1000000000000003; END IF;',
      'its rows differ',
    ],
    [
      'a missing character',
      'private.brickfolio',
      "NEW.description := rtrim(NEW.description, '.');",
      'its rows differ',
    ],
    ['a missing row', 'private.usage', 'NEW := NULL;', 'it has 0 rows'],
    ['a reference to a missing lot', 'private.ledger_take', 'NEW.lot_id := 99;', 'missing rows'],
  ])('%s is detected, and nothing is copied', async (_, table, change, message) => {
    const database = await makeMigrated(changing(table, change));
    await refused(database, [message, `'${table}'`]);
    expect(await countThere(server, database)).toBe(0);
  });

  test.each([
    [
      "store (U+0000) in 'name' of the row with item_id 3",
      "listing SET name = CAST(x'610062' AS TEXT) WHERE item_id = 3",
    ],
    [
      "'event_state' holds a value that is not of type boolean in 'is_undone'",
      'event_state SET is_undone = 2',
    ],
    // Invalid UTF-8 cannot be read as text unchanged.
    [
      "'published.listing' does not match after the copy",
      "listing SET name = CAST(x'61ff62' AS TEXT) WHERE item_id = 3",
    ],
  ])('copies nothing if a value cannot be copied: %s', async (message, change) => {
    const data = copyStore();
    edit(data, 'market.db', (db) => db.run(`UPDATE ${change}`));
    const database = await makeDatabase();
    await refused(database, [message], data);
    expect(await countThere(server, database)).toBe(0);
  });

  /** A move that blocks while writing accounts, until `release`. */
  async function startWaiting() {
    const database = await makeMigrated(
      changing('private.account', 'PERFORM pg_advisory_lock(7);'),
    );
    const holder = new SQL({ url: server.url(database), max: 1 });
    await holder.unsafe('SELECT pg_advisory_lock(7)');
    const words = ['move', '--to', server.url(database), '--data', place.data];
    const child = Bun.spawn([...(await programCommand()), ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const backends = (condition = '') =>
      server.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'brickmark move' ${condition}`,
        database,
      );
    await until(async () => (await backends("AND wait_event = 'advisory'")).length > 0);
    return { database, child, backends, release: () => holder.close() };
  }

  /** The target is empty, its IDs start at 1, and a move to it works. */
  async function expectUntouched(database: string): Promise<void> {
    expect(await countThere(server, database)).toBe(0);
    const ids = 'SELECT last_value::int AS id FROM private.lot_id_seq';
    expect(await server.query<{ id: number }>(ids, database)).toEqual([{ id: 1 }]);
    await server.query('DROP TRIGGER change ON private.account', database);
    await move(database);
  }

  test('if killed, it leaves the database unchanged', async () => {
    const { database, child, backends, release } = await startWaiting();
    child.kill('SIGKILL');
    await child.exited;
    await release();
    await until(async () => (await backends()).length === 0);
    await expectUntouched(database);
  });

  test('a crash of the database is reported, and nothing is copied', async () => {
    const { database, child, release } = await startWaiting();
    await server.crash();
    expect(await child.exited).toBe(1);
    const errors = await new Response(child.stderr).text();
    expect(errors).toContain("Nothing was moved. 'private.account'");
    await release().catch(() => {});
    await server.start();
    await expectUntouched(database);
  });

  test('an interrupted restore is completed first', async () => {
    const data = copyStore();
    const pending = join(data, 'restore-pending');
    mkdirSync(pending);
    for (const name of ['accounts.db', 'market.db']) cpSync(join(data, name), join(pending, name));
    edit(data, 'accounts.db', (db) => db.run('DELETE FROM account'));
    rmSync(join(data, 'market.db'));
    const { tables } = await move(await makeDatabase(), data);
    expect(tables.find(({ table }) => table === 'private.account')?.rows).toBe(1);
    expect(readdirSync(data)).not.toContain('restore-pending');
  });

  test('a store of an earlier build is not moved', async () => {
    const earlier = copyStore();
    edit(earlier, 'market.db', (db) => db.run('PRAGMA user_version = 20'));
    const message = 'The store was made by a build before 1.0.0 and cannot be opened';
    await refused(await makeDatabase(), [message, "run 'brickmark export collection'"], earlier);
  });

  test('no store is created in an empty folder', async () => {
    await refused(await makeDatabase(), ["No store in 'nowhere'"], 'nowhere');
    expect(readdirSync(place.folder)).not.toContain('nowhere');
  });
});
