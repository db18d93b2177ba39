/** Roles have the rights they need and no others, enforced by PostgreSQL. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { parseInstant } from '../../src/kernel/time.ts';
import { commandNow } from '../support/cli.ts';
import { openDatabase } from '../support/engines.ts';
import { addKey, askForSet, type Cluster, joinCluster } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { password, Visitor } from '../support/site.ts';
import { until } from '../support/until.ts';

const schemas = ['published', 'source', 'private'] as const;

/** Passwords with special characters of SQL, URLs and shells. */
const passwords = { api: `it's "a"; \\ $1 -- %27`, market: 'm@rket=/:?#', reader: '$$reader$$' };
const passwordFile = Object.entries(passwords)
  .map(([role, password]) => `${role}=${password}\n`)
  .join('');

let server: PostgresServer;
let cluster: Cluster;

beforeAll(async () => {
  server = await PostgresServer.launch({ settings: { log_statement: 'all' } });
  // The owner of the database is not a superuser.
  await server.query("CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'owner'");
  await server.query("CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
  await server.query('CREATE DATABASE "Our bricks" OWNER owner');
  cluster = await joinCluster(addressAs('owner', 'owner'), false);
  const { sql } = await cluster.json<{ sql: string }>(['roles']);
  const owner = new SQL({ url: cluster.database, max: 1 });
  await owner.unsafe(sql).simple();
  // It can be repeated.
  const applied = await cluster.run(['roles', '--apply', '--password-file', '-'], {
    stdin: passwordFile,
  });
  expect(applied).toMatchObject({ status: 0, stderr: '' });
  const { entries } = await cluster.json<{ entries: object[] }>(['audit', '--limit', '1']);
  expect(entries).toMatchObject([{ action: 'store.changed', detail: 'roles' }]);
  // Tables of later versions get the same rights.
  for (const schema of schemas) {
    await owner.unsafe(`CREATE TABLE ${schema}.later (id bigint PRIMARY KEY)`);
  }
  await owner.close();
});

afterAll(async () => {
  await cluster?.close();
  await server?.remove();
});

function addressAs(username: string, password: string, database = 'Our bricks'): string {
  const url = new URL(server.url(database));
  url.username = username;
  url.password = encodeURIComponent(password);
  return url.href;
}

const addressOf = (role: keyof typeof passwords) => addressAs(`brickmark_${role}`, passwords[role]);

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
    // Only the owner, who migrates, writes the version of the schema.
    const writable = all.filter((name) => name !== 'migration');
    // The server counts lookups (interest) and writes no other published table; imports add to the
    // audit log.
    const added = { 'api published': ['interest'], 'market private': ['audit'] };
    const some = (added as Record<string, string[]>)[`${role} ${schema}`] ?? [];
    expect(writes).toEqual(rights[schema] === 'write' ? writable : some);
  });
});

test('PostgreSQL refuses each role everything else, also in direct SQL', async () => {
  const ask = async (role: keyof typeof passwords, sql: string) => {
    const client = new SQL({ url: addressOf(role), max: 1 });
    const outcome = await client.unsafe(sql).then(
      () => 'done',
      (error: { errno?: string }) => error.errno,
    );
    await client.close();
    return outcome;
  };
  expect(await ask('api', 'SELECT * FROM source.sale')).toBe('42501');
  expect(await ask('api', 'SELECT * FROM source.uncertainty')).toBe('42501');
  // Evidence and scores contain no source rows, and pages show them.
  expect(await ask('api', 'SELECT * FROM published.evidence, published.score')).toBe('done');
  expect(await ask('api', "UPDATE published.document SET body = ''")).toBe('42501');
  expect(await ask('api', 'UPDATE published.interest SET held = 0')).toBe('done');
  expect(await ask('api', 'DELETE FROM published.interest')).toBe('42501');
  const entry = "(at, actor, action, detail) VALUES (1, 'machine', 'import', '')";
  for (const role of ['api', 'market'] as const) {
    expect(await ask(role, `INSERT INTO private.audit ${entry}`)).toBe('done');
    expect(await ask(role, "UPDATE private.audit SET action = ''")).toBe('42501');
    expect(await ask(role, 'DELETE FROM private.audit')).toBe('42501');
  }
  expect(await ask('api', 'UPDATE private.audit SET network = NULL')).toBe('done');
  expect(await ask('market', 'SELECT * FROM private.audit')).toBe('42501');
  expect(await ask('market', 'SELECT * FROM private.api_key')).toBe('42501');
  expect(await ask('market', 'SELECT * FROM private.lot')).toBe('42501');
  expect(await ask('reader', 'SELECT * FROM private.account')).toBe('42501');
  expect(await ask('reader', 'SELECT body FROM published.document')).toBe('done');
});

test('serve, import and upkeep run with their own roles', async () => {
  const { key } = await addKey(cluster);
  const node = await cluster.node({
    BRICKMARK_DATABASE_URL: addressOf('api'),
    BRICKMARK_REPLICA_URL: addressOf('reader'),
    BRICKMARK_METRICS_PORT: '0',
  });
  expect((await askForSet(node, key, 0)).status).toBe(200);
  expect(node.errors()).toContain("Run 'brickmark upkeep'");
  const [, shown = ''] = /Metrics are at (\S+)\.\n/.exec(node.errors()) ?? [];
  const metrics = await (await fetch(shown)).text();
  expect(metrics).toContain('brickmark_replica_used 1');
  // Without an upkeep process there is no metric of its delay.
  expect(metrics).not.toContain('brickmark_upkeep');
  const asMarket = { env: { BRICKMARK_DATABASE_URL: addressOf('market') } };
  const sale = {
    kind: 'sale',
    source: 'shop',
    source_id: '1',
    item_type: 'set',
    item: '1000',
    condition: 'sealed',
    price: 70,
    sold_at: '2026-11-14T10:00:00Z',
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
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Permission denied'),
  });
  const asApi = { env: { BRICKMARK_DATABASE_URL: addressOf('api') } };
  const collection = await cluster.json<{ added: number }>(['import', 'feed', '-'], {
    ...asApi,
    stdin: JSON.stringify(lot),
  });
  expect(collection.added).toBe(1);
  await cluster.json(['import', 'feed', '-'], {
    ...asMarket,
    stdin: [
      '{"kind":"set","set_number":"2000","title":"Inn","theme":"Huts","msrp_usd":20}',
      '{"kind":"fx","date":"2026-01-01","currency":"EUR","usd_per_unit":1.1}',
    ].join('\n'),
  });
  // Published data is enough to look up sets, MSRPs and exchange rates.
  const csv = 'Number,Paid,Condition,Date\n2000,€10.00,New,2026-01-02\n2000,,New,2026-01-02\n';
  for (const flags of [['--dry-run'], []]) {
    const words = ['import', 'collection', '-', '--account', 'a@example.com', ...flags];
    const report = await cluster.json(words, { ...asApi, stdin: csv });
    expect(report).toMatchObject({ read: 2, added: 2, rejected: 0 });
  }
  const serving = await cluster.start(['serve', '--port', '0'], asMarket);
  expect(serving).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Permission denied'),
  });
  const upkeep = await cluster.start(['upkeep'], asApi);
  expect(upkeep).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot publish') });
  expect(await node.kill('SIGTERM')).toBe(0);
  // Lookups are counted without accounts, and written before the server ends.
  expect(node.errors()).not.toContain('interest');
  const counted = await server.query('SELECT * FROM published.interest', 'Our bricks');
  expect(counted).toMatchObject([{ kind: 'set', key: '1000', looked_up: '1', held: '0' }]);
});

test('deliveries run with the role: a message is attempted, and the result stored', async () => {
  await addKey(cluster);
  const node = await cluster.node({ BRICKMARK_DATABASE_URL: addressOf('api') });
  const store = await openDatabase(addressOf('api'));
  const facts = { name: '', address: null, secret: null, subscription: null, position: null };
  // The nodes' clocks start here.
  const at = parseInstant(commandNow) ?? 0;
  const added = await store.accounts.addDeliveryChannel(1, { kind: 'email', ...facts, at });
  const id = typeof added === 'object' ? added.id : 0;
  await store.accounts.addTest(1, id, at);
  const page = { before: null, limit: 1 };
  const last = async () => (await store.accounts.listDeliveries(1, id, page))[0];
  await until(async () => ((await last())?.tries ?? 0) > 0);
  // There is no mail server.
  expect(await last()).toMatchObject({ state: 'given_up', tries: 1 });
  await store.close();
  expect(await node.kill('SIGTERM')).toBe(0);
  expect(node.errors()).not.toContain('"event":"delivery"');
});

/** A retail price, imported with the market role. */
function sell(price: number, minute: number): Promise<unknown> {
  const offer = {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: '1000',
    observed_at: `2026-11-15T12:0${minute}:00Z`,
    price,
    seller_type: 'retailer',
    in_stock: true,
  };
  return cluster.json(['import', 'feed', '-'], {
    env: { BRICKMARK_DATABASE_URL: addressOf('market') },
    now: `2026-11-15T12:0${minute}:30Z`,
    stdin: JSON.stringify(offer),
  });
}

test('pages, alerts and webhooks run with the role, on published and private data', async () => {
  const env = { BRICKMARK_DATABASE_URL: addressOf('api') };
  const email = 'op@example.com';
  const words = ['account', 'add', email, '--operator', '--plan', 'reseller', '--password-stdin'];
  await cluster.json(words, { env, stdin: password });
  await sell(90, 1);
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-roles-'));
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 's'.repeat(64), { mode: 0o600 });
  const receiver = startReceiver();
  const node = await cluster.node({
    ...env,
    BRICKMARK_REPLICA_URL: addressOf('reader'),
    BRICKMARK_SECRET_FILE: secretFile,
    BRICKMARK_ALLOWED_NETWORKS: '127.0.0.1',
  });
  const visitor = new Visitor(node.url);
  // The first page starts a process, which may take longer than the timeout of five seconds.
  await until(async () => (await visitor.get('/sign-in')).status === 200);
  await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });
  const pages = ['/portfolio', '/keys', '/usage', '/account', '/account/export', '/operator'];
  for (const path of [...pages, '/operator/accounts', '/operator/imports/1']) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
  }
  const made = await visitor.submit(await visitor.get('/keys'), '/keys', { name: 'Mine' });
  expect(made.status).toBe(200);
  const lists = await visitor.get('/watchlist');
  expect((await visitor.submit(lists, '/watchlist', { name: 'Wanted' })).status).toBe(303);
  const added = await visitor.submit(await visitor.get('/watchlist'), '/watchlist/1/items', {
    item: '1000',
  });
  expect([added.goTo, (await visitor.get('/watchlist')).status]).toEqual([
    '/watchlist/1?did=added&n=1000',
    200,
  ]);
  const typed = { scope: 'all', condition: 'price_amount', amount: '50' };
  const alert = await visitor.submit(await visitor.get('/alerts/new'), '/alerts/new', typed);
  expect(alert.goTo).toBe('/alerts?did=on&n=0');
  const address = { address: receiver.url };
  const hook = await visitor.submit(await visitor.get('/webhooks'), '/webhooks', address);
  expect(hook.html).toContain('whsec_');
  await sell(49, 2);
  await until(() => receiver.arrived.some(({ body }) => body.includes('retail.price')));
  const sentPage = async () => (await visitor.get('/alerts/fired')).html;
  await until(async () => (await sentPage()).includes('$49.00'), node.errors);
  expect(await node.kill('SIGTERM')).toBe(0);
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

test('only the owner and the roles can connect, and no role can create tables', async () => {
  const stranger = { env: { BRICKMARK_DATABASE_URL: addressAs('stranger', 'stranger') } };
  const refused = await cluster.run(['account', 'list'], stranger);
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Permission denied'),
  });
  const rights = await server.query<{ name: string; may: string }>(
    `SELECT name, concat_ws(' ', CASE WHEN has_database_privilege(name, d, 'CONNECT') THEN 'c' END,
       CASE WHEN has_database_privilege(name, d, 'TEMP, CREATE') THEN 't' END) AS may
     FROM unnest(ARRAY['public', 'stranger', 'owner', 'brickmark_api', 'brickmark_market',
       'brickmark_reader']) AS name, (SELECT 'Our bricks' AS d) AS d`,
  );
  expect(rights.map(({ name, may }) => `${name}: ${may}`)).toEqual([
    'public: ',
    'stranger: ',
    'owner: c t',
    'brickmark_api: c',
    'brickmark_market: c',
    'brickmark_reader: c',
  ]);
});

describe('roles --apply', () => {
  const apply = ['roles', '--apply', '--json'];
  const withFile = [...apply, '--password-file', '-'];

  test('PostgreSQL never receives a plain password, so none can be logged', () => {
    const log = readFileSync(join(server.data, '..', 'log'), 'utf8');
    expect(log).toContain("ALTER ROLE brickmark_api PASSWORD 'SCRAM-SHA-256$4096:");
    for (const password of Object.values(passwords)) expect(log).not.toContain(password);
  });

  test('passwords can be given in PGPASSWORD, and changed for a single role', async () => {
    const url = new URL(addressOf('api'));
    url.password = '';
    const says = async (PGPASSWORD: string) => {
      const env = { BRICKMARK_DATABASE_URL: url.href, PGPASSWORD };
      const { status, stderr } = await cluster.start(['account', 'list'], { env });
      return `${status} ${stderr.split('. ')[0]}`;
    };
    expect(await says(passwords.api)).toBe('0 ');
    expect(await says('wrong')).toBe('1 PostgreSQL rejects the password');
    const ran = await cluster.run(withFile, { stdin: 'api=another\r\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ passwords: ['api'] });
    expect(await says(passwords.api)).toBe('1 PostgreSQL rejects the password');
    expect(await says('another')).toBe('0 ');
    await cluster.json(['roles', '--apply', '--password-file', '-'], { stdin: passwordFile });
  });

  test.each([
    ['an unknown role', 'api=hidden\nowner=hidden'],
    ['a role twice', 'api=hidden\napi=hidden'],
    ['no password', 'api=hidden\nmarket='],
    ['characters with several Unicode forms', 'api=hidden\nmarket=hiddén'],
  ])('a file with %s is rejected without showing its content', async (_, stdin) => {
    const ran = await cluster.run(withFile, { stdin });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toStartWith('Line 2 of the password file is invalid. Write ROLE=PASSWORD');
    expect(ran.stderr).not.toContain('hidd');
  });

  test('a missing database, file, schema or right is reported', async () => {
    const errorOf = async (words: string[], database?: string) => {
      const env = database === undefined ? {} : { BRICKMARK_DATABASE_URL: database };
      const { status, stderr } = await cluster.run(words, { env });
      return `${status} ${stderr.split('. ')[0]}`;
    };
    expect(await errorOf(apply, '')).toStartWith('2 --apply needs a database');
    expect(await errorOf(['roles', '--password-file', '-'])).toStartWith('2 --password-file needs');
    expect(await errorOf([...apply, '--password-file', 'none'])).toBe("1 Cannot read 'none'");
    expect(await errorOf(apply, server.url())).toBe('1 The database has no Brickmark schema yet');
    // Only the owner of a database can revoke access to it.
    await server.query('CREATE DATABASE shared');
    await server.query('GRANT CREATE ON DATABASE shared TO owner');
    const shared = addressAs('owner', 'owner', 'shared');
    expect(await errorOf(['migrate'], shared)).toStartWith('0');
    const words = [...apply, '--prefix', 'others'];
    expect(await errorOf(words, shared)).toBe('1 Permission denied for this database role');
    expect(await server.query("SELECT FROM pg_roles WHERE rolname LIKE 'others%'")).toEqual([]);
  });
});
