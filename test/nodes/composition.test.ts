/** The Compose services without Docker: their SQL and commands on a new PostgreSQL. */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { dirname } from 'node:path';
import { SQL, type Subprocess } from 'bun';
import type { RunOptions } from '../support/cli.ts';
import { read, readComposition, type Service } from '../support/deploy.ts';
import { addKey, askForSet, type Cluster, joinCluster } from '../support/nodes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { executable } from '../support/program.ts';

/** As in `deploy/.env`. */
const secrets: Readonly<Record<string, string>> = {
  BRICKMARK_OWNER_PASSWORD: "owner's $1",
  BRICKMARK_API_PASSWORD: "api's $2 %s \\n",
  BRICKMARK_MARKET_PASSWORD: 'market "$(id)"',
};

const { prepare, brickmark, upkeep } = readComposition().services;

let server: PostgresServer;
let cluster: Cluster;
/** The executable, which starts faster than the launcher. */
let program: string;

beforeAll(async () => {
  server = await PostgresServer.launch();
  cluster = await joinCluster(server.url('brickmark'), true);
  program = await executable();
});

afterAll(async () => {
  await cluster?.close();
  await server?.remove();
});

/** The environment of a service, with passwords and the test's database. */
function environmentOf({ environment }: Service): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value
        .replace(/\$\{(\w+):\?[^}]*\}/, (_, secret: string) => secrets[secret] ?? '')
        // Optional variables are unset.
        .replace(/\$\{\w+:-([^}]*)\}/, '$1')
        .replace('@database:5432/', `@127.0.0.1:${server.port}/`),
    ]),
  );
}

/** Runs the command of `prepare` as Compose does, with $$ as $. */
async function runPrepare() {
  const words = [...(prepare.entrypoint ?? []), ...(prepare.command ?? [])];
  const child = Bun.spawn(
    words.map((word) => word.replaceAll('$$', '$')),
    {
      env: { PATH: `${dirname(program)}:${process.env.PATH}`, ...environmentOf(prepare) },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const [printed, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { status: await child.exited, printed, errors };
}

async function untilPrinted({ stderr }: Subprocess<'ignore', 'ignore', 'pipe'>, text: string) {
  let printed = '';
  for await (const chunk of stderr) {
    printed += new TextDecoder().decode(chunk);
    if (printed.includes(text)) return;
  }
  throw new Error(`It ended with the output: ${printed}`);
}

/** The output of a command; the driver reads passwords from its environment. */
async function startJson<T>(words: readonly string[], options: RunOptions): Promise<T> {
  const { status, stdout, stderr } = await cluster.start([...words, '--json'], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('the superuser only creates an owner without its rights, and can no longer log in', async () => {
  const literal = `'${secrets.BRICKMARK_OWNER_PASSWORD?.replaceAll("'", "''")}'`;
  const superuser = new SQL({ url: server.url(), max: 1 });
  for (const line of read('deploy/database.sql').split('\n')) {
    // Skips comments and psql's own commands.
    if (!/^(--|\\|$)/.test(line)) await superuser.unsafe(line.replace(":'password'", literal));
  }
  const [owner] = await superuser`SELECT rolsuper, rolcreatedb, rolreplication, rolbypassrls
    FROM pg_roles WHERE rolname = 'brickmark'`;
  expect(new Set(Object.values(owner))).toEqual(new Set([false]));
  await superuser.close();
  const { status, stderr } = await cluster.run(['account', 'list']);
  expect([status, stderr.split('. ')[0]]).toEqual([1, 'PostgreSQL rejects the password']);
});

test('prepare creates the schema and the roles, prints no password, and can be repeated', async () => {
  for (let time = 0; time < 2; time++) {
    const { status, printed, errors } = await runPrepare();
    expect([status, errors]).toEqual([0, '']);
    expect(printed).toContain('The schema is up to date.');
    expect(printed).toContain('Passwords set for api, market.');
    for (const secret of Object.values(secrets)) expect(printed).not.toContain(secret);
  }
});

test('the server runs as one role, and upkeep publishes as another', async () => {
  const [asApi, asMarket] = [{ env: environmentOf(brickmark) }, { env: environmentOf(upkeep) }];
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' };
  const feed = { stdin: JSON.stringify(set) };
  const refused = await cluster.start(['import', 'feed', '-'], { ...asApi, ...feed });
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Permission denied'),
  });
  await startJson(['import', 'feed', '-'], { ...asMarket, ...feed });
  await startJson(['account', 'add', 'a@example.com', '--plan', 'reseller'], asApi);
  const asServer = {
    ...cluster,
    json: <T>(words: readonly string[]) => startJson<T>(words, asApi),
  };
  const { key } = await addKey(asServer);
  const node = await cluster.node(asApi.env);
  expect((await askForSet(node, key, 0)).status).toBe(200);
  const keeping = Bun.spawn([program, ...(upkeep.command ?? [])], {
    env: { ...process.env, ...asMarket.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilPrinted(keeping, 'Keeping published data current');
  keeping.kill('SIGTERM');
  expect(await keeping.exited).toBe(0);
  expect(await node.kill('SIGTERM')).toBe(0);
});
