/**
 * Backup and restore on PostgreSQL in the two ways of the operator's guide: pg_dump, and a base
 * backup with point-in-time recovery.
 */
// @runs SQLite (rest): needs several servers
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Served } from '../support/cli.ts';
import {
  addKey,
  askForSet,
  type Cluster,
  callUntil,
  joinCluster,
  usedByKey,
} from '../support/nodes.ts';
import { own } from '../support/postgres-place.ts';
import { findBackupPrograms, runProgram } from '../support/postgres-programs.ts';
import { PostgresServer } from '../support/postgres-server.ts';

const programs = findBackupPrograms();
if (programs === null) {
  process.stderr.write('pg_dump was not found: backups of PostgreSQL were NOT tested.\n');
}
const program = (name: string) => join(programs ?? '', name);

/** Passwords of the roles, in the file format of `roles --apply`. */
const passwordFile = 'api=api-secret\nmarket=market-secret\nreader=reader-secret\n';

let server: PostgresServer;
let cluster: Cluster;
let archive: string;
const clusters: Cluster[] = [];

async function joinTo(url: string, isEmpty: boolean): Promise<Cluster> {
  const joined = await joinCluster(url, isEmpty);
  clusters.push(joined);
  return joined;
}

/** The owner of the database is not a superuser, as in the operator's guide. */
async function makeDatabase(on: PostgresServer): Promise<string> {
  await on.query("CREATE ROLE brickmark LOGIN CREATEROLE PASSWORD 'brickmark'");
  await on.query('CREATE DATABASE brickmark OWNER brickmark');
  return addressAs(on, 'brickmark', 'brickmark');
}

function addressAs(on: PostgresServer, role: string, password: string): string {
  return Object.assign(new URL(on.url('brickmark')), { username: role, password }).href;
}

async function applyRoles(to: Cluster): Promise<void> {
  const words = ['roles', '--apply', '--password-file', '-'];
  expect(await to.run(words, { stdin: passwordFile })).toMatchObject({ status: 0, stderr: '' });
}

beforeAll(async () => {
  archive = mkdtempSync(join(tmpdir(), 'brickmark-archive-'));
  const settings = {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  };
  server = await PostgresServer.launch({ settings });
  own(archive, server.runAs);
  cluster = await joinTo(await makeDatabase(server), false);
  const lines = [
    { kind: 'brickfolio', account: 'a@example.com', name: 'Attic' },
    {
      kind: 'holding',
      account: 'a@example.com',
      source_id: '1',
      brickfolio: 'Attic',
      set_number: '1000',
      quantity: 3,
      condition: 'sealed',
      purchase_price_usd: 10,
      purchase_date: '2026-01-01',
    },
  ];
  await cluster.json(['import', 'feed', '-'], {
    stdin: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  await applyRoles(cluster);
});

afterAll(async () => {
  for (const each of clusters) await each.close();
  await server?.remove();
  rmSync(archive, { recursive: true, force: true });
});

const paths = ['/set/1000', '/themes', '/catalog/sets/search?q=hut', '/brickfolio'];

/** The raw `data` of some sets and of the account's own responses. */
async function dataOf(node: Served, key: string): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const text = await (await node.get(path, key)).text();
      return text.slice(0, text.lastIndexOf(',"meta":'));
    }),
  );
}

describe.skipIf(programs === null)('a backup of PostgreSQL', () => {
  test('pg_dump under load and pg_restore on a new server give the same responses', async () => {
    const { key } = await addKey(cluster, 1_000_000);
    const node = await cluster.node();
    const before = await dataOf(node, key);
    const load = callUntil(10, (client, round) => askForSet(node, key, client + round));
    const file = join(archive, 'brickmark.dump');
    const dump = ['--format=custom', `--file=${file}`, cluster.database];
    await runProgram([program('pg_dump'), ...dump]);
    const { failed } = await load.end();
    expect(failed).toBe(0);
    // A server without the roles that the dump grants rights to.
    const fresh = await PostgresServer.launch();
    try {
      const database = await makeDatabase(fresh);
      const restore = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
      await runProgram([program('pg_restore'), ...restore, `--dbname=${database}`, file]);
      const restored = await joinTo(database, true);
      await applyRoles(restored);
      const asApi = { BRICKMARK_DATABASE_URL: addressAs(fresh, 'brickmark_api', 'api-secret') };
      const other = await restored.node(asApi);
      expect(await dataOf(other, key)).toEqual(before);
      // IDs continue: none is assigned twice.
      const { key_id } = await addKey(restored);
      const used = [...(await usedByKey(restored)).keys()];
      expect(Math.max(...used)).toBe(key_id);
      expect(await other.kill('SIGTERM')).toBe(0);
    } finally {
      await fresh.remove();
    }
  });

  test('a base backup with WAL recovers to the moment before an accident', async () => {
    const base = join(archive, 'base');
    mkdirSync(base, { mode: 0o700 });
    await server.query("CREATE ROLE backup LOGIN REPLICATION PASSWORD 'backup'");
    const address = addressAs(server, 'backup', 'backup');
    const words = [`--pgdata=${base}`, '--checkpoint=fast', `--dbname=${address}`];
    await runProgram([program('pg_basebackup'), ...words]);
    // After the base backup, so only in the WAL.
    const { key, key_id } = await addKey(cluster);
    const [moment] = await server.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
    await Bun.sleep(50);
    await cluster.json(['account', 'remove', 'a@example.com']);
    await server.query('SELECT pg_switch_wal()');
    await server.stop();
    const recovered = await PostgresServer.launchFrom(async ({ data, runAs }) => {
      await runProgram(['cp', '-R', `${base}/.`, data]);
      const settings = {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: moment?.now ?? '',
        recovery_target_action: 'promote',
        // Otherwise it would respond before recovery has finished.
        hot_standby: 'off',
        archive_mode: 'off',
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
      appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
      writeFileSync(join(data, 'recovery.signal'), '');
      if (runAs.uid !== undefined) {
        await runProgram(['chown', '-R', `${runAs.uid}:${runAs.gid}`, data]);
      }
    });
    try {
      const back = await joinTo(addressAs(recovered, 'brickmark', 'brickmark'), true);
      expect((await usedByKey(back)).has(key_id)).toBe(true);
      const node = await back.node();
      expect((await askForSet(node, key, 0)).status).toBe(200);
      expect((await node.get('/brickfolio', key)).status).toBe(200);
    } finally {
      await recovered.remove();
    }
  });
});
