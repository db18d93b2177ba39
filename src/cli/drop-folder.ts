/**
 * A drop folder on disk. What is being imported is in `working/`, what was imported in `done/`,
 * what could not be in `failed/`, and what has rows that need something else first in `waiting/`.
 * A file in a folder that is named like an account's e-mail belongs to that account. The watcher's
 * own files are in `.brickmark/`.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { formatInstant } from '../domain/kernel/time.ts';
import { mappingOf } from '../ingest/detect.ts';
import { type StoreHold, seizeStore } from '../store/sqlite/lock.ts';
import { CommandError } from './command.ts';

/** A file that has not changed for so long is whole. */
const settledMs = 2_000;

/** Folders inside the drop folder that are not dropped there. */
const reservedNames = ['working', 'done', 'failed', 'waiting'];

/** What a filed name begins with: when it was done, and elsewhere when it was first imported. */
const stampPattern = /^(?:\d+-)?(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-/;

/** Names under which programs write what is not whole yet. */
const unfinished = /^\.|\.(part|partial|tmp|crdownload|download|filepart)$|~$/i;

/** What the file of rejected rows is called after its source. */
const rejectsEnd = '.rejects.ndjson';

/** What the file with the reason is called after a source that could not be imported. */
const errorEnd = '.error.txt';

/** Disks take 255 bytes; the time, a number and the ends above go with the name. */
const nameBytesMax = 200;

/** A file or folder that waits, or is being imported. */
export interface DroppedFile {
  readonly path: string;
  /** Its name below the drop folder. */
  readonly name: string;
  /** Whose it is, by e-mail; null for the market's. */
  readonly account: string | null;
  /** When it was first imported, where it was; null: it is new. */
  readonly since: number | null;
}

/** Where a file goes when it was imported. */
export type FiledUnder = 'done' | 'failed' | 'waiting';

/** A folder that is watched. */
export class DropFolder {
  private readonly fingerprints = new Map<
    string,
    { readonly fingerprint: string; readonly since: number }
  >();
  private readonly ownFolder: string;

  constructor(private readonly root: string) {
    this.ownFolder = join(root, '.brickmark');
  }

  /** Rejected rows of what is being imported go here; filing takes them along. */
  get rejectsPath(): string {
    return join(this.ownFolder, 'rejects.ndjson');
  }

  /** Keeps other watchers out, with the lock that stores have: it ends with the process. */
  hold(): StoreHold {
    let hold: StoreHold | null;
    try {
      mkdirSync(this.ownFolder, { recursive: true });
      hold = seizeStore(this.ownFolder, 0);
    } catch (error) {
      throw new CommandError(
        `Cannot write to the folder '${this.root}' (${codeOf(error)}). Check its permissions.`,
      );
    }
    if (hold) return hold;
    throw new CommandError(`'${this.root}' is already being watched by another process.`);
  }

  /** What waits, in order of name; what belongs to accounts comes after the market's. */
  list(): DroppedFile[] {
    if (!existsSync(this.root))
      throw new CommandError(`The folder '${this.root}' no longer exists.`);
    return entriesIn(this.root).filter(({ name }) => !isMapping(name));
  }

  /** Those that have not changed for a while: whoever copies them is done. */
  listSettled(): DroppedFile[] {
    const at = performance.now();
    const waiting = this.list();
    for (const path of this.fingerprints.keys()) {
      if (!waiting.some((dropped) => dropped.path === path)) this.fingerprints.delete(path);
    }
    return waiting.filter(({ path }) => {
      const fingerprint = fingerprintOf(path);
      const previous = this.fingerprints.get(path);
      if (previous?.fingerprint !== fingerprint)
        this.fingerprints.set(path, { fingerprint, since: at });
      return previous?.fingerprint === fingerprint && at - previous.since >= settledMs;
    });
  }

  /** Ignores a file until it changes. */
  ignoreUntilChanged({ path }: DroppedFile): void {
    this.fingerprints.set(path, {
      fingerprint: fingerprintOf(path),
      since: Number.POSITIVE_INFINITY,
    });
  }

  /**
   * What a watcher was importing when it ended goes back to where it was: imports can be repeated.
   * What was dropped under the same name meanwhile keeps it.
   */
  restoreUnfinished(): void {
    const left = entriesIn(join(this.root, 'working'));
    // A mapping goes with its file; alone it is only where a watcher ended between the two.
    const mappings = left.filter(({ name }) => isMapping(name));
    const sources = left.filter(({ name }) => !isMapping(name));
    try {
      for (const { path, name } of [...sources, ...mappings]) {
        if (kindOf(path) !== null) moveWithMapping(path, freeName(join(this.root, name)));
      }
    } catch (error) {
      throw new CommandError(
        `Cannot move files back from working/ (${codeOf(error)}). Move them by hand.`,
      );
    }
  }

  /** Takes a file, with its mapping, out of those that wait; null when it is no longer there. */
  claim({ path, name, account, since }: DroppedFile): DroppedFile | null {
    if (kindOf(path) === null) return null;
    const claimed = freeName(join(this.root, 'working', name));
    moveWithMapping(path, claimed);
    // What was said of it the last time is said anew.
    if (since !== null)
      for (const end of [rejectsEnd, errorEnd]) rmSync(path + end, { force: true });
    return { path: claimed, name, account, since };
  }

  /** What was imported but for rows that need something else first. */
  listWaiting(): DroppedFile[] {
    return entriesIn(join(this.root, 'waiting'))
      .filter(({ name }) => isSource(name))
      .map((file) => ({ ...file, ...withoutStamp(file.name) }));
  }

  /** Files what was claimed, with its rejects, or with why it failed; where it is now. */
  file(
    claimed: DroppedFile,
    { at, under, error }: { at: number; under: FiledUnder; error: string | null },
  ): string {
    const stamp = formatInstant(at).slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
    const name = `${stamp}-${shortened(basename(claimed.name))}`;
    const target = freeName(join(this.root, under, dirname(claimed.name), name));
    try {
      mkdirSync(dirname(target), { recursive: true });
      if (error !== null) writeFileSync(target + errorEnd, `${error}\n`);
      if (statSync(this.rejectsPath).size > 0) renameSync(this.rejectsPath, target + rejectsEnd);
      moveWithMapping(claimed.path, target);
    } catch (failure) {
      throw new CommandError(
        `Cannot move files to ${under}/ (${codeOf(failure)}). Check the drop folder.`,
      );
    }
    return relative(this.root, target);
  }

  /**
   * Removes what was filed under `done/` before an instant, with its rejects and its mapping, which
   * begin with the same time; how much, and why not more. Other names are not ours.
   */
  pruneDone(before: number): { readonly removed: number; readonly problem: string | null } {
    const done = join(this.root, 'done');
    const folders = [done, ...accountFolders(done)];
    const old = folders.flatMap((folder) => stampedBefore(folder, before));
    let removed = 0;
    try {
      for (const path of old) {
        rmSync(path, { recursive: true, force: true });
        if (isSource(path)) removed++;
      }
    } catch (error) {
      return { removed, problem: codeOf(error) };
    }
    return { removed, problem: null };
  }
}

/**
 * The first thing there that is neither a file nor a folder; null when there is none. Links could
 * lead to files that whoever drops them may not read.
 */
export function findStray(path: string): string | null {
  const kind = kindOf(path);
  if (kind === null) return basename(path);
  const names = kind === 'folder' ? readdirSync(path).sort() : [];
  return names.find((name) => !name.startsWith('.') && kindOf(join(path, name)) === null) ?? null;
}

/** What was dropped into a folder, or is left in `working/`. */
function entriesIn(root: string): DroppedFile[] {
  const names = namesIn(root).filter((name) => !reservedNames.includes(name));
  const isAccount = (name: string) => isAccountFolder(join(root, name));
  const drop = (name: string, account: string | null) => {
    return { path: join(root, name), name, account, since: null };
  };
  const accounts = names.filter(isAccount);
  return [
    ...names.filter((name) => !isAccount(name)).map((name) => drop(name, null)),
    ...accounts.flatMap((email) =>
      namesIn(join(root, email)).map((name) => drop(join(email, name), email)),
    ),
  ];
}

function isAccountFolder(path: string): boolean {
  return basename(path).includes('@') && kindOf(path) === 'folder';
}

/** Folders of accounts, where files are filed; one that was dropped has its time before it. */
function accountFolders(root: string): string[] {
  return namesIn(root)
    .filter((name) => !stampPattern.test(name))
    .map((name) => join(root, name))
    .filter(isAccountFolder);
}

/** What was filed in a folder before an instant. */
function stampedBefore(folder: string, before: number): string[] {
  return namesIn(folder)
    .filter((name) => stampPattern.test(name) && (withoutStamp(name).since ?? before) < before)
    .map((name) => join(folder, name));
}

/** The name as it was dropped, and when that was. */
function withoutStamp(name: string): Pick<DroppedFile, 'name' | 'since'> {
  const base = basename(name);
  const [stamp = '', ...numbers] = stampPattern.exec(base) ?? [];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers.map(Number);
  return {
    name: join(dirname(name), base.slice(stamp.length)),
    since: Date.UTC(year, month - 1, day, hour, minute, second),
  };
}

/** Files and folders; none where there is no folder that can be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !unfinished.test(name) && kindOf(join(folder, name)) !== null)
      .sort();
  } catch {
    return [];
  }
}

/** Null for links, pipes and whatever else there may be, or when nothing is there any more. */
function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const about = lstatSync(path);
    if (about.isDirectory()) return 'folder';
    return about.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}

/** Changes whenever a file, or anything in a folder, does. */
function fingerprintOf(path: string): string {
  try {
    const about = lstatSync(path);
    if (!about.isDirectory()) return `${about.size} ${about.mtimeMs}`;
    const inside = readdirSync(path)
      .sort()
      .map((name) => `${name} ${fingerprintOf(join(path, name))}`);
    return inside.join('\n');
  } catch (error) {
    return codeOf(error);
  }
}

const isMapping = (name: string) => name.endsWith('.mapping.json');

const isSource = (name: string) => !isMapping(name) && !name.endsWith(rejectsEnd);

/** The mapping first: a file without it could be taken for something else. */
function moveWithMapping(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (kindOf(mappingOf(from)) === 'file') renameSync(mappingOf(from), mappingOf(to));
  renameSync(from, to);
}

/** The path, or one with a number where something has it, or what goes with it, already. */
function freeName(path: string): string {
  const isFree = (some: string) =>
    [some, mappingOf(some), some + rejectsEnd, some + errorEnd].every((each) => !isTaken(each));
  if (isFree(path)) return path;
  for (let number = 2; ; number++) {
    const numbered = join(dirname(path), `${number}-${shortened(basename(path))}`);
    if (isFree(numbered)) return numbered;
  }
}

/** Also by a link that leads nowhere. */
function isTaken(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The end of a name that is too long for a disk once more is put around it. */
function shortened(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= nameBytesMax) return name;
  return bytes
    .subarray(-nameBytesMax)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? '';
}
