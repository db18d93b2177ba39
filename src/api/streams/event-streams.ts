/**
 * All event streams of a process: their limits, what they share, and their end. The log is polled
 * while any stream is open.
 */

import type { Caller } from '../../accounts/keys/quota.ts';
import { findLatest } from '../../alerts/channels/own-webhooks.work.ts';
import { ApiError } from '../../contract/errors.ts';
import { keyStreamsMax } from '../../contract/limits.ts';
import { readLastEventId, streamHeaders } from '../../contract/plus/event-stream.ts';
import type { Log } from '../../http/log.ts';
import type { Metrics } from '../../http/metrics.ts';
import { pools, reservedOf } from '../../http/pools.ts';
import { Slots, type Taker } from '../../http/slots.ts';
import { secondMs } from '../../kernel/time.ts';
import type { EventPage, EventQuery, EventsGone } from '../../market/events/events.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { CallSource, WholeAnswer } from '../handler.ts';
import { EventStream, type RequestedStream, type StreamDeps } from './event-stream.ts';
import { RecentEvents } from './recent-events.ts';

/** Polling interval of the log, and the interval while there is more to read. */
const lookMs = 250;
const hurryMs = 25;

/**
 * Streams that are behind read the log one after the other, with a pause in proportion to the time
 * each read takes, up to a limit, so that other requests are answered.
 */
const restShare = 4;
const restMsMax = 2_000;

/** `Retry-After` at the limit of streams, and when the server is stopping. */
const crowdedSeconds = 10;
const endingSeconds = 1;

export interface EventStreamsDeps
  extends Pick<StreamDeps, 'admit' | 'findItems' | 'elapsed'>,
    StreamBounds {
  readonly market: Pick<MarketReading, 'listEvents'>;
  /** Those of some keys that are neither revoked nor expired nor deleted with their account. */
  listActiveKeys(ids: readonly number[]): Promise<readonly number[]>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'streams'>;
  /** The connection of a request, by the name that the connection guard uses. */
  nameConnection(request: Request): string | null;
  /** Called with the charge for another hour of a stream. */
  onCharged?(cost: number, caller: Caller): void;
  /** Bun's by default. */
  readonly sleep?: (ms: number) => Promise<void>;
}

interface StreamBounds {
  readonly streamsMax: number;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly caller: Caller;
  readonly requestId: string;
  readonly connection: string | null;
  readonly startedAt: number;
  /** Frees its slot. */
  leave(): void;
  /** Ends it at once, even during a store read. */
  stop(): void;
}

export class EventStreams {
  private readonly recent: RecentEvents;
  private readonly reading = new Slots(pools.streamReads);
  private readonly slots: Slots;
  private readonly shared: StreamDeps;
  private readonly sleep: (ms: number) => Promise<void>;
  private readonly open = new Set<OpenStream>();
  private readonly connections = new Set<string>();
  private readonly ofKey = new Map<number, number>();
  private isFollowing = false;
  private isFailing = false;
  private isEnding = false;

  constructor(private readonly deps: EventStreamsDeps) {
    const { market, admit, findItems, elapsed, metrics, streamsMax } = deps;
    const reserved = reservedOf(streamsMax);
    this.slots = new Slots({ ...pools.streams, all: streamsMax, reserved });
    this.recent = new RecentEvents(market);
    this.sleep = deps.sleep ?? Bun.sleep;
    this.shared = {
      recent: this.recent,
      admit,
      findItems,
      elapsed,
      readPage: (reader, query) => this.readPage(reader, query),
      onWritten: (events) => {
        metrics.streams.events += events;
      },
      onCharged: (cost, caller) => {
        metrics.streams.cost += cost;
        deps.onCharged?.(cost, caller);
      },
      onFailure: (error) => this.noteFailure(error),
    };
  }

  get count(): number {
    return this.open.size;
  }

  hasConnection(name: string): boolean {
    return this.connections.has(name);
  }

  /** Reserves a slot for a stream, and determines its start position. */
  async prepare(
    caller: Caller,
    requested: RequestedStream & { readonly after: number | null },
    source: CallSource,
  ): Promise<WholeAnswer> {
    const after = readLastEventId(source.request.headers) ?? requested.after;
    const leave = await this.takeSlot(caller);
    try {
      const position = after ?? (await findLatest(this.deps.market));
      let isStarted = false;
      return {
        headers: streamHeaders,
        start: () => {
          isStarted = true;
          const network = caller.network ?? null;
          const start = { requested, position, key: source.key, network };
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

  /** Ends all streams; clients reconnect to another server. */
  endAll(): void {
    this.isEnding = true;
    for (const { stop } of [...this.open]) stop();
  }

  private async takeSlot({ keyId, accountId, network }: Caller): Promise<() => void> {
    const ofKey = this.ofKey.get(keyId) ?? 0;
    if (this.isEnding) {
      const message = 'This server is shutting down; reconnect in a moment.';
      throw new ApiError('TooManyStreams', message, endingSeconds);
    }
    if (ofKey >= keyStreamsMax) {
      const message = `This key has ${keyStreamsMax} streams open, which is the most;`;
      throw new ApiError('TooManyStreams', `${message} end one first.`, crowdedSeconds);
    }
    const taker = { account: accountId, network: network ?? null };
    const limit = this.slots.findLimit(taker);
    if (limit !== null) {
      throw new ApiError('TooManyStreams', crowdedTexts[limit], crowdedSeconds);
    }
    this.ofKey.set(keyId, ofKey + 1);
    const leaveSlot = await this.slots.admit(taker);
    return () => {
      leaveSlot?.();
      const left = (this.ofKey.get(keyId) ?? 1) - 1;
      if (left === 0) this.ofKey.delete(keyId);
      else this.ofKey.set(keyId, left);
    };
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
    // A client that disconnects before the first byte is only noticed here.
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

  private async follow(): Promise<void> {
    if (this.isFollowing) return;
    this.isFollowing = true;
    while (this.open.size > 0) {
      const isMore = await this.look();
      await this.sleep(isMore ? hurryMs : lookMs);
    }
    this.recent.clear();
    this.isFollowing = false;
  }

  private async look(): Promise<boolean> {
    try {
      const isMore = await this.recent.look();
      if (!isMore) await this.doubtEndedKeys();
      this.isFailing = false;
      return isMore;
    } catch (error) {
      this.noteFailure(error);
      return false;
    } finally {
      this.recent.passTurn();
    }
  }

  /** A silent stream would notice the end of its key only at its next heartbeat. */
  private async doubtEndedKeys(): Promise<void> {
    const active = new Set(await this.deps.listActiveKeys([...this.ofKey.keys()]));
    for (const { stream, caller } of this.open) if (!active.has(caller.keyId)) stream.doubt();
  }

  /** An unavailable store is reported once, not for every stream and poll. */
  private noteFailure(error: unknown): void {
    if (!this.isFailing) this.deps.log.failure('streams', error);
    this.isFailing = true;
  }

  private async readPage(reader: Taker, query: EventQuery): Promise<EventPage | EventsGone | null> {
    const leave = await this.reading.admit(reader);
    if (!leave) return null;
    const { market, elapsed } = this.deps;
    const startedAt = elapsed();
    try {
      return await market.listEvents(query);
    } finally {
      const restMs = Math.min(restShare * (elapsed() - startedAt), restMsMax);
      this.sleep(restMs).then(() => leave());
    }
  }
}

/** By the limit that was reached. */
const crowdedTexts = {
  account: 'This account has reached its limit of open streams; end one first.',
  network: 'Your network has reached its limit of open streams; try again later.',
  all: 'The server has reached its limit of open streams; try again later.',
} as const;

/** A pull stream: the next part is made when the last one has been sent. */
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
