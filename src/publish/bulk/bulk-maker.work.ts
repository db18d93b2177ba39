/**
 * Makes the bulk files once a day, a few documents at a time, so that other work is done in
 * between and memory stays constant. A change in the meantime may or may not be in a file, but
 * always comes after the file's position.
 */
import { createHash } from 'node:crypto';
import { presentDocument } from '../../contract/plus/bulk.ts';
import { bulkTables } from '../../contract/plus/bulk-columns.ts';
import { Lease } from '../../kernel/lease.ts';
import { StoppableWait } from '../../kernel/stoppable-wait.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { type Clock, hourMs, minuteMs, secondMs } from '../../kernel/time.ts';
import {
  type BulkFile,
  type BulkFileType,
  type BulkFormat,
  bulkChunkBytes,
  bulkFileTypes,
  bulkFreshMs,
  type OpenBulkFile,
} from '../../market/published/bulk.ts';
import type { MarketPublishing } from '../publishing.store.ts';
import type { BulkMaking } from './bulk.store.ts';
import { parquetEncoder } from './parquet-encoder.work.ts';
import {
  type BulkEncoder,
  type BulkSlice,
  csvEncoder,
  type Emit,
  jsonEncoder,
} from './text-encoders.work.ts';

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

/** Pause between two steps. */
const pauseMs = 4;

/** Pause after a failure, and while there is nothing to do. */
const failureRestMs = hourMs;
const checkMs = minuteMs;

/** Another process takes over this long after the holder died. */
const leaseMs = 30 * secondMs;

interface BulkWork {
  readonly store: Pick<BulkMaking, 'listBulkFiles'> & Pick<MarketPublishing, 'takeLease'>;
  readonly clock: Clock;
  /** Names this process among those that share the store. */
  readonly holder: string;
  /** Makes the files, in another process. */
  make(): Promise<void>;
  onFailure(error: unknown): void;
}

/** Has the files made when they are due. Returns a function that stops it once `make` has ended. */
export function startBulkMaking(work: BulkWork): () => Promise<void> {
  const { store, clock, holder, make, onFailure } = work;
  const rest = new StoppableWait();
  const lease = new Lease(store, clock, { name: 'bulk', holder, leaseMs });
  const makeIfDue = async () => {
    const [latest] = await store.listBulkFiles();
    if (!isDue(latest, clock()) || !(await lease.take())) return;
    await make().finally(() => lease.release());
  };
  const run = async () => {
    while (!rest.isStopped) {
      const error = await makeIfDue().then(
        () => null,
        (thrown) => thrown,
      );
      // An import is writing, or this process is ending.
      const isExpected = error === null || error instanceof StoreBusyError || rest.isStopped;
      if (!isExpected) onFailure(error);
      await rest.wait(isExpected ? checkMs : failureRestMs);
    }
  };
  const running = run();
  return async () => {
    rest.stop();
    await running;
  };
}

function isDue(latest: BulkFile | undefined, at: number): boolean {
  return latest === undefined || at >= latest.createdAt + bulkFreshMs;
}

/** Makes the files if they are due, and removes old ones. */
export async function makeBulkFiles(store: BulkMaking, clock: Clock): Promise<void> {
  const maker = new BulkMaker(store, clock);
  while (await maker.step()) await Bun.sleep(pauseMs);
}

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

  constructor(
    private readonly store: BulkMaking,
    private readonly clock: Clock,
  ) {}

  /** Does a little work; returns whether there is more. */
  step(): Promise<boolean> {
    return this.making ? this.proceed(this.making) : this.begin();
  }

  private async begin(): Promise<boolean> {
    if ((await this.store.pruneBulkChunks(sliceChunks)) > 0) return true;
    const [latest] = await this.store.listBulkFiles();
    if (!isDue(latest, this.clock())) return false;
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
