/** The build that is measured, and an earlier one that it is compared with. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Build {
  readonly name: string;
  readonly program: string;
  /** Where its store is, kept between runs: stores of other builds may have another schema. */
  readonly folder: string;
}

const root = join(import.meta.dir, '..');

export const thisBuild = buildIn(root, 'brickmark');

/** The build of `--against COMMIT`, checked out and installed beside this one. */
export function comparedBuild(args: readonly string[]): Build | undefined {
  const at = args.indexOf('--against');
  if (at < 0) return undefined;
  const name = args[at + 1];
  const commit = name && git(root, 'rev-parse', '--short', '--verify', `${name}^{commit}`);
  if (!commit) throw new Error(`'--against' needs a commit, tag or branch, not '${name ?? ''}'.`);
  const folder = join(root, '.bench-builds', commit);
  if (!existsSync(join(folder, 'node_modules'))) checkOut(commit, folder);
  return buildIn(folder, commit);
}

function buildIn(folder: string, name: string): Build {
  return { name, program: join(folder, 'bin', 'brickmark'), folder: join(folder, '.bench') };
}

function checkOut(commit: string, folder: string): void {
  mkdirSync(join(folder, '..'), { recursive: true });
  if (!existsSync(folder)) git(root, 'clone', '--quiet', '--shared', root, folder);
  git(folder, 'checkout', '--quiet', '--detach', commit);
  const lock = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  } else {
    succeed(spawnSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }));
  }
}

function git(cwd: string, ...words: string[]): string {
  return succeed(spawnSync('git', words, { cwd, encoding: 'utf8' })).stdout.trim();
}

function succeed<T extends { readonly status: number | null; readonly stderr: unknown }>(
  ended: T,
): T {
  if (ended.status !== 0) throw new Error(String(ended.stderr ?? 'npm ci failed.').trim());
  return ended;
}

/** The commit, the machine and the versions that figures belong to. */
export function conditions(): string {
  const commit = git(root, 'describe', '--always', '--dirty');
  const cores = cpus();
  const memory = (totalmem() / 1024 ** 3).toFixed(0);
  return (
    `Commit ${commit} on ${cores.length} cores (${process.arch}, ${cores[0]?.model}), ` +
    `${memory} GiB, Bun ${Bun.version}`
  );
}
