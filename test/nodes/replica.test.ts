/** Documents from a replica: at most a second old, while keys and quota stay on the primary. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Served } from '../support/cli.ts';
import { addKey, askForSet, type Cluster, makeCluster, usedByKey } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { startStandby } from '../support/postgres-standby.ts';
import { type Switch, startSwitch } from '../support/switch.ts';
import { until } from '../support/until.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let cluster: Cluster;
let node: Served;
/** Leads to the standby, and counts the bytes from it. */
let way: Switch;

beforeAll(async () => {
  primary = await PostgresServer.launch();
  standby = await startStandby(primary, { synchronous: false });
  cluster = await makeCluster(primary);
  way = await startSwitch(standby.port);
  const replica = new URL(standby.url(new URL(cluster.database).pathname.slice(1)));
  replica.port = String(way.port);
  node = await cluster.node({ BRICKMARK_REPLICA_URL: replica.href });
});

afterAll(async () => {
  await cluster?.close();
  await way?.close();
  await standby?.remove();
  await primary?.remove();
});

const rename = (title: string) =>
  cluster.json(['import', 'feed', '-'], {
    stdin: JSON.stringify({ kind: 'set', set_number: '1000', title, theme: 'Huts' }),
  });

async function titleOf(key: string): Promise<string> {
  const response = await askForSet(node, key, 0);
  const body = (await response.json()) as { data: { title: string } };
  return body.data.title;
}

const untilShown = (key: string, title: string) =>
  until(async () => (await titleOf(key)) === title, `the title ${title}`);

test('a document published on the primary is shown within a moment', async () => {
  const { key } = await addKey(cluster, 100_000);
  for (const title of ['Mill', 'Tower', 'Bridge']) {
    await rename(title);
    await untilShown(key, title);
  }
});

/** Requests sets that are not cached; returns the bytes that came from the replica. */
async function readFresh(key: string, sets: readonly number[]): Promise<number> {
  const before = way.received();
  for (const set of sets) expect((await askForSet(node, key, set)).status).toBe(200);
  return way.received() - before;
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

/** The pause between reads of uncached sets, of which there are a hundred. */
const freshReadMs = 1_500;

/** A document is larger than this, other reads are smaller. */
const documentBytes = 400;

test('documents are read from the replica', async () => {
  const { key } = await addKey(cluster, 100_000);
  expect(await readFresh(key, range(10, 40))).toBeGreaterThan(40 * documentBytes);
});

test('a revoked key is refused at once, even if the replica lags', async () => {
  const { key, key_id } = await addKey(cluster);
  expect((await askForSet(node, key, 0)).status).toBe(200);
  await cluster.json(['key', 'revoke', String(key_id)]);
  expect((await askForSet(node, key, 0)).status).toBe(401);
  expect((await usedByKey(cluster)).get(key_id)).toBe(1);
});

test('a lagging replica is not used, so new data is shown', async () => {
  const { key } = await addKey(cluster, 100_000);
  const name = new URL(cluster.database).pathname.slice(1);
  await standby.query('SELECT pg_wal_replay_pause()', name);
  await rename('Lighthouse');
  await untilShown(key, 'Lighthouse');
  await standby.query('SELECT pg_wal_replay_resume()', name);
});

test('an unavailable replica does not stop the service, and is used again later', async () => {
  const { key } = await addKey(cluster, 100_000);
  await standby.stop('immediate');
  expect(await readFresh(key, range(60, 20))).toBeLessThan(documentBytes);
  await until(() => node.errors().includes('"event":"replica"'));
  await rename('Castle');
  await untilShown(key, 'Castle');
  await standby.start();
  // It is tried again on requests, here for uncached sets.
  let next = 90;
  await until(async () => {
    await Bun.sleep(freshReadMs);
    return (await readFresh(key, [next++])) > documentBytes;
  }, 'the replica to be used again');
});
