/** Nodes that start concurrently on an empty database, and workers that share a port. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { migrations } from '../../src/store/postgres/migrations.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { type Served, untilReady } from '../support/cli.ts';
import {
  addKey,
  askForSet,
  type Cluster,
  callUntil,
  joinCluster,
  makeCluster,
} from '../support/nodes.ts';
import { freePort } from '../support/ports.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { childrenOf, commandLine } from '../support/processes.ts';
import { until } from '../support/until.ts';

let server: PostgresServer;
const clusters: Cluster[] = [];

beforeAll(async () => {
  server = await PostgresServer.launch();
});

afterAll(async () => {
  for (const cluster of clusters) await cluster.close();
  await server?.remove();
});

async function newCluster(isEmpty: boolean): Promise<Cluster> {
  const cluster = await makeCluster(server, { isEmpty });
  clusters.push(cluster);
  return cluster;
}

test('four nodes that start on an empty database migrate it once', async () => {
  const cluster = await newCluster(true);
  const nodes = await Promise.all([1, 2, 3, 4].map(() => cluster.node()));
  await Promise.all(nodes.map((node) => untilReady(node)));
  const name = new URL(cluster.database).pathname.slice(1);
  const versions = await server.query('SELECT version FROM published.migration', name);
  expect(versions).toHaveLength(migrations.length);
});

test('a schema of a newer version, or that the role may not change, is not touched', async () => {
  const cluster = await newCluster(true);
  const name = new URL(cluster.database).pathname.slice(1);
  await server.query("CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
  const stranger = new URL(cluster.database);
  [stranger.username, stranger.password] = ['stranger', 'stranger'];
  const asStranger = { env: { BRICKMARK_DATABASE_URL: stranger.href } };
  const refused = await cluster.run(['migrate'], asStranger);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('role that owns') });
  expect(await cluster.run(['migrate'])).toMatchObject({ status: 0 });
  await server.query('INSERT INTO published.migration (version) VALUES (999)', name);
  const newer = await cluster.run(['account', 'list']);
  expect(newer).toMatchObject({ status: 1, stderr: expect.stringContaining('Upgrade Brickmark') });
});

test('a node with a wrong clock cannot serve or take a lease', async () => {
  const cluster = await newCluster(true);
  const shared = { isServing: true, replicaUrl: null, connections: 2 };
  const minutes = 60_000;
  const open = (aheadMs: number) => {
    const clock = { now: () => Date.now() + aheadMs, shiftMs: 0 };
    return openPostgresStore(cluster.database, { ...shared, clock });
  };
  await expect(open(5 * minutes)).rejects.toThrow(/300 seconds ahead of the database/);
  await expect(open(-5 * minutes)).rejects.toThrow(/300 seconds behind/);
  const store = await open(0);
  const at = Date.now();
  const lease = { name: 'upkeep', holder: 'one' };
  expect(await store.market.takeLease({ ...lease, at, until: at + minutes })).toBe(true);
  const later = at + 5 * minutes;
  const wrong = store.market.takeLease({ ...lease, at: later, until: later + minutes });
  await expect(wrong).rejects.toThrow(/Correct one of the clocks/);
  await store.close();
});

test('a database with another encoding is rejected, with a next step', async () => {
  await server.query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
  const cluster = await joinCluster(server.url('latin'), true);
  clusters.push(cluster);
  const refused = await cluster.run(['migrate']);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('--encoding UTF8') });
});

test('workers share a port and an allowance, are restarted when killed, and drain on SIGTERM', async () => {
  const cluster = await newCluster(false);
  const { key } = await addKey(cluster, 1_000_000);
  const port = await freePort();
  const node = await cluster.node({}, ['--workers', '2', '--port', String(port)]);
  // Another child is the delivery process.
  const workers = () =>
    childrenOf(node.pid).filter((pid) => commandLine(pid).includes(' --workers '));
  // A process that is being started has the command line of its parent for a moment.
  await until(() => workers().length === 2);
  const first = workers();
  process.kill(node.pid, 'SIGHUP');
  await until(() => node.errors().includes('Reloaded sources and fees.'));
  expect(workers()).toEqual(first);
  const calls = callUntil(20, (client, round) => askForSet(node, key, client + round));
  await until(() => calls.soFar().granted > 100);
  process.kill(first[0] ?? 0, 'SIGKILL');
  await until(() => workers().some((pid) => !first.includes(pid)));
  await calls.end();
  const ending = callWhileEnding(node, key);
  await Bun.sleep(300);
  const status = await ending.end(() => node.kill('SIGTERM'));
  expect({ status, ...(await ending.result()) }).toEqual({ status: 0, dropped: [] });
  expect(workers()).toEqual([]);
});

/** Clients that call while a node stops: calls that began before must be answered. */
function callWhileEnding(node: Served, key: string) {
  let isEnding = false;
  const dropped: string[] = [];
  const clients = Array.from({ length: 20 }, async (_, client) => {
    for (let round = 0; ; round++) {
      const beganBefore = !isEnding;
      const outcome = await askForSet(node, key, client + round).then(
        async (response) => ((await response.text()).length > 100 ? response.status : 'cut'),
        (error: { code?: string }) => error.code ?? 'unknown',
      );
      if (outcome === 200) continue;
      if (beganBefore && outcome !== 'ConnectionRefused') dropped.push(String(outcome));
      return;
    }
  });
  return {
    end: (ask: () => Promise<number>) => {
      isEnding = true;
      return ask();
    },
    result: async () => {
      await Promise.all(clients);
      return { dropped };
    },
  };
}

test('more than one worker needs PostgreSQL, and a port', async () => {
  const cluster = await newCluster(true);
  const embedded = await cluster.start(['serve', '--workers', '2'], {
    env: { BRICKMARK_DATABASE_URL: '' },
  });
  expect(embedded).toMatchObject({ status: 2, stderr: expect.stringContaining('PostgreSQL') });
  const anyPort = await cluster.start(['serve', '--workers', '2', '--port', '0']);
  expect(anyPort).toMatchObject({ status: 2, stderr: expect.stringContaining('--port') });
});
