/**
 * The end of the log of events, kept in memory for all streams of a process: however many there
 * are, the log is looked at once. Streams that are further behind read the log themselves.
 */
import { eventText } from '../contract/plus/event-stream.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import {
  type EventKeys,
  type EventKind,
  isAbout,
  type LoggedEvent,
} from '../domain/market/events.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';

/** Events that are read at once. */
const readMax = 250;

/** Streams that go on in one turn of the event loop. */
const togetherMax = 50;

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

/** Events as they are written: how many, the position of the last one, and the bytes. */
export interface WrittenEvents {
  readonly count: number;
  readonly last: number | null;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** Text as it is sent. */
export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** What was written already, by what was read and by whose items: streams share what is alike. */
const written = new WeakMap<StreamEvents, Map<EventKeys, WrittenEvents>>();

/** The events that are about some items, as they are written. */
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
  /** What was read since the last look: most streams are at one place, and ask for the same. */
  private readonly found = new Map<string, StreamEvents>();
  private waiting: (() => void)[] = [];

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
    this.found.clear();
    this.start ??= page.next;
    this.end = page.next;
    for (const event of page.events) this.events.push(streamEvent(event));
    const forgotten = this.events.splice(0, Math.max(0, this.events.length - this.keptMax));
    this.start = forgotten.at(-1)?.position ?? this.start;
    return page.hasMore;
  }

  /** The wanted events after a position; null when they begin before what is kept. */
  read(after: number, { kinds, limit }: WantedEvents): StreamEvents | null {
    if (this.start === null || after < this.start) return null;
    const name = `${after} ${limit} ${kinds ?? ''}`;
    const known = this.found.get(name);
    if (known) return known;
    const found = this.find(after, { kinds, limit });
    if (found.events.length > 0) this.found.set(name, found);
    return found;
  }

  private find(after: number, { kinds, limit }: WantedEvents): StreamEvents {
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
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** Lets everybody go on who waits for a look, some at a time: callers are answered in between. */
  passTurn(): void {
    const waiting = this.waiting;
    this.waiting = [];
    const passSome = (from: number) => {
      for (const resolve of waiting.slice(from, from + togetherMax)) resolve();
      if (from + togetherMax < waiting.length) setImmediate(passSome, from + togetherMax);
    };
    passSome(0);
  }

  /** Forgets everything: nobody follows the log any more. */
  clear(): void {
    this.events = [];
    this.found.clear();
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
