/** PostgreSQL stops under load and returns: no call is granted without being counted. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
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

const clients = 20;

/** Between the calls of a client; longer after an error. */
const pauseMs = 20;
const faultPauseMs = 100;

/** Requests that the first batches of both nodes may contain, at one every 20 ms. */
const onTheirWay = 8;

let server: PostgresServer;
let cluster: Cluster;
let nodes: Served[];

beforeAll(async () => {
  server = await PostgresServer.launch({ isDurable: true });
  cluster = await makeCluster(server);
  nodes = await Promise.all([cluster.node(), cluster.node()]);
});

afterAll(async () => {
  await cluster?.close();
  await server?.remove();
});

const nodeOf = (client: number) => nodes[client % nodes.length] as Served;

async function untilServed(key: string): Promise<void> {
  for (const node of nodes) {
    await until(async () => (await askForSet(node, key, 0)).status === 200);
  }
}

/** The counts once no call has been granted for a while. */
async function untilNoneIsGranted(load: ReturnType<typeof callUntil>) {
  await until(async () => {
    const { granted } = load.soFar();
    await Bun.sleep(300);
    return load.soFar().granted === granted;
  }, 'no more calls to be granted');
  return load.soFar();
}

test.each(['fast', 'immediate', 'crash'] as const)(
  'after a stop (%s) nodes recover by themselves, and the count is what clients saw',
  async (how) => {
    const { key, key_id } = await addKey(cluster, 1_000_000);
    const { key: probe } = await addKey(cluster, 1_000_000);
    const load = callUntil(clients, async (client, round) => {
      await Bun.sleep(pauseMs);
      const answer = await askForSet(nodeOf(client), key, client * 13 + round);
      if (answer.status === 500) await Bun.sleep(faultPauseMs);
      return answer;
    });
    await until(() => load.soFar().granted > 200);
    await (how === 'crash' ? server.crash() : server.stop(how));
    // Without counting no call is granted, not even from the cache.
    const away = await untilNoneIsGranted(load);
    const ready = await fetch(`${nodeOf(0).url}/readyz`);
    expect(ready.status).toBe(503);
    await server.start();
    await untilServed(probe);
    await until(() => load.soFar().granted > away.granted + 200);
    const seen = await load.end();
    expect(seen.misshapen).toEqual([]);
    expect(seen.granted).toBeGreaterThan(away.granted);
    expect([...seen.statuses.keys()].sort()).toEqual([200, 500]);
    const used = (await usedByKey(cluster)).get(key_id) ?? 0;
    // A call with a commit in progress may be counted although its client got an error.
    expect(used).toBeGreaterThanOrEqual(seen.granted);
    expect(used).toBeLessThanOrEqual(seen.granted + clients);
    for (const id of (await usedByKey(cluster)).keys()) {
      await cluster.json(['key', 'revoke', String(id)]);
    }
  },
);

test('a paused PostgreSQL blocks requests only briefly, and nodes recover once it resumes', async () => {
  const { key, key_id } = await addKey(cluster, 1_000_000);
  await untilServed(key);
  const before = (await usedByKey(cluster)).get(key_id) ?? 0;
  server.pause();
  // Each node has one batch in progress; the others wait and are never sent.
  const pendingCalls = Array.from({ length: clients }, async (_, client) => {
    await Bun.sleep(client * 20);
    return askForSet(nodeOf(client), key, client);
  });
  const pages = ['/scorecard', '/search?q=hut', '/sets/1000', '/themes', '/readyz'];
  const shown = pages.map((path) => fetch(nodeOf(0).url + path));
  // It stays paused until all are answered.
  const answers = await Promise.all([...pendingCalls, ...shown]);
  server.resume();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500, 503]));
  await untilServed(key);
  await Bun.sleep(500);
  const used = (await usedByKey(cluster)).get(key_id) ?? 0;
  // The two later calls, and at most those in flight when it was paused.
  expect(used - before).toBeGreaterThanOrEqual(2);
  expect(used - before).toBeLessThanOrEqual(2 + onTheirWay);
});
