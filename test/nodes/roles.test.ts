/** Roles may do what they need and nothing else; PostgreSQL itself refuses the rest. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { addKey, askForSet, type Cluster, makeCluster } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';

const schemas = ['published', 'source', 'private'] as const;

let server: PostgresServer;
let cluster: Cluster;

beforeAll(async () => {
  server = await PostgresServer.launch();
  cluster = await makeCluster(server);
  const { sql } = await cluster.json<{ sql: string }>(['roles']);
  const owner = new SQL({ url: cluster.database, max: 1 });
  await owner.unsafe(sql).simple();
  // It may be run again.
  await owner.unsafe(sql).simple();
  for (const role of ['api', 'market', 'reader']) {
    await owner.unsafe(`ALTER ROLE brickmark_${role} PASSWORD '${role}'`);
  }
  // What a later version adds has the same rights.
  for (const schema of schemas) {
    await owner.unsafe(`CREATE TABLE ${schema}.later (id bigint PRIMARY KEY)`);
  }
  await owner.close();
});

afterAll(async () => {
  await cluster?.close();
  await server?.remove();
});

function addressOf(role: string): string {
  const url = new URL(cluster.database);
  url.username = `brickmark_${role}`;
  url.password = role;
  return url.href;
}

/** The tables of a schema that a role may read, and those that it may write. */
async function rightsOf(role: string, schema: string) {
  const owner = new SQL({ url: cluster.database, max: 1 });
  const rows: { name: string; reads: boolean; writes: boolean }[] = await owner.unsafe(
    `SELECT tablename AS name,
       has_schema_privilege($1, $2, 'USAGE') AND has_table_privilege($1, t, 'SELECT') AS reads,
       has_schema_privilege($1, $2, 'USAGE')
         AND has_table_privilege($1, t, 'INSERT, UPDATE, DELETE, TRUNCATE') AS writes
     FROM pg_tables, LATERAL format('%I.%I', schemaname, tablename) AS t
     WHERE schemaname = $2 ORDER BY tablename`,
    [`brickmark_${role}`, schema],
  );
  await owner.close();
  const names = (of: 'reads' | 'writes') => rows.filter((row) => row[of]).map(({ name }) => name);
  return { all: rows.map(({ name }) => name), reads: names('reads'), writes: names('writes') };
}

const may: Record<string, Record<(typeof schemas)[number], 'write' | 'read' | 'nothing'>> = {
  api: { published: 'read', source: 'nothing', private: 'write' },
  market: { published: 'write', source: 'write', private: 'nothing' },
  reader: { published: 'read', source: 'nothing', private: 'nothing' },
};

describe.each(Object.entries(may))('%s', (role, rights) => {
  test.each(schemas)('in %s', async (schema) => {
    const { all, reads, writes } = await rightsOf(role, schema);
    expect(all).toContain('later');
    expect(reads).toEqual(rights[schema] === 'nothing' ? [] : all);
    // Only whoever migrates says which version the schema has.
    const writable = all.filter((name) => name !== 'migration');
    expect(writes).toEqual(rights[schema] === 'write' ? writable : []);
  });
});

test('each role is refused what is not its own by PostgreSQL, also when asked directly', async () => {
  const ask = async (role: string, sql: string) => {
    const client = new SQL({ url: addressOf(role), max: 1 });
    const outcome = await client.unsafe(sql).then(
      () => 'done',
      (error: { errno?: string }) => error.errno,
    );
    await client.close();
    return outcome;
  };
  expect(await ask('api', 'SELECT * FROM source.sale')).toBe('42501');
  expect(await ask('api', "UPDATE published.document SET body = ''")).toBe('42501');
  expect(await ask('market', 'SELECT * FROM private.api_key')).toBe('42501');
  expect(await ask('market', 'SELECT * FROM private.lot')).toBe('42501');
  expect(await ask('reader', 'SELECT * FROM private.account')).toBe('42501');
  expect(await ask('reader', 'SELECT body FROM published.document')).toBe('done');
});

test('the service runs on them: serve, import and upkeep, each with its own', async () => {
  const { key } = await addKey(cluster);
  const node = await cluster.node({
    BRICKMARK_DATABASE_URL: addressOf('api'),
    BRICKMARK_REPLICA_URL: addressOf('reader'),
  });
  expect((await askForSet(node, key, 0)).status).toBe(200);
  expect(node.errors()).toContain("'brickmark upkeep' has to run");
  const asMarket = { env: { BRICKMARK_DATABASE_URL: addressOf('market') } };
  const sale = {
    ...{ kind: 'sale', source: 'shop', source_id: '1', item_type: 'set', item: '1000' },
    ...{ condition: 'sealed', price: 70, sold_at: '2026-11-14T10:00:00Z' },
  };
  const imported = await cluster.json<{ added: number }>(['import', 'feed', '-'], {
    ...asMarket,
    stdin: JSON.stringify(sale),
  });
  expect(imported.added).toBe(1);
  const lot = { kind: 'brickfolio', account: 'a@example.com', name: 'Attic' };
  const refused = await cluster.run(['import', 'feed', '-'], {
    ...asMarket,
    stdin: JSON.stringify(lot),
  });
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('may not do this') });
  const upkeep = await cluster.run(['upkeep'], {
    env: { BRICKMARK_DATABASE_URL: addressOf('api') },
  });
  expect(upkeep).toMatchObject({ status: 1, stderr: expect.stringContaining('may not publish') });
  expect(await node.kill('SIGTERM')).toBe(0);
});
