/** PgBouncer in transaction mode between the nodes and PostgreSQL. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import {
  addKey,
  askForSet,
  type Cluster,
  callUntil,
  joinCluster,
  usedByKey,
} from '../support/nodes.ts';
import { type Pooler, startPooler } from '../support/pooler.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { describeWith } from '../support/programs.ts';
import { until } from '../support/until.ts';

const poolSize = 3;

/** The settings of a pooler in docs/postgresql.md. */
const known = {
  ignore_startup_parameters: 'statement_timeout, idle_in_transaction_session_timeout',
  default_pool_size: String(poolSize),
};

/** Longer than the charge for a group of calls may take. */
const heldMs = 3_000;

/** Holds all connections that a pooler has to PostgreSQL; returns once it does. */
async function holdPool(url: string): Promise<{ readonly end: Promise<unknown> }> {
  const sql = new SQL({ url, max: poolSize, prepare: false });
  const begun = Array.from({ length: poolSize }, () => Promise.withResolvers<void>());
  const held = begun.map(({ resolve }) =>
    sql.begin(async (tx) => {
      await tx.unsafe('SELECT 1').simple();
      resolve();
      await Bun.sleep(heldMs);
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  return { end: Promise.all(held).then(() => sql.close()) };
}

describeWith('pgbouncer', 'PgBouncer in transaction mode', (program) => {
  let server: PostgresServer;
  const poolers: Pooler[] = [];
  const clusters: Cluster[] = [];
  let cluster: Cluster;

  beforeAll(async () => {
    server = await PostgresServer.launch();
    await server.query('CREATE DATABASE pooled');
    cluster = await join(known, false);
  });

  afterAll(async () => {
    for (const each of clusters) await each.close();
    for (const pooler of poolers) await pooler.close();
    await server?.remove();
  });

  async function join(settings: Readonly<Record<string, string>>, isEmpty: boolean) {
    const pooler = await startPooler(program, server, settings);
    poolers.push(pooler);
    const joined = await joinCluster(pooler.url('pooled'), isEmpty);
    clusters.push(joined);
    return joined;
  }

  test('imports, accounts, keys and two nodes share three connections, and every call is counted', async () => {
    const set = { kind: 'set', set_number: '5', title: 'Shed', theme: 'Huts' };
    // A dry run holds one connection to its end, and rolls everything back.
    await cluster.json(['import', 'feed', '-', '--dry-run'], { stdin: JSON.stringify(set) });
    const { key, key_id } = await addKey(cluster, 1_000_000);
    const nodes = await Promise.all([cluster.node(), cluster.node()]);
    const calls = callUntil(20, (client, round) => {
      const node = nodes[client % nodes.length];
      if (!node) throw new Error('There is no node.');
      return askForSet(node, key, client * 13 + round);
    });
    await until(() => calls.soFar().granted > 500);
    const { statuses, granted, misshapen } = await calls.end();
    expect([...statuses.keys(), ...misshapen]).toEqual([200]);
    expect(granted).toBeGreaterThan(100);
    expect((await usedByKey(cluster)).get(key_id)).toBe(granted);
    expect((await nodes[0]?.get('/set/5', key))?.status).toBe(404);
    await cluster.json(['key', 'revoke', String(key_id)]);
    const after = await Promise.all(nodes.map((node) => askForSet(node, key, 1)));
    expect(after.map(({ status }) => status)).toEqual([401, 401]);
    const [busy] = await server.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = 'pooled'",
    );
    expect(Number(busy?.count)).toBeLessThanOrEqual(poolSize);
  });

  test('calls wait while others use all connections of the pooler, and none fails or is charged twice', async () => {
    const { key, key_id } = await addKey(cluster, 1_000_000);
    const node = await cluster.node();
    const calls = callUntil(20, async (client, round) => {
      await Bun.sleep(20);
      return askForSet(node, key, client * 13 + round);
    });
    await until(() => calls.soFar().granted > 100);
    const { end } = await holdPool(cluster.database);
    const before = calls.soFar().granted;
    await end;
    await until(() => calls.soFar().granted > before + 100);
    const { statuses, granted } = await calls.end();
    expect([...statuses.keys()]).toEqual([200]);
    expect((await usedByKey(cluster)).get(key_id)).toBe(granted);
  });

  test.each([
    [
      'rejects startup parameters',
      {},
      'The connection pooler rejects startup parameters. Set its ignore_startup_parameters ' +
        'to statement_timeout, idle_in_transaction_session_timeout.\n',
    ],
    [
      'has no room for clients',
      { ...known, max_client_conn: '0' },
      'The connection pooler has no connections left. Raise its max_client_conn.\n',
    ],
  ])('a pooler that %s is reported, with the setting to change', async (_, settings, message) => {
    const refused = await join(settings, true);
    for (const words of [
      ['account', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const { status, stdout, stderr } = await refused.start(words);
      expect([status, stdout, stderr]).toEqual([1, '', message]);
    }
  });
});
