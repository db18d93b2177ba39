/**
 * The folders of `watch`: a file is moved to `working/` for its import, and then to `done/`, to
 * `failed/`, or to `waiting/` if rows need an item or exchange rate that is missing. Files in a
 * folder named like an account's email belong to that account. `.brickmark/` has the lock.
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
import { mappingOf } from '../../ingest/runner/detect.work.ts';
import { formatInstant } from '../../kernel/time.ts';
import { type StoreHold, seizeStore } from '../../store/sqlite/lock.ts';
import { CommandError } from '../command.ts';

/** A file that has not changed for this long is complete. */
const settledMs = 2_000;

const reservedNames = ['working', 'done', 'failed', 'waiting'];

/** The time in front of a moved file; in `waiting/`, that of the first import. */
const stampPattern = /^(?:\d+-)?(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-/;

/** Names of incomplete files, as browsers and copying programs use them. */
const unfinished = /^\.|\.(part|partial|tmp|crdownload|download|filepart)$|~$/i;

const rejectsEnd = '.rejects.ndjson';

const errorEnd = '.error.txt';

/** File systems allow 255 bytes, including the time, a number and the suffixes above. */
const nameBytesMax = 200;

export interface DroppedFile {
  readonly path: string;
  /** Relative to the drop folder. */
  readonly name: string;
  /** The email of its account; null for market data. */
  readonly account: string | null;
  /** When it was first imported; null for a new file. */
  readonly since: number | null;
}

export type FiledUnder = 'done' | 'failed' | 'waiting';

export class DropFolder {
  private readonly fingerprints = new Map<
    string,
    { readonly fingerprint: string; readonly since: number }
  >();
  private readonly ownFolder: string;

  constructor(private readonly root: string) {
    this.ownFolder = join(root, '.brickmark');
  }

  /** Rejected rows of the current import; `file` moves them along. */
  get rejectsPath(): string {
    return join(this.ownFolder, 'rejects.ndjson');
  }

  /** Keeps other watchers out. The lock ends with the process. */
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

  /** Sorted by name, market data before files of accounts. */
  list(): DroppedFile[] {
    if (!existsSync(this.root))
      throw new CommandError(`The folder '${this.root}' no longer exists.`);
    return entriesIn(this.root).filter(({ name }) => !isMapping(name));
  }

  /** Files that are no longer being copied. */
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

  ignoreUntilChanged({ path }: DroppedFile): void {
    this.fingerprints.set(path, {
      fingerprint: fingerprintOf(path),
      since: Number.POSITIVE_INFINITY,
    });
  }

  /**
   * Moves files of an interrupted import back, to be imported again. A file that was dropped under
   * the same name since keeps it.
   */
  restoreUnfinished(): void {
    const left = entriesIn(join(this.root, 'working'));
    // A mapping is alone only if a watcher was killed between the two renames.
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

  /** Moves a file and its mapping to `working/`; null if it no longer exists. */
  claim({ path, name, account, since }: DroppedFile): DroppedFile | null {
    if (kindOf(path) === null) return null;
    const claimed = freeName(join(this.root, 'working', name));
    moveWithMapping(path, claimed);
    // Results of the previous attempt.
    if (since !== null)
      for (const end of [rejectsEnd, errorEnd]) rmSync(path + end, { force: true });
    return { path: claimed, name, account, since };
  }

  listWaiting(): DroppedFile[] {
    return entriesIn(join(this.root, 'waiting'))
      .filter(({ name }) => isSource(name))
      .map((file) => ({ ...file, ...withoutStamp(file.name) }));
  }

  /** Moves a claimed file with its rejects and error; returns its new path. */
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
   * Deletes files put into `done/` before an instant, with their rejects and mappings, which have
   * the same time in front. Files without a time were not put there by a watcher, and stay.
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
 * The first entry that is neither a file nor a folder; null if there is none. A link could point to
 * a file that only the watcher may read.
 */
export function findStray(path: string): string | null {
  const kind = kindOf(path);
  if (kind === null) return basename(path);
  const names = kind === 'folder' ? readdirSync(path).sort() : [];
  return names.find((name) => !name.startsWith('.') && kindOf(join(path, name)) === null) ?? null;
}

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

/** A folder with a time in front was dropped as a whole. */
function accountFolders(root: string): string[] {
  return namesIn(root)
    .filter((name) => !stampPattern.test(name))
    .map((name) => join(root, name))
    .filter(isAccountFolder);
}

function stampedBefore(folder: string, before: number): string[] {
  return namesIn(folder)
    .filter((name) => stampPattern.test(name) && (withoutStamp(name).since ?? before) < before)
    .map((name) => join(folder, name));
}

function withoutStamp(name: string): Pick<DroppedFile, 'name' | 'since'> {
  const base = basename(name);
  const [stamp = '', ...numbers] = stampPattern.exec(base) ?? [];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers.map(Number);
  return {
    name: join(dirname(name), base.slice(stamp.length)),
    since: Date.UTC(year, month - 1, day, hour, minute, second),
  };
}

/** Empty if the folder cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !unfinished.test(name) && kindOf(join(folder, name)) !== null)
      .sort();
  } catch {
    return [];
  }
}

/** Null for anything else, such as links, and for a path that no longer exists. */
function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const about = lstatSync(path);
    if (about.isDirectory()) return 'folder';
    return about.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}

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

/** Moves the mapping first: without it, the file may be detected as another format. */
function moveWithMapping(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (kindOf(mappingOf(from)) === 'file') renameSync(mappingOf(from), mappingOf(to));
  renameSync(from, to);
}

/** Adds a number if the path, or the path of a related file, exists. */
function freeName(path: string): string {
  const isFree = (some: string) =>
    [some, mappingOf(some), some + rejectsEnd, some + errorEnd].every((each) => !pathExists(each));
  if (isFree(path)) return path;
  for (let number = 2; ; number++) {
    const numbered = join(dirname(path), `${number}-${shortened(basename(path))}`);
    if (isFree(numbered)) return numbered;
  }
}

/** True for broken links too. */
function pathExists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the end of the name, with the extension. */
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
