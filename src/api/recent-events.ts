/**
 * The end of the log of events, kept in memory for all streams of a process: however many there
 * are, the log is looked at once. Streams that are further behind read the log themselves.
 */
import { eventText } from '../contract/plus/event-stream.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { EventKind, LoggedEvent } from '../domain/market/events.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';

/** Events that are read at once. */
const readMax = 250;

/** An event as streams need it: what decides whether it is told, and what is written. */
export interface StreamEvent {
  readonly position: number;
  readonly kind: EventKind;
  readonly itemKind: ItemKind | null;
  readonly key: string | null;
  readonly text: string;
}

/** Some events in order; everything up to `next` was gone through. */
export interface StreamEvents {
  readonly events: readonly StreamEvent[];
  readonly next: number;
}

/** What a stream wants of the events after a position. */
export interface WantedEvents {
  /** Null: of all kinds. */
  readonly kinds: readonly EventKind[] | null;
  readonly limit: number;
}

/** Makes an event what streams need. */
export function streamEvent(event: LoggedEvent): StreamEvent {
  const { position, kind, itemKind, key } = event;
  return { position, kind, itemKind, key, text: eventText(event) };
}

/** Follows the log. */
export class RecentEvents {
  private events: StreamEvent[] = [];
  /** All events after `start`, up to `end`, are here; null before the first look. */
  private start: number | null = null;
  private end = 0;
  private turn = Promise.withResolvers<void>();

  constructor(
    private readonly log: Pick<MarketReading, 'listEvents'>,
    /** Events that are kept: so far may a stream be behind without reading the log itself. */
    private readonly keptMax = 4_000,
  ) {}

  /** Looks at the log once; whether there is more to be read already. */
  async look(): Promise<boolean> {
    const after = this.start === null ? null : this.end;
    const page = await this.log.listEvents({ after, kinds: null, items: null, limit: readMax });
    if ('oldest' in page) {
      // Nobody has looked for so long that the next events are gone: begin anew.
      this.clear();
      return true;
    }
    this.start ??= page.next;
    this.end = page.next;
    for (const event of page.events) this.events.push(streamEvent(event));
    const surplus = this.events.length - this.keptMax;
    if (surplus > 0) this.start = this.events.splice(0, surplus).at(-1)?.position ?? this.start;
    return page.hasMore;
  }

  /** The wanted events after a position; null when they begin before what is kept. */
  read(after: number, { kinds, limit }: WantedEvents): StreamEvents | null {
    if (this.start === null || after < this.start) return null;
    const events: StreamEvent[] = [];
    for (let index = this.firstAfter(after); index < this.events.length; index++) {
      const event = this.events[index];
      if (!event || (kinds && !kinds.includes(event.kind))) continue;
      events.push(event);
      if (events.length === limit) return { events, next: event.position };
    }
    return { events, next: Math.max(after, this.end) };
  }

  /** Resolves after the next look. */
  nextTurn(): Promise<void> {
    return this.turn.promise;
  }

  /** Lets everybody go on who waits for a look. */
  passTurn(): void {
    const { resolve } = this.turn;
    this.turn = Promise.withResolvers();
    resolve();
  }

  /** Forgets everything: nobody follows the log any more. */
  clear(): void {
    this.events = [];
    this.start = null;
  }

  private firstAfter(position: number): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
