/**
 * All streams of a process: how many there may be, what they share, and their end. The log is
 * looked at while there are any.
 */
import { ApiError } from '../contract/errors.ts';
import { keyStreamsMax } from '../contract/limits.ts';
import { readLastEventId, streamHeaders } from '../contract/plus/event-stream.ts';
import type { Caller } from '../domain/account/quota.ts';
import { secondMs } from '../domain/kernel/time.ts';
import type { EventPage, EventQuery, EventsGone } from '../domain/market/events.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { Log } from '../http/log.ts';
import type { Metrics } from '../http/metrics.ts';
import { Slots } from '../http/slots.ts';
import { type AskedStream, EventStream, type StreamDeps } from './event-stream.ts';
import type { CallSource, WholeAnswer } from './handler.ts';
import { RecentEvents } from './recent-events.ts';

/** How often the log is looked at, and how often while there is more to be read. */
const lookMs = 250;
const hurryMs = 25;

/**
 * Streams that are behind read the log one after the other, and for each millisecond that takes,
 * others have so many: however many want to catch up, callers are answered meanwhile.
 */
const readingLimits = {
  each: 1,
  all: 2,
  waitingEach: 500,
  waitingAll: 5_000,
  patienceMs: 30_000,
};
const restShare = 4;

/** When to try again where there are too many, and where this server is about to end. */
const crowdedSeconds = 10;
const endingSeconds = 1;

/** What streams are made with. */
export interface EventStreamsDeps
  extends Pick<StreamDeps, 'admit' | 'findItems' | 'elapsed'>,
    StreamBounds {
  readonly market: Pick<MarketReading, 'listEvents'>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'streams'>;
  /** The connection of a request, by a name that the connection guard knows, too. */
  nameConnection(request: Request): string | null;
}

/** How many there may be. */
interface StreamBounds {
  readonly streamsMax: number;
}

/** A stream that somebody reads. */
interface OpenStream {
  readonly stream: EventStream;
  readonly caller: Caller;
  readonly requestId: string;
  readonly connection: string | null;
  readonly startedAt: number;
  /** Gives its place back. */
  leave(): void;
  /** Ends it at once, also while the store is asked. */
  stop(): void;
}

/** Opens streams, follows the log for them, and ends them. */
export class EventStreams {
  private readonly recent: RecentEvents;
  private readonly reading = new Slots(readingLimits);
  private readonly shared: StreamDeps;
  private readonly open = new Set<OpenStream>();
  private readonly connections = new Set<string>();
  private readonly ofKey = new Map<number, number>();
  private taken = 0;
  private isFollowing = false;
  private isFailing = false;
  private isEnding = false;

  constructor(private readonly deps: EventStreamsDeps) {
    const { market, admit, findItems, elapsed, metrics } = deps;
    this.recent = new RecentEvents(market);
    this.shared = {
      recent: this.recent,
      admit,
      findItems,
      elapsed,
      readPage: (accountId, query) => this.readPage(accountId, query),
      onTold: (events) => {
        metrics.streams.events += events;
      },
      onCharged: (cost) => {
        metrics.streams.cost += cost;
      },
      onFailure: (error) => this.noteFailure(error),
    };
  }

  /** Streams that are open. */
  get count(): number {
    return this.open.size;
  }

  /** Whether a connection is one of a stream's. */
  hasConnection(name: string): boolean {
    return this.connections.has(name);
  }

  /** Takes a place for a stream, and finds where it begins. */
  async prepare(
    caller: Caller,
    asked: AskedStream & { readonly after: number | null },
    source: CallSource,
  ): Promise<WholeAnswer> {
    const after = readLastEventId(source.request.headers) ?? asked.after;
    const leave = this.takePlace(caller.keyId);
    try {
      const position = after ?? (await this.findLatest());
      let isStarted = false;
      return {
        headers: streamHeaders,
        start: () => {
          isStarted = true;
          const start = { asked, position, keyHash: source.keyHash };
          return this.start(new EventStream(start, this.shared), { caller, source, leave });
        },
        release: () => {
          if (!isStarted) leave();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams, with what they were given; those who read them connect elsewhere. */
  endAll(): void {
    this.isEnding = true;
    for (const { stop } of [...this.open]) stop();
  }

  private takePlace(keyId: number): () => void {
    const ofKey = this.ofKey.get(keyId) ?? 0;
    if (this.isEnding) {
      throw tooMany('This server is shutting down; reconnect in a moment.', endingSeconds);
    }
    if (ofKey >= keyStreamsMax) {
      const message = `This key has ${keyStreamsMax} streams open, which is the most;`;
      throw tooMany(`${message} end one first.`, crowdedSeconds);
    }
    if (this.taken >= this.deps.streamsMax) {
      throw tooMany(
        'The server has reached its limit of open streams; try again later.',
        crowdedSeconds,
      );
    }
    this.taken++;
    this.ofKey.set(keyId, ofKey + 1);
    return () => {
      this.taken--;
      const left = (this.ofKey.get(keyId) ?? 1) - 1;
      if (left === 0) this.ofKey.delete(keyId);
      else this.ofKey.set(keyId, left);
    };
  }

  private async findLatest(): Promise<number> {
    const query = { after: null, kinds: null, items: null, limit: 1 };
    const page = await this.deps.market.listEvents(query);
    return 'oldest' in page ? page.oldest : page.next;
  }

  private start(
    stream: EventStream,
    { caller, source, leave }: Pick<OpenStream, 'caller' | 'leave'> & { source: CallSource },
  ): ReadableStream<Uint8Array> {
    const { request, requestId } = source;
    const connection = this.deps.nameConnection(request);
    const startedAt = this.deps.elapsed();
    const close = (by: string) => {
      stream.end(by);
      this.finish(opened);
    };
    const { body, stop } = bodyOf(stream, close);
    const opened = { stream, caller, requestId, connection, startedAt, leave, stop };
    this.open.add(opened);
    if (connection !== null) this.connections.add(connection);
    this.deps.metrics.streams.open++;
    this.follow();
    // A client that leaves before the first byte is told of by its request alone.
    request.signal.addEventListener('abort', () => close('client'));
    if (request.signal.aborted) close('client');
    if (this.isEnding) stop();
    return body;
  }

  private finish(opened: OpenStream): void {
    if (!this.open.delete(opened)) return;
    const { stream, caller, requestId, connection, startedAt, leave } = opened;
    const { log, metrics, elapsed } = this.deps;
    leave();
    if (connection !== null) this.connections.delete(connection);
    metrics.streams.open--;
    log.event('stream', {
      request_id: requestId,
      account_id: caller.accountId,
      key_id: caller.keyId,
      ended_by: stream.endedBy ?? 'server',
      seconds: Math.round((elapsed() - startedAt) / secondMs),
      events: stream.sent,
      cost: stream.cost,
    });
  }

  /** Looks at the log for as long as there is a stream. */
  private async follow(): Promise<void> {
    if (this.isFollowing) return;
    this.isFollowing = true;
    while (this.open.size > 0) {
      const isMore = await this.look();
      await Bun.sleep(isMore ? hurryMs : lookMs);
    }
    this.recent.clear();
    this.isFollowing = false;
  }

  private async look(): Promise<boolean> {
    try {
      const isMore = await this.recent.look();
      this.isFailing = false;
      return isMore;
    } catch (error) {
      this.noteFailure(error);
      return false;
    } finally {
      this.recent.passTurn();
    }
  }

  /** A store that is away is told of once, not for every stream and every look. */
  private noteFailure(error: unknown): void {
    if (!this.isFailing) this.deps.log.failure('streams', error);
    this.isFailing = true;
  }

  private async readPage(
    accountId: number,
    query: EventQuery,
  ): Promise<EventPage | EventsGone | null> {
    const leave = await this.reading.admit(String(accountId));
    if (!leave) return null;
    const started = performance.now();
    try {
      return await this.deps.market.listEvents(query);
    } finally {
      setTimeout(leave, restShare * (performance.now() - started));
    }
  }
}

function tooMany(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError('TooManyStreams', message, retryAfterSeconds);
}

/** The body that a client reads: it is asked for more only when the last part has left. */
function bodyOf(stream: EventStream, close: (by: string) => void) {
  let isOver = false;
  let end = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        end = () => {
          isOver = true;
          controller.close();
        };
      },
      pull: async (controller) => {
        const bytes = await stream.next();
        if (isOver) return;
        if (bytes !== null) return controller.enqueue(bytes);
        close('server');
        end();
      },
      cancel: () => {
        isOver = true;
        close('client');
      },
    },
    { highWaterMark: 0 },
  );
  const stop = () => {
    close('server');
    if (!isOver) end();
  };
  return { body, stop };
}
