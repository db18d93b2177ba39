/**
 * A real PostgreSQL server for a test, in a temporary folder, which can be stopped, paused and
 * killed. It is removed when the tests end, even if they are killed.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SQL, type Subprocess } from 'bun';
import { makeOnce } from './made-once.ts';
import { makePlace, own, type Place, type PlaceOptions, type RunAs } from './postgres-place.ts';
import { childrenOf, signal, untilGone } from './processes.ts';

export interface ServerOptions {
  /** Data is durable on disk (slower); otherwise fsync is off. */
  readonly isDurable?: boolean;
  /** Accepts local connections without a password, to save the time of the check. */
  readonly isTrusting?: boolean;
  /** PostgreSQL's major release; default: the oldest supported. */
  readonly release?: 17 | undefined;
  /** Additional settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

const user = 'postgres';
const password = 'brickmark';
const startSecondsMax = 60;

/** Settings of all servers; mmap keeps shared memory files in the data folder. */
const commonSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
  max_connections: '300',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
};

const fastSettings = { fsync: 'off', full_page_writes: 'off' };

const trusting = 'host all all 127.0.0.1/32 trust\n';

export class PostgresServer {
  private postmaster: Subprocess | null = null;

  private constructor(
    private readonly place: Place,
    /** The same after a restart. */
    readonly port: number,
  ) {}

  static async launch(options: ServerOptions = {}): Promise<PostgresServer> {
    const { isDurable = false, isTrusting = false, settings = {}, release } = options;
    const fill = async (place: Place) => {
      await initialise(place, release);
      const chosen = { ...commonSettings, ...(isDurable ? {} : fastSettings), ...settings };
      const lines = Object.entries(chosen).map(([name, value]) => `${name} = '${value}'\n`);
      appendFileSync(join(place.data, 'postgresql.conf'), lines.join(''));
      if (isTrusting) writeFileSync(join(place.data, 'pg_hba.conf'), trusting);
    };
    return PostgresServer.launchFrom(fill, { isInMemory: !isDurable, release });
  }

  /** Starts a server on data written by `fill`. */
  static async launchFrom(
    fill: (place: Place) => Promise<void>,
    options: PlaceOptions = { isInMemory: false },
  ): Promise<PostgresServer> {
    const place = await makePlace(options);
    const server = new PostgresServer(place, await findPort());
    try {
      await fill(place);
      await server.start();
    } catch (error) {
      await server.remove();
      throw error;
    }
    return server;
  }

  get data(): string {
    return this.place.data;
  }

  /** The postmaster. */
  get pid(): number {
    return this.running().pid;
  }

  get runAs(): RunAs {
    return this.place.runAs;
  }

  url(database = 'postgres'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it with the same data and port as before. */
  async start(): Promise<void> {
    const { place } = this;
    const log = join(place.data, '..', 'log');
    const child = Bun.spawn(
      [join(place.programs, 'postgres'), '-D', place.data, '-p', String(this.port)],
      {
        ...place.runAs,
        cwd: place.folder,
        env: { ...process.env, LC_ALL: 'C' },
        stdio: ['ignore', Bun.file(log), Bun.file(log)],
        // Ctrl-C in a terminal must not end the server before the tests; the guard stops it.
        detached: true,
      },
    );
    child.unref();
    this.postmaster = child;
    place.guard.watch(child.pid);
    await this.untilReady(child, log);
  }

  /**
   * `fast` closes connections and writes a checkpoint; `immediate` requires recovery on the next
   * start.
   */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.end(({ pid }) => signal(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT'));
  }

  /** Kills all its processes at once, like a power failure. */
  async crash(): Promise<void> {
    await this.end(({ pid }) => {
      // While stopped, it cannot start processes that would be missed here.
      signal(pid, 'SIGSTOP');
      const pids = [pid, ...childrenOf(pid)];
      for (const each of pids) signal(each, 'SIGKILL');
    });
  }

  /** Pauses all its processes: connections stay open without responses. */
  pause(): void {
    const pid = this.running().pid;
    signal(pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) signal(child, 'SIGSTOP');
  }

  resume(): void {
    const pid = this.running().pid;
    for (const each of [...childrenOf(pid), pid]) signal(each, 'SIGCONT');
  }

  /** Makes a standby a primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 60)');
  }

  async query<T>(sql: string, database?: string): Promise<T[]> {
    const client = new SQL({ url: this.url(database), max: 1 });
    try {
      return [...(await client.unsafe(sql))];
    } finally {
      await client.close();
    }
  }

  async remove(): Promise<void> {
    if (this.postmaster) {
      this.resume();
      await this.stop('immediate');
    }
    await this.place.guard.end();
  }

  private running(): Subprocess {
    if (this.postmaster) return this.postmaster;
    throw new Error('The server does not run.');
  }

  private async end(how: (postmaster: Subprocess) => void): Promise<void> {
    const postmaster = this.running();
    const children = childrenOf(postmaster.pid);
    how(postmaster);
    await postmaster.exited;
    await untilGone(children);
    this.postmaster = null;
    this.place.guard.watch(null);
  }

  private async untilReady(child: Subprocess, log: string): Promise<void> {
    const attempts = startSecondsMax * 100;
    for (let attempt = 0; attempt < attempts && child.exitCode === null; attempt++) {
      if (isReady(this.place.data, child.pid)) return;
      await Bun.sleep(10);
    }
    if (child.exitCode !== null) {
      this.postmaster = null;
      this.place.guard.watch(null);
    }
    throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`);
  }
}

/** PostgreSQL writes its PID and status to postmaster.pid. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** An ICU locale, so that a missing ORDER BY or COLLATE "C" is noticed. */
const initialiseFlags = [
  '--auth=scram-sha-256',
  `--username=${user}`,
  '--no-sync',
  '--encoding=UTF8',
  '--locale-provider=icu',
  '--icu-locale=en-US',
  '--locale=C',
  '--no-instructions',
];

/** Copies the result of `initdb`, which runs once for all servers. */
async function initialise(place: Place, release: 17 | undefined): Promise<void> {
  const data = await makeOnce(release === 17 ? 'postgres-17' : 'postgres', async (folder) => {
    own(folder, place.runAs);
    await runInitdb(place, folder);
  });
  const copying = Bun.spawn(['cp', '-R', `${data}/.`, place.data], { ...place.runAs });
  if ((await copying.exited) !== 0) throw new Error('The folder of PostgreSQL was not copied.');
}

async function runInitdb({ folder, programs, runAs }: Place, data: string): Promise<void> {
  const pwfile = join(folder, 'password');
  writeFileSync(pwfile, password);
  own(pwfile, runAs);
  const words = [`--pgdata=${data}`, `--pwfile=${pwfile}`, ...initialiseFlags];
  const child = Bun.spawn([join(programs, 'initdb'), ...words], {
    ...runAs,
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`PostgreSQL made no folder: ${errors}`);
}

/** Below the ephemeral ports, so that the port is still free after a stop. */
async function findPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
