/** `move`, typed: everything arrives, or nothing does. */
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
import { PostgresServer } from '../support/postgres-server.ts';
import { programCommand } from '../support/program.ts';
import { until } from '../support/until.ts';

interface Moved {
  readonly tables: readonly { table: string; rows: number; sha256: string }[];
  readonly rows: number;
  readonly seconds: number;
}

// What is moved is the embedded store, whichever engine the other suites run on.
describe.skipIf(isPostgres)('move', () => {
  let server: PostgresServer;
  let place: FullPlace;
  let count = 0;
  let migrated: Promise<string> | null = null;

  beforeAll(async () => {
    [server, place] = await Promise.all([PostgresServer.launch(), makeEverything()]);
  }, 180_000);

  afterAll(async () => {
    await place.close();
    await server.remove();
  });

  /** A database without anything in it. */
  async function makeDatabase(): Promise<string> {
    const name = `move_${++count}`;
    await server.query(`CREATE DATABASE ${name}`);
    return name;
  }

  /** One with its tables; others are copied from it, which is faster than making them again. */
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

  /** One with its tables, and something else besides. */
  async function makeMigrated(sql: string): Promise<string> {
    migrated ??= makeTemplate();
    const name = `move_${++count}`;
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${await migrated} STRATEGY file_copy`);
    await onDatabase(name, (client) => client.script(sql));
    return name;
  }

  /** A copy of the store, to be changed. */
  function copyStore(): string {
    const data = join(place.folder, `copy-${++count}`);
    cpSync(place.data, data, { recursive: true });
    return data;
  }

  async function move(database: string, data = place.data): Promise<Moved> {
    return place.json<Moved>(['move', '--to', server.url(database), '--data', data]);
  }

  /** The move fails with a sentence and leaves the target as it was. */
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
    // What has a sentence of its own is not told as the reason of another.
    expect(stderr).not.toMatch(/cannot be \w+: (The database|Nothing was moved)/);
  }

  test('the list of what is moved is what both stores hold, column by column', async () => {
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

  test('every row of every table arrives, and the embedded store stays as it was', async () => {
    const bytes = () =>
      readdirSync(place.data).map((name) => [name, Bun.hash(readFileSync(join(place.data, name)))]);
    const before = bytes();
    const database = await makeDatabase();
    // What SQLite keeps beside a file goes for good when its process does.
    const ran = await place.start(['move', '--to', server.url(database), '--json']);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const moved = JSON.parse(ran.stdout) as Moved;
    expect(bytes()).toEqual(before);
    expect(moved.tables.map(({ table }) => table)).toEqual(movedTables.map((t) => t.target));
    let rows = 0;
    for (const table of movedTables) {
      const here = rowsHere(place.data, table);
      expect([table.name, here.length]).not.toEqual([table.name, 0]);
      expect(await rowsThere(server, database, table)).toEqual(here);
      const told = moved.tables.find((one) => one.table === table.target);
      expect(told).toMatchObject({
        rows: here.length,
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
      });
      rows += here.length;
    }
    expect(moved).toMatchObject({ rows, seconds: expect.any(Number) });
    expect(await move(await makeDatabase())).toMatchObject({ tables: moved.tables });
  });

  test('the database has the same rules afterwards as before', async () => {
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

  test('ids go on after the highest that was ever given', async () => {
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

  test('people read what was moved and what comes next, and never the password', async () => {
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
    ['published.item', "INSERT INTO published.item (kind, key, number) VALUES ('set', '1', '1')"],
    ['published.fx', "INSERT INTO published.fx VALUES ('EUR', '2020-01-01', 1.1)"],
    [
      'private.account',
      `INSERT INTO private.account (email, email_key, plan, is_operator, created_at)
       VALUES ('a', 'a', 'free', false, 0)`,
    ],
  ])('a database with something in %s is refused and stays as it was', async (table, sql) => {
    const database = await makeMigrated(sql);
    await refused(database, [`is not empty: '${table}' has rows`]);
    expect(await countThere(server, database)).toBe(1);
  });

  test('a database that was served without anything in it is taken', async () => {
    const sql = `UPDATE published.meta SET value = 5;
      INSERT INTO published.theme_list VALUES (1, '{"themes":[]}')`;
    const database = await makeMigrated(sql);
    expect((await move(database)).rows).toBeGreaterThan(100);
  });

  test.each([
    ['another price', 'source.sale', 'NEW.price_cents := NEW.price_cents + 1;', 'its rows differ'],
    [
      'another last bit',
      'published.fx',
      'IF NEW.usd_per_unit = 1.1 THEN NEW.usd_per_unit := 1.1000000000000003; END IF;',
      'its rows differ',
    ],
    [
      'a space less',
      'private.brickfolio',
      "NEW.description := rtrim(NEW.description, '.');",
      'its rows differ',
    ],
    ['a row less', 'private.usage', 'NEW := NULL;', 'it has 0 rows'],
    ['a lot less', 'private.ledger_take', 'NEW.lot_id := 99;', 'missing rows'],
  ])('%s is noticed, and nothing stays', async (_, table, change, message) => {
    const database = await makeMigrated(changing(table, change));
    await refused(database, [message, `'${table}'`]);
    expect(await countThere(server, database)).toBe(0);
  });

  test.each([
    ["store (U+0000) in 'name' of the row with item_id 3", "name = CAST(x'610062' AS TEXT)"],
    ["'listing' holds a value that is not of type integer in 'new_cents'", 'new_cents = 1.5'],
    // What is not UTF-8 cannot be read as text without changing it.
    ["'published.listing' does not match after the copy", "name = CAST(x'61ff62' AS TEXT)"],
  ])('%s', async (message, change) => {
    const data = copyStore();
    edit(data, 'market.db', (db) => db.run(`UPDATE listing SET ${change} WHERE item_id = 3`));
    const database = await makeDatabase();
    await refused(database, [message], data);
    expect(await countThere(server, database)).toBe(0);
  });

  /** A move that stands still while accounts are written, until `release`. */
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

  /** Nothing is in it, ids begin at 1, and everything can be moved to it. */
  async function expectUntouched(database: string): Promise<void> {
    expect(await countThere(server, database)).toBe(0);
    const ids = 'SELECT last_value::int AS id FROM published.item_id_seq';
    expect(await server.query<{ id: number }>(ids, database)).toEqual([{ id: 1 }]);
    await server.query('DROP TRIGGER change ON private.account', database);
    await move(database);
  }

  test('killed in the middle, it leaves the database as it was', async () => {
    const { database, child, backends, release } = await startWaiting();
    child.kill('SIGKILL');
    await child.exited;
    await release();
    await until(async () => (await backends()).length === 0);
    await expectUntouched(database);
  });

  test('a server that dies in the middle is told, and has nothing when it is back', async () => {
    const { database, child, release } = await startWaiting();
    await server.crash();
    expect(await child.exited).toBe(1);
    const told = await new Response(child.stderr).text();
    expect(told).toContain("Nothing was moved. 'private.account'");
    await release().catch(() => {});
    await server.start();
    await expectUntouched(database);
  });

  test('a restore that was interrupted is finished first', async () => {
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
    const message = 'The store was made by a build before 0.9.0 and cannot be opened';
    await refused(await makeDatabase(), [message, "run 'brickmark export collection'"], earlier);
  });

  test('a folder without a store is not made one', async () => {
    await refused(await makeDatabase(), ["No store in 'nowhere'"], 'nowhere');
    expect(readdirSync(place.folder)).not.toContain('nowhere');
  });
});
