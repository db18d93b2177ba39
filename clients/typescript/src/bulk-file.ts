/** A bulk file: its documents one by one, or its bytes. */
import { bytesOf, linesOf, unzipped } from './body.ts';
import type { CallOptions, Transport } from './transport.ts';
import type {
  HistoryPoint,
  Minifig,
  PublishedOffer,
  RetailRow,
  Set as SetRecord,
} from './types.ts';

/** The finalized months of a set, oldest first. */
export interface SetMonths {
  /** The set number. */
  set_number: string;
  /** Months of the sealed set. */
  sealed: HistoryPoint[];
  /** Months of the used set. */
  used: HistoryPoint[];
}

/** The published changes of a set at its retailers, oldest first. */
export interface SetRetailChanges {
  /** The set number. */
  set_number: string;
  /** The changes, each in force until the next one at the same retailer. */
  changes: (PublishedOffer & { retailer: 'retailer_a' | 'retailer_b' })[];
}

/** The type of document in each type of file. */
export interface BulkDocuments {
  /** Sets with their values. */
  sets: SetRecord;
  /** Minifigures with their values. */
  minifigs: Minifig;
  /** Finalized months of sets. */
  months: SetMonths;
  /** Retail prices of sets, without `paid`. */
  retail: RetailRow;
  /** Published changes of sets at their retailers. */
  retail_changes: SetRetailChanges;
}

const silenceMsMax = 30_000;

/** The documents of a bulk file. Every read downloads the file again, and is charged again. */
export class BulkFileReader<Document> implements AsyncIterable<Document> {
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly format: string,
    private readonly options?: CallOptions,
  ) {}

  /** The file as is, in any format. */
  bytes(): AsyncGenerator<Uint8Array> {
    return this.#bytes();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    if (this.format !== 'jsonl') {
      throw new TypeError(`A ${this.format} file has no documents to read; use bytes().`);
    }
    for await (const line of linesOf(unzipped(this.#bytes()))) yield JSON.parse(line);
  }

  async *#bytes() {
    const { transport, path, options } = this;
    const request = { method: 'GET', path } as const;
    const connection = await transport.attempt(() => transport.connect(request, options), options);
    yield* bytesOf(transport, connection, silenceMsMax);
  }
}
