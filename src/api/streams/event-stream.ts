/**
 * One event stream. The writer pulls each part, so nothing accumulates for a slow client. Sends the
 * requested events after the stream's position, in order, each once.
 */

import type { Caller, KeyUse } from '../../accounts/keys/quota.ts';
import type { EventScope } from '../../alerts/channels/delivery-channel.ts';
import { ApiError } from '../../contract/errors.ts';
import {
  errorText,
  greetingText,
  heartbeatText,
  positionText,
  staleText,
} from '../../contract/plus/event-stream.ts';
import type { Taker } from '../../http/slots.ts';
import { type Clock, hourMs, secondMs } from '../../kernel/time.ts';
import type {
  EventItems,
  EventKeys,
  EventPage,
  EventQuery,
  EventsGone,
} from '../../market/events/events.ts';
import { type Admit, keep } from '../admission-groups.ts';
import { refusalOf } from '../refusals.ts';
import {
  bytesOf,
  type EventFilter,
  type RecentEvents,
  type StreamEvents,
  streamEvent,
  writeEvents,
} from './recent-events.ts';

/** Maximum silence of a stream. */
const heartbeatMs = 15 * secondMs;

/** How long a stream waits for an unavailable store before it ends. */
const patienceMs = 30 * secondMs;

/** With more items than this, reading all events and filtering them is faster. */
const filterItemsMax = 1_000;

export interface RequestedStream extends EventFilter {
  readonly scope: EventScope;
}

/** The caller of a stream, and the position it starts after. */
export interface StreamStart {
  readonly requested: RequestedStream;
  readonly position: number;
  readonly key: KeyUse;
  readonly network: string | null;
}

/** Shared by all streams. */
export interface StreamDeps {
  readonly recent: Pick<RecentEvents, 'read' | 'nextTurn'>;
  /** Reads the log for a stream that is behind; null: not now. */
  readPage(reader: Taker, query: EventQuery): Promise<EventPage | EventsGone | null>;
  readonly admit: Admit;
  findItems(caller: Caller, scope: EventScope): Promise<EventKeys>;
  /** A monotonic clock. */
  readonly elapsed: Clock;
  onWritten(events: number): void;
  /** Called with the charge for another hour. */
  onCharged(cost: number, caller: Caller): void;
  /** Called with a failure; the stream goes on once it has passed. */
  onFailure(error: unknown): void;
}

/** The result of a step; `isMore`: the next one need not wait for the log. */
interface Step {
  readonly bytes: Uint8Array;
  /** Whether the next step need not wait for the log, where this one wrote nothing. */
  readonly isMore?: boolean;
}

const nothingYet: Step = { bytes: bytesOf('') };

export class EventStream {
  /** Set once it ends: `client`, `server`, or an error code. */
  endedBy: string | null = null;
  /** Events written, and calls charged. */
  sent = 0;
  cost = 1;
  private isGreeted = false;
  private position: number;
  /** The last position sent to the client. */
  private sentPosition: number;
  private writtenAt: number;
  private chargedAt: number;
  private failingSince: number | null = null;
  private isInDoubt = false;

  constructor(
    private readonly start: StreamStart,
    private readonly deps: StreamDeps,
  ) {
    this.position = start.position;
    this.sentPosition = start.position;
    this.writtenAt = deps.elapsed();
    this.chargedAt = this.writtenAt;
  }

  /** The next bytes to write, as soon as there are any; null at the end. */
  async next(): Promise<Uint8Array | null> {
    if (!this.isGreeted) {
      this.isGreeted = true;
      return bytesOf(greetingText(this.position));
    }
    while (this.endedBy === null) {
      const { bytes, isMore } = await this.step().catch((error) => this.fail(error));
      if (bytes.length !== 0) return bytes;
      if (!isMore && this.endedBy === null) await this.deps.recent.nextTurn();
    }
    return null;
  }

  /** Ends the stream, unless it has ended. */
  end(by: string): void {
    this.endedBy ??= by;
  }

  /** Has the next step check the key, even if there is nothing to write. */
  doubt(): void {
    this.isInDoubt = true;
  }

  private async step(): Promise<Step> {
    const { requested } = this.start;
    const now = this.deps.elapsed();
    const isSilent = now - this.writtenAt >= heartbeatMs;
    const isHourOver = now - this.chargedAt >= hourMs;
    const recent = this.deps.recent.read(this.position, requested);
    if (recent?.events.length === 0) {
      this.position = recent.next;
      if (!isSilent && !isHourOver && !this.isInDoubt) return nothingYet;
    }
    // Nothing is written unless the key is valid at this moment, not even a heartbeat.
    const caller = await this.check(isHourOver ? 1 : 0);
    if (caller instanceof Uint8Array) return { bytes: caller };
    const items = await this.deps.findItems(caller, requested.scope);
    const found = recent ?? (await this.readPage(caller, items));
    if (found === null) return nothingYet;
    // What was read after the check may be newer than the key's revocation.
    const again = recent ? caller : await this.check(0);
    if (again instanceof Uint8Array) return { bytes: again };
    this.failingSince = null;
    const before = this.position;
    const bytes = 'oldest' in found ? this.skipTo(found.oldest) : this.tell(found, items);
    // A stream that is behind goes on at once, unless it has reached the end of the log.
    const isMore = !recent && this.position > before;
    if (bytes.length === 0 && !isSilent) return { bytes, isMore };
    this.writtenAt = now;
    return { bytes: bytes.length > 0 ? bytes : this.heartbeat() };
  }

  /** The caller, if the key is valid and its cost is charged; otherwise the final error event. */
  private async check(cost: number): Promise<Caller | Uint8Array> {
    const { key } = this.start;
    const { admission, at } = await this.deps.admit({ ...key, cost, from: null }, keep);
    this.isInDoubt = false;
    if (!admission) return this.refuse(new ApiError('InvalidApiKey'));
    const what = 'Another hour of this stream';
    const refusal = refusalOf(admission, { what, needs: key.needs, cost, at });
    if (refusal) return this.refuse(refusal);
    const { caller } = admission;
    if (cost > 0) {
      this.chargedAt += hourMs;
      this.cost += cost;
      this.deps.onCharged(cost, caller);
    }
    return caller;
  }

  private refuse({ code, message }: ApiError): Uint8Array {
    this.end(code);
    return bytesOf(errorText(code, message));
  }

  private async readPage(
    { accountId }: Caller,
    items: EventKeys,
  ): Promise<StreamEvents | EventsGone | null> {
    const { requested, network } = this.start;
    const { kinds, limit } = requested;
    const query = { after: this.position, kinds, items: filterOf(items), limit };
    const page = await this.deps.readPage({ account: accountId, network }, query);
    if (page === null || 'oldest' in page) return page;
    return { events: page.events.map(streamEvent), next: page.next };
  }

  /** Tells the client that it has missed events, and continues with what is left. */
  private skipTo(oldest: number): Uint8Array {
    this.position = oldest;
    this.sentPosition = oldest;
    return bytesOf(staleText(oldest));
  }

  private tell(found: StreamEvents, items: EventKeys): Uint8Array {
    const { count, last, bytes } = writeEvents(found, items);
    this.position = Math.max(this.position, found.next);
    this.sentPosition = last ?? this.sentPosition;
    this.sent += count;
    this.deps.onWritten(count);
    return bytes;
  }

  /**
   * Includes the position, so that a client waiting for rare events resumes near the end of the
   * log.
   */
  private heartbeat(): Uint8Array {
    const isMoved = this.position > this.sentPosition;
    this.sentPosition = this.position;
    return bytesOf(heartbeatText + (isMoved ? positionText(this.position) : ''));
  }

  private fail(error: unknown): Step {
    this.deps.onFailure(error);
    const now = this.deps.elapsed();
    this.failingSince ??= now;
    if (now - this.failingSince < patienceMs) return nothingYet;
    return { bytes: this.refuse(new ApiError('InternalError')) };
  }
}

/** Few items are queried by key; for many, all events are read and filtered. */
function filterOf(items: EventKeys): EventItems | null {
  if (items === null || items.set.size + items.minifig.size > filterItemsMax) return null;
  return { set: [...items.set], minifig: [...items.minifig] };
}
