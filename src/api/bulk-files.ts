/**
 * Serves bulk files: each is read from the store once, then from a temporary folder, so that any
 * part can be sent to any number of callers.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BulkFile } from '../market/published/bulk.ts';
import type { BulkReading } from '../publish/bulk/bulk.store.ts';
import { removeAbandoned, removeFolder } from '../store/sqlite/files.ts';

export interface BulkOffer extends Pick<BulkFiles, 'find' | 'close'> {
  readonly cost: number;
}

/** Null: not offered. */
export function offerBulk(
  store: ConstructorParameters<typeof BulkFiles>[0],
  cost: number | null,
): BulkOffer | null {
  if (cost === null) return null;
  const files = new BulkFiles(store);
  return { cost, find: (file) => files.find(file), close: () => files.close() };
}

class BulkFiles {
  private folder: string | null = null;
  /** Copies in progress, by hash. */
  private readonly copying = new Map<string, Promise<string | null>>();

  constructor(private readonly store: Pick<BulkReading, 'listBulkFiles' | 'readBulkChunk'>) {}

  /** The local path of a file; null if the store no longer has it. */
  async find(file: BulkFile): Promise<string | null> {
    const copying = this.copying.get(file.sha256);
    if (copying) return copying;
    const path = this.pathOf(file);
    if (existsSync(path)) return path;
    const copy = this.copy(file, path).finally(() => this.copying.delete(file.sha256));
    this.copying.set(file.sha256, copy);
    return copy;
  }

  /** Removes all files. Responses in progress are completed. */
  close(): void {
    if (this.folder) removeFolder(this.folder);
    this.folder = null;
  }

  private pathOf({ sha256 }: BulkFile): string {
    // The system may clean its temporary folder while this process runs.
    if (this.folder === null || !existsSync(this.folder)) {
      removeAbandoned(tmpdir(), folderPrefix);
      this.folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
    }
    return join(this.folder, sha256);
  }

  private async copy(file: BulkFile, path: string): Promise<string | null> {
    await this.removeOld();
    const partial = `${path}.part`;
    const hash = createHash('sha256');
    await using target = await open(partial, 'w');
    for (let index = 0; ; index++) {
      const chunk = await this.store.readBulkChunk(file.id, index);
      if (chunk === null) break;
      hash.update(chunk);
      await target.appendFile(chunk);
    }
    // It was removed while it was read.
    if (hash.digest('hex') !== file.sha256) return null;
    renameSync(partial, path);
    return path;
  }

  /** Removes files that the store no longer has. */
  private async removeOld(): Promise<void> {
    const kept = new Set((await this.store.listBulkFiles()).map(({ sha256 }) => sha256));
    if (this.folder === null) return;
    for (const name of readdirSync(this.folder)) {
      if (!kept.has(name.replace('.part', ''))) rmSync(join(this.folder, name), { force: true });
    }
  }
}

const folderPrefix = 'brickmark-bulk-';
