/** A node that cannot write to PostgreSQL is not ready, and the check is cheap. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Served } from '../support/cli.ts';
import { addKey, askForSet, type Cluster, makeCluster } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { startStandby } from '../support/postgres-standby.ts';
import { startSwitch } from '../support/switch.ts';
import { until } from '../support/until.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let cluster: Cluster;

beforeAll(async () => {
  primary = await PostgresServer.launch();
  standby = await startStandby(primary, { synchronous: false });
  cluster = await makeCluster(primary);
});

afterAll(async () => {
  await cluster?.close();
  await standby?.remove();
  await primary?.remove();
});

const readiness = async (node: Served) => (await fetch(`${node.url}/readyz`)).status;

const untilReadiness = (node: Served, status: number) =>
  until(async () => (await readiness(node)) === status, `/readyz to answer ${status}`);

test('a node on a standby grants no calls and is not ready, until the standby is promoted', async () => {
  const { key } = await addKey(cluster);
  const address = await startSwitch(primary.port);
  const url = new URL(cluster.database);
  url.port = String(address.port);
  const node = await cluster.node({ BRICKMARK_DATABASE_URL: url.href });
  await untilReadiness(node, 200);
  expect((await askForSet(node, key, 1)).status).toBe(200);
  address.to(standby.port);
  await untilReadiness(node, 503);
  expect((await askForSet(node, key, 1)).status).toBe(500);
  // It can still be read.
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
  await standby.promote();
  await untilReadiness(node, 200);
  expect((await askForSet(node, key, 1)).status).toBe(200);
  await address.close();
});

test('a node is not ready while its database is read-only', async () => {
  const { key } = await addKey(cluster);
  const node = await cluster.node();
  await untilReadiness(node, 200);
  expect((await askForSet(node, key, 1)).status).toBe(200);
  const name = new URL(cluster.database).pathname.slice(1);
  const makeReadOnly = async (value: 'on' | 'off') => {
    await primary.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    // Only new connections get the setting.
    await primary.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  };
  await makeReadOnly('on');
  await untilReadiness(node, 503);
  expect((await askForSet(node, key, 1)).status).toBe(500);
  await makeReadOnly('off');
  await untilReadiness(node, 200);
});

test('/readyz writes one row per second, however often it is called', async () => {
  const node = await cluster.node();
  await untilReadiness(node, 200);
  const name = new URL(cluster.database).pathname.slice(1);
  // Every write has a new transaction ID.
  const newest = async () => {
    const sql = 'SELECT xmin::text::bigint AS id FROM private.heartbeat';
    return (await primary.query<{ id: string }>(sql, name))[0]?.id ?? '';
  };
  const seen = new Set<string>();
  let requests = 0;
  const startedAt = performance.now();
  while (seen.size < 4) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => readiness(node)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    requests += statuses.length;
    seen.add(await newest());
    await Bun.sleep(50);
  }
  // Between the first and the last of them, two were cached for a second each.
  expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  expect(requests).toBeGreaterThan(10 * seen.size);
});
