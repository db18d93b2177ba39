/** Documents from a replica: new within a second, while keys and quota stay on the primary. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Served } from '../support/cli.ts';
import { addKey, askForSet, type Cluster, makeCluster, usedByKey } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { startStandby } from '../support/postgres-standby.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let cluster: Cluster;
let node: Served;

beforeAll(async () => {
  primary = await PostgresServer.launch();
  standby = await startStandby(primary, { synchronous: false });
  cluster = await makeCluster(primary);
  const replica = standby.url(new URL(cluster.database).pathname.slice(1));
  node = await cluster.node({ BRICKMARK_REPLICA_URL: replica });
});

afterAll(async () => {
  await cluster?.close();
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

test('a document that was published on the primary is shown within a second', async () => {
  const { key } = await addKey(cluster, 100_000);
  for (const title of ['Mill', 'Tower', 'Bridge']) {
    await rename(title);
    const until = performance.now() + 1_000;
    let shown = await titleOf(key);
    while (shown !== title && performance.now() < until) {
      await Bun.sleep(10);
      shown = await titleOf(key);
    }
    expect(shown).toBe(title);
  }
});

test('what is read on the replica is read there: the primary sees no document being looked up', async () => {
  const { key } = await addKey(cluster, 100_000);
  const name = new URL(cluster.database).pathname.slice(1);
  const reads = async (server: PostgresServer) => {
    const [row] = await server.query<{ n: string }>(
      `SELECT idx_scan AS n FROM pg_stat_user_indexes WHERE indexrelname = 'document_kind_key_key'`,
      name,
    );
    return Number(row?.n);
  };
  const before = await reads(primary);
  for (let set = 0; set < 50; set++) await askForSet(node, key, set);
  await Bun.sleep(1_200);
  expect(await reads(primary)).toBe(before);
});

test('a revoked key is refused at once, though the replica may not know it yet', async () => {
  const { key, key_id } = await addKey(cluster);
  expect((await askForSet(node, key, 0)).status).toBe(200);
  await cluster.json(['key', 'revoke', String(key_id)]);
  expect((await askForSet(node, key, 0)).status).toBe(401);
  expect((await usedByKey(cluster)).get(key_id)).toBe(1);
});

test('a replica that goes away does not take the service with it', async () => {
  const { key } = await addKey(cluster, 100_000);
  await standby.stop('immediate');
  const until = performance.now() + 10_000;
  for (let good = 0; good < 20; ) {
    const { status } = await askForSet(node, key, 100 + good);
    good = status === 200 ? good + 1 : 0;
    if (performance.now() > until) throw new Error('The node does not answer.');
  }
  await rename('Castle');
  await Bun.sleep(1_000);
  expect(await titleOf(key)).toBe('Castle');
  await standby.start();
});
