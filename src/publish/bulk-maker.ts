/**
 * Makes the bulk files once a day, a few documents at a time, so that requests are answered in
 * between and memory stays constant. A change in the meantime may or may not be in a file, but
 * always comes after the file's position.
 */
import { createHash } from 'node:crypto';
import { presentDocument } from '../contract/plus/bulk.ts';
import { bulkTables } from '../contract/plus/bulk-columns.ts';
import { type Clock, hourMs, minuteMs } from '../domain/kernel/time.ts';
import {
  type BulkFile,
  type BulkFileType,
  type BulkFormat,
  bulkChunkBytes,
  bulkFileTypes,
  bulkFreshMs,
  type OpenBulkFile,
} from '../domain/market/bulk.ts';
import type { BulkMaking } from '../store/store.ts';
import { parquetEncoder } from './parquet-encoder.ts';
import {
  type BulkEncoder,
  type BulkSlice,
  csvEncoder,
  type Emit,
  jsonEncoder,
} from './text-encoders.ts';

/** Documents per step: months and changes of a set are as long as many other documents. */
const sliceOf: Readonly<Record<BulkFileType, number>> = {
  sets: 20,
  minifigs: 20,
  months: 4,
  retail: 20,
  retail_changes: 4,
};

/** Chunks of old files removed per step. */
const sliceChunks = 20;

/** Pause after a failure, and while there is nothing to do. */
const failureRestMs = hourMs;
const checkMs = minuteMs;

interface Making {
  /** The types whose files are not begun. */
  readonly waiting: BulkFileType[];
  readonly files: readonly OpenBulkFile[];
  readonly done: FinishedFile[];
}

export class BulkMaker {
  /** Null: no files are being made. */
  private making: Making | null = null;
  private writer: TypeWriter | null = null;
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
    this.making = {
      waiting: [...bulkFileTypes],
      files: await this.store.startBulkFiles(),
      done: [],
    };
    return true;
  }

  private async proceed({ waiting, files, done }: Making): Promise<boolean> {
    if (this.writer) {
      const finished = await this.writer.step();
      if (!finished) return true;
      done.push(...finished);
      this.writer = null;
    }
    const type = waiting.shift();
    if (type) {
      const own = files.filter((file) => file.type === type);
      this.writer = new TypeWriter(this.store, type, own);
    } else {
      await this.store.finishBulkFiles(done, this.clock());
      this.making = null;
    }
    return true;
  }
}

type FinishedFile = Pick<BulkFile, 'id' | 'bytes' | 'sha256'>;

/** Reads the documents of a type once, and writes them in all formats. */
class TypeWriter {
  private readonly files: readonly FileWriter[];
  private afterId = 0;

  constructor(
    private readonly store: BulkMaking,
    private readonly type: BulkFileType,
    files: readonly OpenBulkFile[],
  ) {
    this.files = files.map((file) => new FileWriter(store, file));
  }

  /** Writes some documents; returns the files after the last one. */
  async step(): Promise<FinishedFile[] | null> {
    const { store, type, files } = this;
    const documents = await store.listBulkDocuments(type, this.afterId, sliceOf[type]);
    const last = documents.at(-1);
    if (last) {
      this.afterId = last.itemId;
      const lines = documents.map(presentDocument);
      const rows = lines.flatMap((line) => bulkTables[type].rowsOf(JSON.parse(line)));
      for (const file of files) await file.write({ lines, rows });
      return null;
    }
    const finished: FinishedFile[] = [];
    for (const file of files) finished.push(await file.end());
    return finished;
  }
}

/** Stores the bytes of a file in chunks. */
class FileWriter {
  private readonly encoder: BulkEncoder;
  private readonly hash = createHash('sha256');
  /** Encoded but not yet stored. */
  private pieces: Uint8Array[] = [];
  private pending = 0;
  private bytes = 0;
  private chunks = 0;

  constructor(
    private readonly store: BulkMaking,
    private readonly file: OpenBulkFile,
  ) {
    this.encoder = encoders[file.format](file.type, (piece) => {
      this.hash.update(piece);
      this.pieces.push(piece);
      this.pending += piece.length;
      this.bytes += piece.length;
    });
  }

  async write(slice: BulkSlice): Promise<void> {
    await this.encoder.write(slice);
    while (this.pending >= bulkChunkBytes) await this.storeChunk();
  }

  async end(): Promise<FinishedFile> {
    await this.encoder.end();
    while (this.pending > 0) await this.storeChunk();
    return { id: this.file.id, bytes: this.bytes, sha256: this.hash.digest('hex') };
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

type MakeEncoder = (type: BulkFileType, emit: Emit) => BulkEncoder;

const encoders: Readonly<Record<BulkFormat, MakeEncoder>> = {
  jsonl: (_, emit) => jsonEncoder(emit),
  csv: (type, emit) => csvEncoder(bulkTables[type].columns, emit),
  parquet: (type, emit) => parquetEncoder(bulkTables[type].columns, emit),
};
