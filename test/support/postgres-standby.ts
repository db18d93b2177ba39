/**
 * A second server that follows a first one. Its data is a base backup, taken by the statements
 * that PostgreSQL has for it, so that no program besides the server itself is needed.
 */
import {
  appendFileSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { own, type Place, type RunAs } from './postgres-place.ts';
import { PostgresServer } from './postgres-server.ts';
import { until } from './until.ts';

/** How a standby follows. */
export interface StandbyOptions {
  /** The first server acknowledges nothing that the standby does not have. */
  readonly synchronous: boolean;
  /** `on`: the standby has written it down; `remote_apply`: readers there see it. */
  readonly commit?: 'on' | 'remote_apply';
  /** What the first server calls it. */
  readonly name?: string;
}

/** Starts a standby of a running server; `promote()` makes it a server of its own. */
export async function startStandby(
  primary: PostgresServer,
  { synchronous, commit = 'on', name = 'standby' }: StandbyOptions,
): Promise<PostgresServer> {
  await primary.query(`SELECT pg_create_physical_replication_slot('${name}', true)`);
  const standby = await PostgresServer.launchFrom(async (place) => {
    await takeBaseBackup(primary, place);
    follow(primary, place, name);
  });
  await untilStateOf(primary, name, ['async', 'sync', 'quorum']);
  if (synchronous) {
    await primary.query(`ALTER SYSTEM SET synchronous_commit = '${commit}'`);
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await primary.query('SELECT pg_reload_conf()');
    await untilStateOf(primary, name, ['sync']);
  }
  return standby;
}

async function takeBaseBackup(primary: PostgresServer, place: Place): Promise<void> {
  const client = new SQL({ url: primary.url(), max: 1 });
  const connection = await client.reserve();
  try {
    await connection.unsafe("SELECT pg_backup_start('standby', true)");
    copyData(primary.data, place.data, place.runAs);
    const [stopped] = await connection.unsafe('SELECT labelfile FROM pg_backup_stop(false)');
    write(join(place.data, 'backup_label'), stopped.labelfile, place.runAs);
  } finally {
    connection.release();
    await client.close();
  }
}

/** Belongs to the running server, or comes through the connection. */
const left: ReadonlySet<string> = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_internal.init',
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_stat_tmp',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_subtrans',
]);

function copyData(from: string, to: string, runAs: RunAs): void {
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    // Files come and go while the server runs; the log that follows knows about them.
    const facts = lstatSync(source, { throwIfNoEntry: false });
    if (facts?.isDirectory()) {
      mkdirSync(target, { mode: 0o700 });
      if (!left.has(name)) copyData(source, target, runAs);
      own(target, runAs);
    } else if (facts && !left.has(name)) copyFile(source, target, runAs);
  }
}

function copyFile(source: string, target: string, runAs: RunAs): void {
  try {
    copyFileSync(source, target);
    own(target, runAs);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  }
}

function follow(primary: PostgresServer, { data, runAs }: Place, name: string): void {
  const { hostname, port, username, password } = new URL(primary.url());
  const info = Object.entries({
    host: hostname,
    port,
    user: username,
    password,
    application_name: name,
  });
  const settings = {
    primary_conninfo: info.map(([key, value]) => `${key}=${value}`).join(' '),
    primary_slot_name: name,
    hot_standby: 'on',
    // Once promoted, it waits for nobody.
    synchronous_standby_names: '',
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.auto.conf'), lines.join(''));
  write(join(data, 'standby.signal'), '', runAs);
}

function write(path: string, text: string, runAs: RunAs): void {
  writeFileSync(path, text);
  own(path, runAs);
}

async function untilStateOf(
  primary: PostgresServer,
  name: string,
  states: readonly string[],
): Promise<void> {
  const sql = `SELECT sync_state FROM pg_stat_replication
    WHERE application_name = '${name}' AND state = 'streaming'`;
  await until(
    async () => {
      const [row] = await primary.query<{ sync_state: string }>(sql);
      return row !== undefined && states.includes(row.sync_state);
    },
    `the standby ${name} to be ${states.join(' or ')}`,
  );
}
