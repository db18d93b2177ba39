/**
 * One stream of events: what is written next, asked for by whoever writes it. A client that reads
 * slowly asks slowly, and nothing piles up for it. What is written are the events of the log after
 * the stream's position that it asked for, in their order, each once.
 */
import { allErrors, type ErrorCode } from '../contract/errors.ts';
import {
  errorText,
  greetingText,
  heartbeatText,
  positionText,
  staleText,
} from '../contract/plus/event-stream.ts';
import type { Caller } from '../domain/account/quota.ts';
import type { EventScope } from '../domain/delivery/channel.ts';
import { type Clock, hourMs, secondMs } from '../domain/kernel/time.ts';
import type {
  EventItems,
  EventKeys,
  EventPage,
  EventQuery,
  EventsGone,
} from '../domain/market/events.ts';
import type { Admit, Decision } from './admission.ts';
import type { CallSource } from './handler.ts';
import {
  bytesOf,
  type RecentEvents,
  type StreamEvents,
  streamEvent,
  type WantedEvents,
  writeEvents,
} from './recent-events.ts';
import { rateLimitOf } from './respond.ts';

/** How long a stream is silent at the most. */
const heartbeatMs = 15 * secondMs;

/** How long a stream waits for a store that is away, before it ends. */
const patienceMs = 30 * secondMs;

/** With more items than this it is quicker to read all events and leave out those of others. */
const askedItemsMax = 1_000;

/** What a stream was asked for. */
export interface AskedStream extends WantedEvents {
  readonly scope: EventScope;
}

/** Whose stream it is, and after which position it begins. */
export interface StreamStart {
  readonly asked: AskedStream;
  readonly position: number;
  readonly keyHash: CallSource['keyHash'];
}

/** What streams share. */
export interface StreamDeps {
  readonly recent: Pick<RecentEvents, 'read' | 'nextTurn'>;
  /** Reads the log for a stream that is behind; null: not now. */
  readPage(accountId: number, query: EventQuery): Promise<EventPage | EventsGone | null>;
  readonly admit: Admit;
  findItems(caller: Caller, scope: EventScope): Promise<EventKeys>;
  /** Milliseconds that only ever go on. */
  readonly elapsed: Clock;
  /** Called with how many events are written. */
  onTold(events: number): void;
  /** Called with what was charged for another hour. */
  onCharged(cost: number): void;
  /** Called with what failed; the stream goes on when that has passed. */
  onFailure(error: unknown): void;
}

/** What one step came to; `isMore`: the next one need not wait for the log. */
interface Step {
  readonly bytes: Uint8Array;
  readonly isMore: boolean;
}

const nothing = bytesOf('');
const nothingYet: Step = { bytes: nothing, isMore: false };

/** A stream, step by step. */
export class EventStream {
  /** Why it ends, once it does: `client`, `server`, or the code of an error. */
  endedBy: string | null = null;
  /** Events that were written, and calls that were charged. */
  sent = 0;
  cost = 1;
  private isGreeted = false;
  private position: number;
  /** The last position that the client was told. */
  private told: number;
  private writtenAt: number;
  private chargedAt: number;
  private failingSince: number | null = null;

  constructor(
    private readonly start: StreamStart,
    private readonly deps: StreamDeps,
  ) {
    this.position = start.position;
    this.told = start.position;
    this.writtenAt = deps.elapsed();
    this.chargedAt = this.writtenAt;
  }

  /** What is to be written next, as soon as there is something; null at the end. */
  async next(): Promise<Uint8Array | null> {
    if (!this.isGreeted) {
      this.isGreeted = true;
      return bytesOf(greetingText(this.position));
    }
    while (this.endedBy === null) {
      const { bytes, isMore } = await this.step().catch((error) => this.fail(error));
      if (bytes.length > 0) return bytes;
      if (!isMore && this.endedBy === null) await this.deps.recent.nextTurn();
    }
    return null;
  }

  /** Ends the stream, unless it has ended. */
  end(by: string): void {
    this.endedBy ??= by;
  }

  private async step(): Promise<Step> {
    const { asked } = this.start;
    const now = this.deps.elapsed();
    const isSilent = now - this.writtenAt >= heartbeatMs;
    const isHourOver = now - this.chargedAt >= hourMs;
    const recent = this.deps.recent.read(this.position, asked);
    if (recent?.events.length === 0) {
      this.position = recent.next;
      if (!isSilent && !isHourOver) return nothingYet;
    }
    // Nothing is written for a key that is not good at this moment, not even a heartbeat.
    const caller = await this.check(isHourOver ? 1 : 0);
    if (caller instanceof Uint8Array) return { bytes: caller, isMore: false };
    const items = await this.deps.findItems(caller, asked.scope);
    const found = recent ?? (await this.readPage(caller, items));
    if (found === null) return nothingYet;
    this.failingSince = null;
    const before = this.position;
    const bytes = 'oldest' in found ? this.skipTo(found.oldest) : this.tell(found, items);
    // A stream that is behind goes on at once, unless the log has no more than that for now.
    const isMore = !recent && this.position > before;
    if (bytes.length === 0 && !isSilent) return { bytes, isMore };
    this.writtenAt = now;
    return { bytes: bytes.length > 0 ? bytes : this.heartbeat(), isMore };
  }

  /** The caller, once the key is good and its cost is charged; else the last words. */
  private async check(cost: number): Promise<Caller | Uint8Array> {
    const decision = await this.deps.admit({ keyHash: this.start.keyHash, cost, from: null }, keep);
    const { admission } = decision;
    if (!admission) return this.refuse('InvalidApiKey');
    if (admission.outcome === 'plan') return this.refuse('TierRequired');
    if (admission.outcome === 'exhausted') return this.refuse('QuotaExceeded', hourText(decision));
    if (cost > 0) {
      this.chargedAt += hourMs;
      this.cost += cost;
      this.deps.onCharged(cost);
    }
    return admission.caller;
  }

  private refuse(code: ErrorCode, message: string = allErrors[code].example): Uint8Array {
    this.end(code);
    return bytesOf(errorText(code, message));
  }

  private async readPage(
    { accountId }: Caller,
    items: EventKeys,
  ): Promise<StreamEvents | EventsGone | null> {
    const { kinds, limit } = this.start.asked;
    const query = { after: this.position, kinds, items: askedItems(items), limit };
    const page = await this.deps.readPage(accountId, query);
    if (page === null || 'oldest' in page) return page;
    return { events: page.events.map(streamEvent), next: page.next };
  }

  /** The client has missed something: it is told so, and goes on with what there is. */
  private skipTo(oldest: number): Uint8Array {
    this.position = oldest;
    this.told = oldest;
    return bytesOf(staleText(oldest));
  }

  private tell(found: StreamEvents, items: EventKeys): Uint8Array {
    const { count, last, bytes } = writeEvents(found, items);
    this.position = Math.max(this.position, found.next);
    this.told = last ?? this.told;
    this.sent += count;
    this.deps.onTold(count);
    return bytes;
  }

  /** A client that asked for something rare resumes near the end of the log all the same. */
  private heartbeat(): Uint8Array {
    const isMoved = this.position > this.told;
    this.told = this.position;
    return bytesOf(heartbeatText + (isMoved ? positionText(this.position) : ''));
  }

  private fail(error: unknown): Step {
    this.deps.onFailure(error);
    const now = this.deps.elapsed();
    this.failingSince ??= now;
    if (now - this.failingSince < patienceMs) return nothingYet;
    return { bytes: this.refuse('InternalError'), isMore: false };
  }
}

const keep = (decision: Decision) => decision;

/** Says that there is nothing left for another hour. */
function hourText({ admission, at }: Decision): string {
  if (!admission) return '';
  const { limit, remaining } = rateLimitOf(admission, at);
  return (
    `Another hour of this stream needs 1 of the daily allowance of ${limit} calls and ` +
    `${remaining} are left; the allowance resets at midnight UTC.`
  );
}

/** Few items are asked for by name; of many, all events are read, and the others left out. */
function askedItems(items: EventKeys): EventItems | null {
  if (items === null || items.set.size + items.minifig.size > askedItemsMax) return null;
  return { set: [...items.set], minifig: [...items.minifig] };
}
