/**
 * A standby server. Its base backup is taken with SQL functions, so no program besides the server
 * is needed.
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

export interface StandbyOptions {
  /** The primary acknowledges a commit only after the standby has it. */
  readonly synchronous: boolean;
  /** `on`: written by the standby; `remote_apply`: visible to its readers. */
  readonly commit?: 'on' | 'remote_apply';
  /** Its application name on the primary. */
  readonly name?: string;
}

/** Starts a standby of a running server; `promote()` makes it a primary. */
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

/** Files of the running server, and files that replication provides. */
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
    // Files may disappear while the server runs; WAL replay restores consistency.
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
    // Once promoted, it does not wait for a standby.
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
