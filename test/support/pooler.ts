/** Starts a real PgBouncer in front of a test PostgreSQL. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { own } from './postgres-place.ts';
import type { PostgresServer } from './postgres-server.ts';
import { until } from './until.ts';

export interface Pooler {
  /** The URL of a database behind the pooler. */
  url(database: string): string;
  close(): Promise<void>;
}

/** Starts a pooler in transaction mode, with additional settings. */
export async function startPooler(
  program: string,
  server: PostgresServer,
  settings: Readonly<Record<string, string>>,
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-pooler-'));
  const [port, direct] = [await freePort(), new URL(server.url())];
  const path = (name: string) => join(folder, name);
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(path(name), `${lines.join('\n')}\n`);
    own(path(name), server.runAs);
  };
  own(folder, server.runAs);
  write('users', [`"${direct.username}" "${direct.password}"`]);
  const chosen = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: path('users'),
    logfile: path('log'),
    pool_mode: 'transaction',
    ...settings,
  };
  write('pgbouncer.ini', [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port}`,
    '[pgbouncer]',
    ...Object.entries(chosen).map(([name, value]) => `${name} = ${value}`),
  ]);
  const child = Bun.spawn([program, '--quiet', path('pgbouncer.ini')], {
    ...server.runAs,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const close = async () => {
    child.kill('SIGKILL');
    await child.exited;
    rmSync(folder, { recursive: true });
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(path('log'), 'utf8'));
    return isOpen(port);
  }, 'the pooler to listen');
  return {
    url: (database) => Object.assign(new URL(direct), { port, pathname: `/${database}` }).href,
    close,
  };
}

/** Whether a port accepts connections. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
