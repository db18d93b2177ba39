/** Two nodes are replaced by the next version, which is made up, while clients call them. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { plusPrefix } from '../../src/contract/limits.ts';
import { firstVersion } from '../../src/store/sql/schema-version.ts';
import { type Served, untilReady } from '../support/cli.ts';
import { madeUpMigrations, nextVersionCommand } from '../support/next-version.ts';
import {
  addKey,
  askForSet,
  type Cluster,
  callUntil,
  clusterSets,
  makeCluster,
} from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { childrenOf } from '../support/processes.ts';
import { until } from '../support/until.ts';

const lots = 30_000;
const clients = 8;

/** More calls to the Plus API than a key may usually make. */
const unlimited = { BRICKMARK_PLUS_RATE: '100000' };

let server: PostgresServer;
let cluster: Cluster;
let key: string;
let keyId: number;

beforeAll(async () => {
  server = await PostgresServer.launch();
  cluster = await makeCluster(server);
  ({ key, key_id: keyId } = await addKey(cluster, 10_000_000));
  await ask(`
    INSERT INTO private.watch_list (id, account_id, name, created_at) VALUES (1, 1, 'Huts', 0);
    INSERT INTO private.brickfolio (id, account_id, name, is_default, created_at)
      VALUES (1, 1, 'Shelf', true, 0);
    INSERT INTO private.lot (account_id, source_id, brickfolio_id, kind, key, number, quantity,
        condition, price_cents, is_estimated, purchase_date, date_basis, status)
      SELECT 1, 'n' || n, 1, 'set', '1000', '1000', 2, 'sealed', n, false, '2026-01-01', 'known',
        'owned' FROM generate_series(1, ${lots}) AS n`);
});

afterAll(async () => {
  await cluster?.close();
  await server?.remove();
});

function ask<Row extends object>(sql: string): Promise<Row[]> {
  return server.query<Row>(sql, new URL(cluster.database).pathname.slice(1));
}

const itemsPath = `${plusPrefix}/watchlists/1/items`;

function callPlus(node: Served, path: string, body?: object): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const init = body ? { method: 'PUT', body: JSON.stringify(body) } : {};
  return fetch(`${node.url}${path}`, { ...init, headers });
}

/** Each client has an item of its own on the list, and reads back the note that it wrote last. */
function makeCalls(nodes: readonly Served[]) {
  const written = new Map<number, string>();
  const wrong: string[] = [];
  const calls = callUntil(clients, async (client, round) => {
    await Bun.sleep(20);
    const node = nodes[(client + round) % nodes.length];
    if (!node) throw new Error('There is no node.');
    const number = String(clusterSets.first + client);
    if (round % 3 === 0) return askForSet(node, key, client * 13 + round);
    if (round % 3 === 1) {
      const note = `${client} ${round}`;
      const body = { target_price_usd: null, note };
      const saved = await callPlus(node, `${itemsPath}/set/${number}`, body);
      if (saved.status === 200) written.set(client, note);
      return saved;
    }
    const listed = await callPlus(node, `${itemsPath}?limit=100`);
    const { data } = (await listed.clone().json()) as { data: { items?: Item[] } };
    const found = data.items?.find((item) => item.number === number);
    if (found?.note !== written.get(client)) wrong.push(`${number}: ${found?.note}`);
    return listed;
  });
  return { calls, written, wrong };
}

interface Item {
  readonly number: string;
  readonly note: string | null;
}

/** Kills the helper processes of nodes, and waits until others have taken their place. */
async function endHelpers(nodes: readonly Served[]): Promise<void> {
  for (const { pid, url } of nodes) {
    const helpers = childrenOf(pid);
    expect(helpers.length).toBeGreaterThan(0);
    for (const each of helpers) process.kill(each, 'SIGKILL');
    await until(() => childrenOf(pid).some((each) => !helpers.includes(each)), 'a new helper');
    await until(async () => (await fetch(`${url}/sign-in`)).ok, 'a page');
  }
}

test('every call is answered and counted, and what either version wrote is there', async () => {
  const next = await nextVersionCommand();
  const nodes = [await cluster.node(unlimited), await cluster.node(unlimited)];
  const { calls, written, wrong } = makeCalls(nodes);
  const more = (count = 200) => {
    const before = calls.soFar().granted;
    return until(() => calls.soFar().granted > before + count);
  };
  await more();
  const migrated = await cluster.start(['migrate'], { program: next });
  expect(migrated).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`to ${firstVersion + madeUpMigrations.length}`),
  });
  await more();
  await endHelpers(nodes);
  const refused = await cluster.start(['account', 'list']);
  expect(refused.stderr).toContain('made by a newer version of Brickmark');
  for (const index of nodes.keys()) {
    const old = nodes[index];
    const replacement = await cluster.node(unlimited, [], next);
    await untilReady(replacement);
    nodes[index] = replacement;
    // Until no call is on its way to the old node, as a proxy does.
    await more();
    expect(await old?.kill('SIGTERM')).toBe(0);
    await more();
  }
  const { statuses, granted, misshapen } = await calls.end();
  expect({ statuses: [...statuses.keys()], misshapen, wrong }).toEqual({
    statuses: [200],
    misshapen: [],
    wrong: [],
  });
  const [usage] = await ask<{ used: number }>(
    `SELECT sum(used)::int AS used FROM private.usage WHERE key_id = ${keyId}`,
  );
  expect(usage?.used).toBe(granted);
  const items = await ask<Item>('SELECT number, remark AS note FROM private.watched_item');
  expect(
    new Map(items.map(({ number, note }) => [Number(number) - clusterSets.first, note])),
  ).toEqual(new Map(written));
  const [filled] = await ask<{ n: number }>(
    'SELECT count(*)::int AS n FROM private.lot WHERE cost_cents = quantity * price_cents',
  );
  expect(filled?.n).toBe(lots);
});
