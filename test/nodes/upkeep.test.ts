/** Scheduled work on several nodes: one at a time, and another takes over if it dies. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { type Cluster, makeCluster } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

/** Published in slices of four. */
const sets = 120;

let server: PostgresServer;
let cluster: Cluster;
let database: SQL;

beforeAll(async () => {
  server = await PostgresServer.launch();
  cluster = await makeCluster(server, { isEmpty: true });
  const lines = Array.from({ length: sets }, (_, index) =>
    JSON.stringify({
      kind: 'set',
      set_number: String(1000 + index),
      title: `Hut ${index}`,
      theme: 'Huts',
      release_date: '2026-11-16',
    }),
  );
  await cluster.json(['import', 'feed', '-'], { stdin: lines.join('\n') });
  database = new SQL({ url: cluster.database, max: 1 });
});

afterAll(async () => {
  await database?.close();
  await cluster?.close();
  await server?.remove();
});

async function ask<T>(sql: string): Promise<T | undefined> {
  const [row] = await database.unsafe<T[]>(sql);
  return row;
}

/** The number of available sets, which are those published after their release. */
async function released(): Promise<number> {
  const row = await ask<{ n: string }>(
    `SELECT count(*) AS n FROM published.document WHERE body LIKE '%"status_id":2%'`,
  );
  return Number(row?.n);
}

const holder = async () =>
  (await ask<{ holder: string }>("SELECT holder FROM source.market_lease WHERE name = 'upkeep'"))
    ?.holder;

/** Blocks publishing of the set in the middle, until the result is called. */
async function closeGate(): Promise<() => Promise<unknown>> {
  const middle = 'percentile_disc(0.5) WITHIN GROUP (ORDER BY item_id)';
  const row = await ask<{ id: string }>(`SELECT ${middle} AS id FROM published.document`);
  await ask(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'The gate is closed.'; END $$`);
  await ask(`CREATE TRIGGER gate BEFORE INSERT OR UPDATE ON published.document
    FOR EACH ROW WHEN (NEW.item_id = ${row?.id}) EXECUTE FUNCTION refuse()`);
  return () => ask('DROP TRIGGER gate ON published.document');
}

test('a node killed in the middle is replaced, and everything is caught up', async () => {
  expect(await released()).toBe(0);
  const openGate = await closeGate();
  // A day after the import, so that all sets are due.
  const later = { BRICKMARK_NOW: '2026-11-17T08:00:00Z' };
  const first = await cluster.node(later);
  await until(async () => (await released()) > 0);
  const [firstHolder, second] = [await holder(), await cluster.node(later)];
  expect(await holder()).toBe(firstHolder);
  await first.kill('SIGKILL');
  expect(await released()).toBeLessThan(sets);
  await openGate();
  // The lease of a dead node ends after 15 seconds; here, now.
  await ask("UPDATE source.market_lease SET until = 0 WHERE name = 'upkeep'");
  await until(async () => (await released()) === sets);
  expect(await holder()).not.toBe(firstHolder);
  expect(await second.kill('SIGTERM')).toBe(0);
});
