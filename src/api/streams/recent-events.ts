/**
 * The end of the event log in memory, shared by all streams of a process, so that the log is polled
 * once. Streams that are further behind read the log themselves.
 */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { eventText } from '../../contract/plus/event-stream.ts';
import { at } from '../../kernel/at.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import {
  type EventKeys,
  type EventKind,
  isAbout,
  type LoggedEvent,
} from '../../market/events/events.ts';
import type { MarketReading } from '../../publish/reading.store.ts';

/** Events per read. */
const readMax = 250;

/** Streams resumed per turn of the event loop. */
const togetherMax = 50;

/** An event with what filters need, and its serialized form. */
export interface StreamEvent {
  readonly position: number;
  readonly kind: EventKind;
  readonly itemKind: ItemKind | null;
  readonly key: string | null;
  readonly text: string;
}

/** Events in order; the log was read up to `next`. */
export interface StreamEvents {
  readonly events: readonly StreamEvent[];
  readonly next: number;
}

/** Serialized events: their number, the last position, and the bytes. */
export interface WrittenEvents {
  readonly count: number;
  readonly last: number | null;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Serialized events by what was read and by items, so that streams share them. */
const written = new WeakMap<StreamEvents, Map<EventKeys, WrittenEvents>>();

export function writeEvents(found: StreamEvents, items: EventKeys): WrittenEvents {
  const known = written.get(found) ?? new Map<EventKeys, WrittenEvents>();
  written.set(found, known);
  const again = known.get(items);
  if (again) return again;
  const events = found.events.filter((event) => isAbout(event, items));
  const made = {
    count: events.length,
    last: events.at(-1)?.position ?? null,
    bytes: bytesOf(events.map(({ text }) => text).join('')),
  };
  known.set(items, made);
  return made;
}

export interface EventFilter {
  /** Null: all kinds. */
  readonly kinds: readonly EventKind[] | null;
  readonly limit: number;
}

export function streamEvent(event: LoggedEvent): StreamEvent {
  const { position, kind, itemKind, key } = event;
  return { position, kind, itemKind, key, text: eventText(event) };
}

export class RecentEvents {
  private events: StreamEvent[] = [];
  /** All events after `start`, up to `end`, are in memory; null before the first poll. */
  private range: { readonly start: number; readonly end: number } | null = null;
  /**
   * Results since the last poll: most streams are at the same position and want the same events.
   */
  private readonly found = new Map<string, StreamEvents>();
  private waiting: (() => void)[] = [];

  constructor(
    private readonly log: Pick<MarketReading, 'listEvents'>,
    /** Events in memory: a stream further behind reads the log itself. */
    private readonly keptMax = 4_000,
  ) {}

  /** Polls the log once; returns whether there is more to read. */
  async look(): Promise<boolean> {
    const after = this.range?.end ?? null;
    const page = await this.log.listEvents({ after, kinds: null, items: null, limit: readMax });
    if ('oldest' in page) {
      // The last poll was so long ago that the next events were removed: start over.
      this.clear();
      return true;
    }
    this.found.clear();
    for (const event of page.events) this.events.push(streamEvent(event));
    const forgotten = this.events.splice(0, Math.max(0, this.events.length - this.keptMax));
    const start = forgotten.at(-1)?.position ?? this.range?.start ?? page.next;
    this.range = { start, end: page.next };
    return page.hasMore;
  }

  /** The requested events after a position; null if they start before what is in memory. */
  read(after: number, { kinds, limit }: EventFilter): StreamEvents | null {
    if (this.range === null || after < this.range.start) return null;
    const name = `${after} ${limit} ${kinds}`;
    const known = this.found.get(name);
    if (known) return known;
    const events = this.find(after, { kinds, limit });
    const last = events.length === limit ? events.at(-1) : undefined;
    const found = { events, next: last?.position ?? Math.max(after, this.range.end) };
    this.found.set(name, found);
    return found;
  }

  private find(after: number, { kinds, limit }: EventFilter): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const event of this.events.slice(this.firstAfter(after))) {
      if (kinds && !kinds.includes(event.kind)) continue;
      events.push(event);
      if (events.length === limit) break;
    }
    return events;
  }

  /** Resolves after the next poll. */
  nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** Resumes waiting streams, some at a time, so that requests are answered in between. */
  async passTurn(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    let resumed = 0;
    for (const resume of waiting) {
      resume();
      if (++resumed % togetherMax === 0) await yieldToEventLoop();
    }
  }

  /** Called when the last stream has ended. */
  clear(): void {
    this.events = [];
    this.range = null;
  }

  private firstAfter(position: number): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(this.events, middle).position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
