/**
 * Makes files with everything that is published, once a day, a few documents at a time: requests
 * are answered in between, and memory does not grow with the store. What changes meanwhile may be
 * in a file or not; it comes after the file's position in any case.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { presentDocument } from '../contract/plus/bulk.ts';
import { type Clock, hourMs, minuteMs } from '../domain/kernel/time.ts';
import {
  type BulkFile,
  type BulkMaking,
  type BulkType,
  bulkChunkBytes,
  bulkFreshMs,
  type OpenBulkFile,
} from '../domain/market/bulk.ts';

/** Documents that are written at once: the months of a set are as long as many other documents. */
const sliceOf: Readonly<Record<BulkType, number>> = {
  sets: 20,
  minifigs: 20,
  months: 4,
  retail: 20,
};

/** Pieces of outdated files that are removed at once. */
const sliceChunks = 20;

/** After a failure it is tried again; when there is nothing to do, it is looked again. */
const failureRestMs = hourMs;
const lookMs = minuteMs;

/** Makes files bit by bit. */
export class BulkMaker {
  /** The files under way, and those that are finished; null while none are made. */
  private making: { readonly waiting: OpenBulkFile[]; readonly done: FinishedFile[] } | null = null;
  private writer: FileWriter | null = null;
  private restsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: BulkMaking,
    private readonly clock: Clock,
  ) {}

  /** Whether there is something to do, as far as that is known without asking the store. */
  isDue(at: number): boolean {
    return this.making !== null || at >= this.restsUntil;
  }

  /** Does a little of what there is to do; whether there is more. */
  async step(): Promise<boolean> {
    try {
      return await (this.making ? this.goOn(this.making) : this.begin());
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
      this.restsUntil = Math.min(latest.createdAt + bulkFreshMs, at + lookMs);
      return false;
    }
    this.making = { waiting: await this.store.startBulkFiles(), done: [] };
    return true;
  }

  private async goOn({ waiting, done }: NonNullable<BulkMaker['making']>): Promise<boolean> {
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

/** Writes one file. */
class FileWriter {
  private readonly gzip = createGzip();
  private readonly hash = createHash('sha256');
  /** What is compressed and not stored yet. */
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

  /** Writes some documents; the finished file after the last one. */
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
