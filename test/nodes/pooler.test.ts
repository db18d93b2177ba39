/** PgBouncer in transaction mode between the nodes and PostgreSQL. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
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

describeWith('pgbouncer', 'PgBouncer in transaction mode', (program) => {
  let server: PostgresServer;
  const poolers: Pooler[] = [];
  const clusters: Cluster[] = [];

  beforeAll(async () => {
    server = await PostgresServer.launch();
    await server.query('CREATE DATABASE pooled');
  });

  afterAll(async () => {
    for (const cluster of clusters) await cluster.close();
    for (const pooler of poolers) await pooler.close();
    await server?.remove();
  });

  async function join(settings: Readonly<Record<string, string>>, isEmpty: boolean) {
    const pooler = await startPooler(program, server, settings);
    poolers.push(pooler);
    const cluster = await joinCluster(pooler.url('pooled'), isEmpty);
    clusters.push(cluster);
    return cluster;
  }

  test('imports, accounts, keys and two nodes share three connections, and every call is counted', async () => {
    const cluster = await join(
      {
        ignore_startup_parameters: 'statement_timeout, idle_in_transaction_session_timeout',
        default_pool_size: '3',
      },
      false,
    );
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
    expect(Number(busy?.count)).toBeLessThanOrEqual(3);
  });

  test('a pooler that rejects startup parameters is reported, with the setting to change', async () => {
    const cluster = await join({}, true);
    for (const words of [
      ['account', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const { status, stdout, stderr } = await cluster.start(words);
      expect([status, stdout, stderr]).toEqual([
        1,
        '',
        'The connection pooler rejects startup parameters. Set its ignore_startup_parameters ' +
          'to statement_timeout, idle_in_transaction_session_timeout.\n',
      ]);
    }
  });
});
