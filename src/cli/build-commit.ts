/** The commit that this program was built from, which tells builds of one version apart. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Set by `scripts/build.ts` in the executable. */
declare const EXECUTABLE_COMMIT: string | undefined;

const root = join(import.meta.dir, '..', '..');

/** Written when the npm package is packed. */
export const commitFile = 'dist/commit';

const hashLength = 12;

/** Its first digits; null if unknown, such as in a copy of the source without `.git`. */
export function findCommit(): string | null {
  if (typeof EXECUTABLE_COMMIT === 'string') return EXECUTABLE_COMMIT || null;
  return commitOfCheckout(root) ?? read(join(root, commitFile));
}

/** Without git, which may not be installed. */
export function commitOfCheckout(folder: string): string | null {
  const own = gitFolder(folder);
  const head = read(join(own, 'HEAD')) ?? '';
  const [, branch] = /^ref: (\S+)$/.exec(head) ?? [];
  if (branch === undefined) return shortHash(head);
  // Worktrees share the branches of their repository.
  const shared = resolve(own, read(join(own, 'commondir')) ?? '.');
  const packed = read(join(shared, 'packed-refs')) ?? '';
  const line = packed.split('\n').find((each) => each.endsWith(` ${branch}`)) ?? '';
  return shortHash(read(join(shared, branch)) ?? line.split(' ')[0] ?? '');
}

/** In a worktree, `.git` is a file that names the folder. */
function gitFolder(folder: string): string {
  const [, named] = /^gitdir: (.+)$/.exec(read(join(folder, '.git')) ?? '') ?? [];
  return resolve(folder, named ?? '.git');
}

function shortHash(text: string): string | null {
  return /^[\da-f]{40,64}$/.test(text) ? text.slice(0, hashLength) : null;
}

/** Null if there is no such file. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
