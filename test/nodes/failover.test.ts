/** The primary is killed under load, and its synchronous standby takes over. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Served } from '../support/cli.ts';
import {
  addKey,
  askForSet,
  type Cluster,
  callUntil,
  joinCluster,
  usedByKey,
} from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { startStandby } from '../support/postgres-standby.ts';
import { type Switch, startSwitch } from '../support/switch.ts';
import { until } from '../support/until.ts';

const clients = 40;

let primary: PostgresServer;
let standby: PostgresServer;
let address: Switch;
let cluster: Cluster;
let nodes: Served[];

beforeAll(async () => {
  primary = await PostgresServer.launch({ isDurable: true });
  await primary.query('CREATE DATABASE brickmark');
  standby = await startStandby(primary, { synchronous: true });
  address = await startSwitch(primary.port);
  const url = new URL(primary.url('brickmark'));
  url.port = String(address.port);
  cluster = await joinCluster(url.href, false);
  nodes = await Promise.all([cluster.node(), cluster.node()]);
});

afterAll(async () => {
  await cluster?.close();
  await address?.close();
  await standby?.remove();
  await primary?.remove();
});

test('no acknowledged write is lost, no call is charged twice, and nodes recover by themselves', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => addKey(cluster, 1_000_000)));
  const granted = new Map(keys.map(({ key_id }) => [key_id, 0]));
  const asked = new Map(keys.map(({ key_id }) => [key_id, 0]));
  const load = callUntil(clients, async (client, round) => {
    const { key = '', key_id = 0 } = keys[client % keys.length] ?? {};
    asked.set(key_id, (asked.get(key_id) ?? 0) + 1);
    const node = nodes[client % nodes.length] as Served;
    const response = await askForSet(node, key, client * 13 + round);
    if (response.status === 200) granted.set(key_id, (granted.get(key_id) ?? 0) + 1);
    return response;
  });
  await until(() => load.soFar().granted > 200);
  // Acknowledged just before the primary is killed.
  const { key_id: late } = await addKey(cluster, 5);
  const [revoked] = keys;
  await cluster.json(['key', 'revoke', String(revoked?.key_id)]);
  await Bun.sleep(200);
  await primary.crash();
  const before = load.soFar().granted;
  await standby.query('ALTER SYSTEM RESET synchronous_standby_names');
  await standby.promote();
  await standby.query('SELECT pg_reload_conf()');
  address.to(standby.port);
  await until(() => load.soFar().granted >= before + 200);
  const seen = await load.end();
  expect(seen.misshapen).toEqual([]);
  const used = await usedByKey(cluster);
  for (const { key_id } of keys) {
    const [seenCost, counted] = [granted.get(key_id) ?? 0, used.get(key_id) ?? 0];
    expect(counted).toBeGreaterThanOrEqual(seenCost);
    // Only calls in flight when the primary was killed may be charged without a response.
    expect(counted).toBeLessThanOrEqual(seenCost + clients);
    expect(counted).toBeLessThanOrEqual(asked.get(key_id) ?? 0);
  }
  expect(used.has(late)).toBe(true);
  const refused = await Promise.all(nodes.map((node) => askForSet(node, revoked?.key ?? '', 1)));
  expect(refused.map(({ status }) => status)).toEqual([401, 401]);
});
