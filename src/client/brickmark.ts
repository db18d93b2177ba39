/** The client: every call of both APIs, with a key. */
import { batchPieces, joinedBatches } from './batch.ts';
import { type BulkDocuments, BulkFileReader } from './bulk-file.ts';
import type { Budget } from './errors.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import { KeptAnswers } from './kept-answers.ts';
import { ApiLists, ApiMethods, PlusLists, PlusMethods } from './methods.ts';
import { platform, type Surroundings } from './pause.ts';
import { type CallOptions, pathOf, queryText, Transport } from './transport.ts';
import type { Batch, BatchRequest, GetBulkFileQuery, StreamEventsQuery } from './types.ts';

/** How a client is made. */
export interface BrickmarkOptions {
  /** Where Brickmark is, such as `https://brickmark.example.com`. */
  readonly url: string | URL;
  /** An API key: `bmk_` and 48 hexadecimal characters. */
  readonly key: string;
  /** Sends requests. Default: the platform's own `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a call is tried again after a 500 or a lost connection. Default 2. */
  readonly retries?: number | undefined;
  /** How long one try may take, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether a call that the allowance does not cover waits until it does, instead of failing with
   * `QuotaExceeded`; or for how many seconds at most. Default: never.
   */
  readonly waitForReset?: boolean | number | undefined;
  /** Ends all calls of the client. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the remaining allowance after each answer that has it. */
  readonly onBudget?: ((budget: Budget) => void) | undefined;
  /**
   * Keeps the last 100 answers, 10 million characters at most, in memory, and has the server send
   * only those that have changed. That saves bytes, not calls.
   */
  readonly cache?: boolean | undefined;
  /** Allows `http:` to other machines. Whoever is on the way can then read the key. */
  readonly allowHttp?: boolean | undefined;
}

const retriesDefault = 2;
const timeoutMsDefault = 30_000;
const daySeconds = 86_400;

/** A client of one Brickmark with one key. */
export class Brickmark extends ApiMethods {
  /** Lists from their first element to the last, with as many calls as there are pages. */
  readonly all: ApiLists;
  /** The calls of the Plus API. */
  readonly plus: BrickmarkPlus;

  constructor(options: BrickmarkOptions);
  /** @internal For tests; the package's types leave it out. */
  constructor(options: BrickmarkOptions, surroundings: Surroundings);
  constructor(options: BrickmarkOptions, surroundings = platform) {
    const transport = new Transport({
      base: baseOf(options),
      key: checkedKey(options.key),
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      retries: options.retries ?? retriesDefault,
      timeoutMs: options.timeoutMs ?? timeoutMsDefault,
      waitSecondsMax: waitSeconds(options.waitForReset),
      signal: options.signal,
      onBudget: options.onBudget,
      kept: options.cache ? new KeptAnswers() : null,
      surroundings,
    });
    super(transport);
    this.all = new ApiLists(this);
    this.plus = new BrickmarkPlus(transport);
  }

  /** The remaining allowance after the last answer; null before the first one. */
  get budget(): Budget | null {
    return this.transport.budget;
  }

  /**
   * Any number of sets and minifigures. Costs 1 call for each unique item; more than 100 are asked
   * for in several calls, one after the other, and answered as one.
   */
  override async getBatch(body: BatchRequest, options?: CallOptions): Promise<Batch> {
    const answers: Batch[] = [];
    for (const piece of batchPieces(body)) answers.push(await super.getBatch(piece, options));
    return joinedBatches(answers);
  }
}

/** The calls of the Plus API. */
export class BrickmarkPlus extends PlusMethods {
  /** Lists from their first element to the last, with as many calls as there are pages. */
  readonly all = new PlusLists(this);

  /**
   * Events as they happen. The stream connects again when it was cut off, and goes on where it was.
   * Costs 1 call for each connection, and 1 more for each further hour of it.
   */
  streamEvents(query?: StreamEventsQuery, options?: StreamOptions): EventStream {
    const path = `/api/plus/v1/events/stream${queryText(query)}`;
    return new EventStream(this.transport, path, options);
  }

  /**
   * The documents of one of the files, while it is loaded. Costs what the operator has set for a
   * file, each time that it is read.
   */
  getBulkFile<Type extends keyof BulkDocuments>(
    type: Type,
    query?: GetBulkFileQuery,
    options?: CallOptions,
  ): BulkFileReader<BulkDocuments[Type]> {
    const path = `${pathOf`/api/plus/v1/bulk/files/${type}`}${queryText(query)}`;
    return new BulkFileReader(this.transport, path, options);
  }
}

/** The address without a slash at its end, and without the path of an API. */
function baseOf({ url, allowHttp }: BrickmarkOptions): string {
  if (!url)
    throw new TypeError(
      "`url` is missing; give the server's address, such as https://brickmark.example.com",
    );
  const { protocol, hostname, origin, pathname, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`The url must begin with https:// or http://, not ${protocol}//.`);
  if (username || password) throw new TypeError('The url must not have a name or a password.');
  const isLoopback = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLoopback && !allowHttp)
    throw new TypeError(
      `Over http:, the key could be read on its way to ${hostname}. Use https:, or set allowHttp.`,
    );
  return `${origin}${pathname.replace(/(\/api\/(plus\/)?v1)?\/*$/, '')}`;
}

/** The key, if it can be sent at all. What is thrown must not show it. */
function checkedKey(key: string): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('The key must be a text such as bmk_…, without spaces or line breaks.');
}

function waitSeconds(wait: boolean | number | undefined): number {
  if (typeof wait === 'number') return wait;
  return wait ? daySeconds : 0;
}
