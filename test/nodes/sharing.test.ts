/** Three nodes on one PostgreSQL: one allowance, immediate revocation, no deadlocks. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { KeyHash } from '../../src/accounts/keys/keys.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import type { Served } from '../support/cli.ts';
import {
  addKey,
  askForSet,
  type Cluster,
  callUntil,
  makeCluster,
  usedByKey,
} from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

let server: PostgresServer;
let cluster: Cluster;
let nodes: Served[];

beforeAll(async () => {
  server = await PostgresServer.launch();
  cluster = await makeCluster(server);
  nodes = await Promise.all([cluster.node(), cluster.node(), cluster.node()]);
});

afterAll(async () => {
  await cluster?.close();
  await server?.remove();
});

const nodeOf = (client: number) => nodes[client % nodes.length] as Served;

test('100 clients of three nodes with one key of 1000 calls are granted exactly 1000', async () => {
  const { key, key_id } = await addKey(cluster);
  let isOver = false;
  let granted = 0;
  await Promise.all(
    Array.from({ length: 100 }, async (_, client) => {
      for (let round = 0; !isOver; round++) {
        const { status } = await askForSet(nodeOf(client + round), key, client * 31 + round);
        if (status === 200) granted++;
        // A busy database may refuse a call, which is then not charged.
        else if (status === 429) isOver = true;
      }
    }),
  );
  expect(granted).toBe(1000);
  expect((await usedByKey(cluster)).get(key_id)).toBe(1000);
});

test('a revoked key is refused by every node once the revocation is acknowledged', async () => {
  const { key, key_id } = await addKey(cluster, 1_000_000);
  const revoked = { isAcknowledged: false };
  let after = 0;
  const wrong: number[] = [];
  const clients = Array.from({ length: 30 }, async (_, client) => {
    for (let calls = 0; calls < 20; ) {
      const startedAfter = revoked.isAcknowledged;
      const { status } = await askForSet(nodeOf(client), key, client);
      if (!startedAfter) continue;
      calls++;
      after++;
      if (status !== 401) wrong.push(status);
    }
  });
  await Bun.sleep(200);
  await cluster.json(['key', 'revoke', String(key_id)]);
  revoked.isAcknowledged = true;
  await Promise.all(clients);
  expect({ after, wrong }).toEqual({ after: 600, wrong: [] });
});

test('of 50 keys requested at once on three connections, five are created', async () => {
  await cluster.json(['account', 'add', 'many@example.com', '--plan', 'reseller']);
  const clock = { now: Date.now, shiftMs: 0 };
  const options = { isServing: true, clock, replicaUrl: null, connections: 8 };
  const stores = await Promise.all(
    [1, 2, 3].map(() => openPostgresStore(cluster.database, options)),
  );
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      stores[index % stores.length]?.accounts.addKey({
        email: 'many@example.com',
        name: `Key ${index}`,
        hash: crypto.getRandomValues(new Uint8Array(32)) as KeyHash,
        prefix: 'bmk_0000',
        allowance: 10,
        expiresAt: null,
        at: 0,
      }),
    ),
  );
  const ids = made.filter((outcome) => typeof outcome === 'object');
  expect(ids).toHaveLength(5);
  expect(made.filter((outcome) => outcome === 'too many active')).toHaveLength(45);
  await Promise.all(stores.map((store) => store.close()));
});

test('nodes that charge the same keys do not deadlock', async () => {
  await cluster.json(['account', 'add', 'circle@example.com', '--plan', 'reseller']);
  const keys = await Promise.all(
    Array.from({ length: 5 }, () =>
      cluster.json<{ key: string; key_id: number }>([
        'key',
        'add',
        'circle@example.com',
        '--allowance',
        '1000000',
      ]),
    ),
  );
  const calls = callUntil(60, (client, round) => {
    const { key = '' } = keys[(client * 7 + round * 3) % keys.length] ?? {};
    return askForSet(nodeOf(client), key, client + round);
  });
  await until(() => calls.soFar().granted > 2_000);
  const { granted, failed, misshapen } = await calls.end();
  expect({ failed, misshapen }).toEqual({ failed: 0, misshapen: [] });
  expect(granted).toBeGreaterThan(100);
  const { keys: listed } = await cluster.json<{ keys: { used_today: number }[] }>([
    'key',
    'list',
    'circle@example.com',
  ]);
  expect(listed.reduce((sum, key) => sum + key.used_today, 0)).toBe(granted);
  const [database] = await server.query<{ deadlocks: string }>(
    'SELECT sum(deadlocks) AS deadlocks FROM pg_stat_database',
  );
  expect(Number(database?.deadlocks)).toBe(0);
});
