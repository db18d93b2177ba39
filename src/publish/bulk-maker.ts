/**
 * Makes the bulk files once a day, a few documents at a time, so that requests are answered in
 * between and memory stays constant. A change in the meantime may or may not be in a file, but
 * always comes after the file's position.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { presentDocument } from '../contract/plus/bulk.ts';
import { type Clock, hourMs, minuteMs } from '../domain/kernel/time.ts';
import {
  type BulkFile,
  type BulkType,
  bulkChunkBytes,
  bulkFreshMs,
  type OpenBulkFile,
} from '../domain/market/bulk.ts';
import type { BulkMaking } from '../store/store.ts';

/** Documents per step: the months of a set are as long as many other documents. */
const sliceOf: Readonly<Record<BulkType, number>> = {
  sets: 20,
  minifigs: 20,
  months: 4,
  retail: 20,
};

/** Chunks of old files removed per step. */
const sliceChunks = 20;

/** Pause after a failure, and while there is nothing to do. */
const failureRestMs = hourMs;
const checkMs = minuteMs;

export class BulkMaker {
  /** Files in progress and finished; null: none. */
  private making: { readonly waiting: OpenBulkFile[]; readonly done: FinishedFile[] } | null = null;
  private writer: FileWriter | null = null;
  private restsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: BulkMaking,
    private readonly clock: Clock,
  ) {}

  /** Whether there may be work, as far as known without asking the store. */
  isDue(at: number): boolean {
    return this.making !== null || at >= this.restsUntil;
  }

  /** Does a little work; returns whether there is more. */
  async step(): Promise<boolean> {
    try {
      return await (this.making ? this.proceed(this.making) : this.begin());
    } catch (error) {
      this.making = null;
      this.writer = null;
      this.restsUntil = this.clock() + failureRestMs;
      throw error;
    }
  }

  private async begin(): Promise<boolean> {
    if ((await this.store.pruneBulkChunks(sliceChunks)) > 0) return true;
    const [latest] = await this.store.listBulkFiles();
    const at = this.clock();
    if (latest && at < latest.createdAt + bulkFreshMs) {
      this.restsUntil = Math.min(latest.createdAt + bulkFreshMs, at + checkMs);
      return false;
    }
    this.making = { waiting: await this.store.startBulkFiles(), done: [] };
    return true;
  }

  private async proceed({ waiting, done }: NonNullable<BulkMaker['making']>): Promise<boolean> {
    if (this.writer) {
      const finished = await this.writer.step();
      if (!finished) return true;
      done.push(finished);
      this.writer = null;
    }
    const next = waiting.shift();
    if (next) this.writer = new FileWriter(this.store, next);
    else {
      await this.store.finishBulkFiles(done, this.clock());
      this.making = null;
    }
    return true;
  }
}

type FinishedFile = Pick<BulkFile, 'id' | 'bytes' | 'sha256'>;

class FileWriter {
  private readonly gzip = createGzip();
  private readonly hash = createHash('sha256');
  /** Compressed but not yet stored. */
  private pieces: Uint8Array[] = [];
  private pending = 0;
  private bytes = 0;
  private chunks = 0;
  private afterId = 0;

  constructor(
    private readonly store: BulkMaking,
    private readonly file: OpenBulkFile,
  ) {
    this.gzip.on('data', (piece: Uint8Array) => {
      this.hash.update(piece);
      this.pieces.push(piece);
      this.pending += piece.length;
      this.bytes += piece.length;
    });
  }

  /** Writes some documents; returns the file after the last one. */
  async step(): Promise<FinishedFile | null> {
    const { type, id } = this.file;
    const documents = await this.store.listBulkDocuments(type, this.afterId, sliceOf[type]);
    const last = documents.at(-1);
    if (last) {
      this.afterId = last.itemId;
      await this.write(documents.map((each) => `${presentDocument(each)}\n`).join(''));
      while (this.pending >= bulkChunkBytes) await this.storeChunk();
      return null;
    }
    this.gzip.end();
    await once(this.gzip, 'end');
    while (this.pending > 0) await this.storeChunk();
    return { id, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  private write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.gzip.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  private async storeChunk(): Promise<void> {
    const all = Buffer.concat(this.pieces);
    const chunk = all.subarray(0, bulkChunkBytes);
    const rest = all.subarray(chunk.length);
    this.pieces = rest.length > 0 ? [rest] : [];
    this.pending = rest.length;
    await this.store.addBulkChunk(this.file.id, this.chunks++, chunk);
  }
}
