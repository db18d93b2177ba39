/**
 * A drop folder on disk. What lies in it waits; what is being imported is in `working/`, and what
 * became of it is in `done/` or `failed/`. A file in a folder that is named like an account's
 * e-mail belongs to that account.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { formatInstant } from '../domain/time.ts';
import { mappingOf } from '../ingest/detect.ts';

/** A file that has not changed for so long is whole. */
const settledMs = 2_000;

/** Folders inside the drop folder that are not dropped there. */
const own = ['working', 'done', 'failed'];

/** Names under which programs write what is not whole yet. */
const unfinished = /^\.|\.(part|partial|tmp|crdownload|download|filepart)$|~$/i;

/** A file or folder that waits, or is being imported. */
export interface Dropped {
  readonly path: string;
  /** Its name below the drop folder. */
  readonly name: string;
  /** Whose it is, by e-mail; null for the market's. */
  readonly account: string | null;
}

/** A folder that is watched. */
export class DropFolder {
  private readonly looks = new Map<string, { readonly mark: string; readonly since: number }>();

  constructor(private readonly root: string) {}

  /** What waits, in order of name; what belongs to accounts comes after the market's. */
  list(): Dropped[] {
    const names = namesIn(this.root).filter((name) => !own.includes(name));
    const isAccount = (name: string) => name.includes('@') && isFolder(join(this.root, name));
    const drop = (name: string, account: string | null) => {
      return { path: join(this.root, name), name, account };
    };
    return [
      ...names.filter((name) => !isAccount(name)).map((name) => drop(name, null)),
      ...names
        .filter(isAccount)
        .flatMap((email) =>
          namesIn(join(this.root, email)).map((name) => drop(join(email, name), email)),
        ),
    ].filter(({ name }) => !name.endsWith('.mapping.json'));
  }

  /** Those that have not changed for a while: whoever copies them is done. */
  listSettled(): Dropped[] {
    const at = performance.now();
    const waiting = this.list();
    for (const path of this.looks.keys()) {
      if (!waiting.some((dropped) => dropped.path === path)) this.looks.delete(path);
    }
    return waiting.filter(({ path }) => {
      const mark = markOf(path);
      const look = this.looks.get(path);
      if (look?.mark !== mark) this.looks.set(path, { mark, since: at });
      return look?.mark === mark && at - look.since >= settledMs;
    });
  }

  /** What a watcher was at when it ended goes back to where it was: imports can be repeated. */
  takeUpAgain(): void {
    const folder = join(this.root, 'working');
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const from = join(folder, name);
      if (!existsSync(from) || (isFolder(from) && basename(from).includes('@'))) continue;
      if (name.endsWith(rejectsEnd)) rmSync(from);
      else if (!existsSync(join(this.root, name))) moveTo(from, join(this.root, name));
    }
  }

  /** Takes a file, with its mapping, out of those that wait. */
  claim({ path, name, account }: Dropped): Dropped {
    const claimed = join(this.root, 'working', name);
    if (existsSync(mappingOf(path))) moveTo(mappingOf(path), mappingOf(claimed));
    moveTo(path, claimed);
    return { path: claimed, name, account };
  }

  /** Files what was claimed, with what was written beside it; where it is now. */
  file(claimed: Dropped, under: 'done' | 'failed', at: number): string {
    const stamp = formatInstant(at).slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
    const place = join(this.root, under, dirname(claimed.name));
    const name = `${stamp}-${basename(claimed.name)}`;
    const target = freeName(join(place, name));
    for (const end of ['', rejectsEnd, errorEnd]) {
      if (existsSync(claimed.path + end)) moveTo(claimed.path + end, target + end);
    }
    if (existsSync(mappingOf(claimed.path))) moveTo(mappingOf(claimed.path), mappingOf(target));
    return relative(this.root, target);
  }
}

/** What the file of rejected rows is called after its source. */
export const rejectsEnd = '.rejects.ndjson';

/** What the file with the reason is called after a source that could not be imported. */
export const errorEnd = '.error.txt';

function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !unfinished.test(name))
    .sort();
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** Changes whenever a file, or anything in a folder, does. */
function markOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  if (!isFolder(path)) return `${size} ${mtimeMs}`;
  const inside = readdirSync(path)
    .sort()
    .map((name) => `${name} ${markOf(join(path, name))}`);
  return inside.join('\n');
}

function moveTo(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** The path, or one with a number where something has it already. */
function freeName(path: string): string {
  if (!existsSync(path)) return path;
  for (let number = 2; ; number++) {
    const numbered = join(dirname(path), `${number}-${basename(path)}`);
    if (!existsSync(numbered)) return numbered;
  }
}
