/** The client: every call of both APIs, with a key. */

import { AnswerCache } from './answer-cache.ts';
import { type BulkDocuments, BulkFileReader } from './bulk-file.ts';
import type { Budget } from './errors.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import type { ApiLists } from './method-types.ts';
import { ApiMethods, apiListsOf, PlusMethods, plusListsOf } from './methods.ts';
import { platform, type Surroundings } from './pause.ts';
import { type CallOptions, pathOf, queryText, Transport } from './transport.ts';
import type { GetBulkFileQuery, StreamEventsQuery } from './types.ts';

/** Options of a client. */
export interface BrickmarkOptions {
  /** The server address, such as `https://brickmark.example.com`. */
  readonly url: string | URL;
  /** An API key: `bmk_` and 48 hexadecimal characters. */
  readonly key: string;
  /** A function that sends requests. Default: the built-in `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How many times to retry a call after a 500 or a lost connection. Default: 2. */
  readonly retries?: number | undefined;
  /** The timeout of each attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a call waits in total, in seconds, when the server refuses it and says when to try
   * again (`Retry-After`). `true`: up to a day, so also for the next allowance; `false`: not at
   * all. Default: 60.
   */
  readonly waitForReset?: boolean | number | undefined;
  /** Cancels all calls of the client. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the calls left after each response that has them. */
  readonly onBudget?: ((budget: Budget) => void) | undefined;
  /**
   * Keep the last 100 responses, at most 10 million characters, in memory, and download only those
   * that have changed. Saves bandwidth, not calls. Default: false.
   */
  readonly cache?: boolean | undefined;
  /** Allow `http:` to other machines. Anyone on the network path can then read the key. */
  readonly allowHttp?: boolean | undefined;
}

const retriesDefault = 2;
const timeoutMsDefault = 30_000;
const waitSecondsDefault = 60;
const daySeconds = 86_400;

/** A client of one Brickmark server with one key. */
export class Brickmark extends ApiMethods {
  /** Complete lists; each page costs 1 call. */
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
      kept: options.cache ? new AnswerCache() : null,
      surroundings,
    });
    super(transport);
    this.all = apiListsOf(this);
    this.plus = new BrickmarkPlus(transport);
  }

  /** The calls left after the last response; null before the first one. */
  get budget(): Budget | null {
    return this.transport.budget;
  }
}

/** The calls of the Plus API. */
export class BrickmarkPlus extends PlusMethods {
  /** Complete lists; each page costs 1 call. */
  readonly all = plusListsOf(this);

  /**
   * Stream market events. The stream reconnects automatically and resumes after the last event.
   * Costs 1 call per connection, and 1 more for each further hour.
   */
  streamEvents(query?: StreamEventsQuery, options?: StreamOptions): EventStream {
    const path = `/api/plus/v1/events/stream${queryText(query)}`;
    return new EventStream(this.transport, path, options);
  }

  /**
   * Stream the documents of a bulk file while it downloads. Every read costs the number of calls
   * set by the operator.
   */
  getBulkFile<Type extends keyof BulkDocuments>(
    type: Type,
    query?: GetBulkFileQuery,
    options?: CallOptions,
  ): BulkFileReader<BulkDocuments[Type]> {
    const path = `${pathOf`/api/plus/v1/bulk/files/${type}`}${queryText(query)}`;
    return new BulkFileReader(this.transport, path, query?.format ?? 'jsonl', options);
  }
}

/** Without a trailing slash and without the path of an API. */
function baseOf({ url, allowHttp }: BrickmarkOptions): string {
  if (!url)
    throw new TypeError(
      '`url` is missing; set the server address, such as https://brickmark.example.com',
    );
  const { protocol, hostname, origin, pathname, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`The url must start with https:// or http://, not ${protocol}//.`);
  if (username || password)
    throw new TypeError('The url must not contain a user name or password.');
  const isLoopback = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLoopback && !allowHttp)
    throw new TypeError(
      `Others on the network to ${hostname} can read the key. Use https:, or set allowHttp.`,
    );
  return `${origin}${pathname.replace(/(\/api\/(plus\/)?v1)?\/*$/, '')}`;
}

/** Throws if the key cannot be sent; the error must not contain it. */
function checkedKey(key: string): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('The key must be a string such as bmk_…, without spaces or line breaks.');
}

function waitSeconds(wait: boolean | number = waitSecondsDefault): number {
  if (typeof wait === 'number') return wait;
  return wait ? daySeconds : 0;
}
