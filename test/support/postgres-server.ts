/**
 * A real PostgreSQL of its own for a test, in a temporary folder: to be started, stopped, frozen
 * and killed at will. It is gone when the tests are, however they end.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SQL, type Subprocess } from 'bun';
import { makeOnce } from './made-once.ts';
import { makePlace, own, type Place, type PlaceOptions, type RunAs } from './postgres-place.ts';
import { childrenOf, signal, untilGone } from './processes.ts';

/** How a server is to be. */
export interface ServerOptions {
  /** What it has acknowledged is on the disk; costs time. Otherwise it is with the system. */
  readonly isDurable?: boolean;
  /** Whoever connects from this machine is believed, without the time that passwords take. */
  readonly isTrusting?: boolean;
  /** The release of PostgreSQL; by default, the oldest one that is supported. */
  readonly release?: 17 | undefined;
  /** More settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

const user = 'postgres';
const password = 'brickmark';
const startSecondsMax = 60;

/** What all servers here have. Few files outside the folder, so that nothing is left behind. */
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

/** One server. */
export class PostgresServer {
  private postmaster: Subprocess | null = null;

  private constructor(
    private readonly place: Place,
    /** Where it listens, also when it is started again. */
    readonly port: number,
  ) {}

  /** Makes a new server and starts it. */
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

  /** Starts a server on data that `fill` has put into its place. */
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

  /** Where its data is. */
  get data(): string {
    return this.place.data;
  }

  /** The process that all its others belong to. */
  get pid(): number {
    return this.running().pid;
  }

  /** Whom it runs as. */
  get runAs(): RunAs {
    return this.place.runAs;
  }

  /** The address of one of its databases. */
  url(database = 'postgres'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it, on the data and the port that it had before. */
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
        // Ctrl-C in a terminal reaches the tests only; the guard ends the server after them.
        detached: true,
      },
    );
    child.unref();
    this.postmaster = child;
    place.guard.watch(child.pid);
    await this.untilReady(child, log);
  }

  /** `fast`: ends connections and writes everything down; `immediate`: recovers when it starts. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.end(({ pid }) => signal(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT'));
  }

  /** Ends it at once with all its processes, as when the machine loses its power. */
  async crash(): Promise<void> {
    await this.end(({ pid }) => {
      // Frozen, it starts no process that would be missed.
      signal(pid, 'SIGSTOP');
      const pids = [pid, ...childrenOf(pid)];
      for (const each of pids) signal(each, 'SIGKILL');
    });
  }

  /** Freezes it with all its processes: connections stay open, and nobody answers. */
  pause(): void {
    const pid = this.running().pid;
    signal(pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) signal(child, 'SIGSTOP');
  }

  /** Lets it go on. */
  resume(): void {
    const pid = this.running().pid;
    for (const each of [...childrenOf(pid), pid]) signal(each, 'SIGCONT');
  }

  /** Makes a standby a server of its own that takes writes. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 60)');
  }

  /** Rows of one statement. */
  async query<T>(sql: string, database?: string): Promise<T[]> {
    const client = new SQL({ url: this.url(database), max: 1 });
    try {
      return [...(await client.unsafe(sql))];
    } finally {
      await client.close();
    }
  }

  /** Ends it and removes its folder. */
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

/** PostgreSQL writes into this file who runs it and how far it is. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Sorts by the rules of a language, so that an order that the code forgot to ask for shows. */
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

/** Servers have copies of a folder as `initdb` leaves it, which is made once. */
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

/** Below the ports that systems hand out by themselves, so that it is free after a stop, too. */
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
