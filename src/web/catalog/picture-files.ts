/**
 * Pictures on disk, so that they are fetched once and not after every start. Any number of
 * processes may share the folder: a file is there whole or not at all. Where nothing can be
 * written, nothing is kept here, and nobody is told: it is a cache.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hourMs } from '../../domain/kernel/time.ts';
import { type Picture, readPicture } from './picture-sizes.ts';

/** A folder for pictures, and how much may be in it. */
export interface PictureFolder {
  readonly path: string;
  readonly bytesMax: number;
}

/** The folder is looked over again when this share of its room has been written. */
const sweepShare = 0.05;

/** Sweeping makes so much room that it is not needed again at once. */
const keptShare = 0.9;

/** A file under this ending is being written; what is older was left by a process that ended. */
const unfinished = '.part';

interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** The pictures of a folder; those that were not asked for the longest go first. */
export class PictureFiles {
  private written = Number.POSITIVE_INFINITY;
  private sweeping: Promise<void> | null = null;

  constructor(
    private readonly folder: PictureFolder,
    private readonly now: () => number,
  ) {}

  /** The picture under a name; null when there is none. */
  async find(name: string): Promise<Picture | null> {
    const path = this.pathOf(name);
    try {
      const picture = readPicture(new Uint8Array(await readFile(path)));
      if (picture) await this.noteUse(path);
      return picture;
    } catch {
      return null;
    }
  }

  /** Keeps a picture under a name, if it can be. */
  async save(name: string, { bytes }: Picture): Promise<void> {
    const path = this.pathOf(name);
    const part = `${path}.${crypto.randomUUID()}${unfinished}`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(part, bytes, { mode: 0o600 });
      await this.noteUse(part);
      await rename(part, path);
      this.written += bytes.length;
      if (this.written > sweepShare * this.folder.bytesMax) await this.sweep();
    } catch {
      await rm(part, { force: true }).catch(() => {});
    }
  }

  /** Deletes what was not used for longest, until there is room. */
  private sweep(): Promise<void> {
    this.sweeping ??= this.deleteOldest().finally(() => {
      this.sweeping = null;
    });
    return this.sweeping;
  }

  private async deleteOldest(): Promise<void> {
    this.written = 0;
    const { bytesMax } = this.folder;
    const files = await this.list();
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= bytesMax) return;
    for (const { path, bytes } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= keptShare * bytesMax) break;
      await rm(path, { force: true });
      total -= bytes;
    }
  }

  /** The files of the folder; what a process left unfinished is removed on the way. */
  private async list(): Promise<FoundFile[]> {
    const found: FoundFile[] = [];
    for (const name of await readdir(this.folder.path, { recursive: true })) {
      const path = join(this.folder.path, name);
      // Another process may have removed it meanwhile.
      const facts = await stat(path).catch(() => null);
      if (!facts?.isFile()) continue;
      const isLeft = name.endsWith(unfinished) && facts.mtimeMs < this.now() - hourMs;
      if (isLeft) await rm(path, { force: true });
      else found.push({ path, bytes: facts.size, usedAt: facts.mtimeMs });
    }
    return found;
  }

  private async noteUse(path: string): Promise<void> {
    const at = this.now() / 1000;
    await utimes(path, at, at).catch(() => {});
  }

  /** Names are addresses of others: none of them becomes part of a path. */
  private pathOf(name: string): string {
    const hash = new Bun.CryptoHasher('sha256').update(name).digest('hex');
    return join(this.folder.path, hash.slice(0, 2), hash.slice(2));
  }
}
