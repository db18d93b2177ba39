/**
 * A cache of pictures on disk. Any number of processes may share the folder, because files are
 * renamed into place. If it cannot be written, pictures are just not cached.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hourMs } from '../../kernel/time.ts';
import { type Picture, readPicture } from './picture-sizes.ts';

export interface PictureFolder {
  readonly path: string;
  readonly bytesMax: number;
}

/** The share of the maximum size that is written between two sweeps. */
const sweepShare = 0.05;

/** The share of the maximum size that a sweep keeps. */
const keptShare = 0.9;

/** The suffix of files being written; an old one was left by a process that ended. */
const unfinished = '.part';

interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** The pictures in a folder; the least recently used are deleted first. */
export class PictureFiles {
  private written = Number.POSITIVE_INFINITY;
  private sweeping: Promise<void> | null = null;

  constructor(
    private readonly folder: PictureFolder,
    private readonly now: () => number,
  ) {}

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

  /** Saves a picture, if possible. */
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

  /** The files in the folder, after deleting unfinished ones. */
  private async list(): Promise<FoundFile[]> {
    const found: FoundFile[] = [];
    for (const name of await readdir(this.folder.path, { recursive: true })) {
      const path = join(this.folder.path, name);
      // Another process may have deleted it.
      const facts = await stat(path).catch(() => null);
      if (!facts?.isFile()) continue;
      const isAbandoned = name.endsWith(unfinished) && facts.mtimeMs < this.now() - hourMs;
      if (isAbandoned) await rm(path, { force: true });
      else found.push({ path, bytes: facts.size, usedAt: facts.mtimeMs });
    }
    return found;
  }

  private async noteUse(path: string): Promise<void> {
    const at = this.now() / 1000;
    await utimes(path, at, at).catch(() => {});
  }

  /** Names are external URLs, so paths are made of their hashes. */
  private pathOf(name: string): string {
    const hash = new Bun.CryptoHasher('sha256').update(name).digest('hex');
    return join(this.folder.path, hash.slice(0, 2), hash.slice(2));
  }
}
