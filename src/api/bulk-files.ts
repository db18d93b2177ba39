/**
 * Files of what is published, as this process gives them: read from the store once, and then from a
 * folder of its own, so that any part of a file can be sent to any number of callers.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BulkFile, BulkReading } from '../domain/market/bulk.ts';

/** What an operator offers: files, and what one of them costs. */
export interface BulkOffer extends Pick<BulkFiles, 'find' | 'close'> {
  readonly cost: number;
}

/** Offers files at a cost; null: none are offered. */
export function offerBulk(
  store: ConstructorParameters<typeof BulkFiles>[0],
  cost: number | null,
): BulkOffer | null {
  if (cost === null) return null;
  const files = new BulkFiles(store);
  return { cost, find: (file) => files.find(file), close: () => files.close() };
}

/** The files that were asked for. */
class BulkFiles {
  private folder: string | null = null;
  /** Copies under way, by their hashes. */
  private readonly copying = new Map<string, Promise<string>>();

  constructor(private readonly store: Pick<BulkReading, 'listBulkFiles' | 'readBulkChunk'>) {}

  /** The path of a file on this machine; null when it is gone from the store. */
  async find(file: BulkFile): Promise<string | null> {
    const under = this.copying.get(file.sha256);
    if (under) return under.catch(() => null);
    const path = this.pathOf(file);
    if (existsSync(path)) return path;
    const copy = this.copy(file, path).finally(() => this.copying.delete(file.sha256));
    this.copying.set(file.sha256, copy);
    return copy.catch((error) => {
      if (error instanceof GoneError) return null;
      throw error;
    });
  }

  /** Removes all of them. Those that are being sent are sent to their end. */
  close(): void {
    if (this.folder) removeFolder(this.folder);
    this.folder = null;
  }

  private pathOf({ sha256 }: BulkFile): string {
    // Systems clean their folder of temporary files now and then, also while this process runs.
    if (this.folder === null || !existsSync(this.folder)) {
      removeAbandoned();
      this.folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
    }
    return join(this.folder, sha256);
  }

  private async copy(file: BulkFile, path: string): Promise<string> {
    await this.removeOld();
    const partial = `${path}.part`;
    const hash = createHash('sha256');
    const writer = Bun.file(partial).writer();
    for (let place = 0; ; place++) {
      const chunk = await this.store.readBulkChunk(file.id, place);
      if (chunk === null) break;
      hash.update(chunk);
      writer.write(chunk);
      await writer.flush();
    }
    await writer.end();
    if (hash.digest('hex') !== file.sha256) throw new GoneError();
    renameSync(partial, path);
    return path;
  }

  /** What the store has no longer is not kept either. */
  private async removeOld(): Promise<void> {
    const kept = new Set((await this.store.listBulkFiles()).map(({ sha256 }) => sha256));
    if (this.folder === null) return;
    for (const name of readdirSync(this.folder)) {
      if (!kept.has(name.replace('.part', ''))) rmSync(join(this.folder, name), { force: true });
    }
  }
}

const folderPrefix = 'brickmark-bulk-';

/** Removes what processes that were killed have left, as far as that is ours to remove. */
export function removeAbandoned(remove: (path: string) => void = removeFolder): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(folderPrefix)
      ? Number.parseInt(name.slice(folderPrefix.length), 10)
      : 0;
    if (pid <= 0 || isRunning(pid)) continue;
    try {
      remove(join(tmpdir(), name));
    } catch {
      // It is another user's, who removes it.
    }
  }
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs as somebody else.
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

/** The file was removed while it was read. */
class GoneError extends Error {}
