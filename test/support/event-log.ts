/** An in-memory event log, for tests of code that depends only on positions. */
import type {
  EventPage,
  EventQuery,
  EventsGone,
  LoggedEvent,
} from '../../src/market/events/events.ts';

export function madeEvent(position: number, facts: Partial<LoggedEvent> = {}): LoggedEvent {
  return {
    position,
    at: 0,
    kind: 'retail.price',
    itemKind: 'set',
    key: '1000',
    number: '1000',
    title: 'Hut',
    retailer: 'retailer_a',
    before: { priceCents: 2_00 },
    after: { priceCents: 1_00 },
    ...facts,
  };
}

export interface MadeLog {
  /** Events at or before this position have been pruned. */
  oldest: number;
  /** The queries so far. */
  readonly asked: EventQuery[];
  add(...events: readonly (number | LoggedEvent)[]): void;
  listEvents(query: EventQuery): Promise<EventPage | EventsGone>;
}

export function madeLog(positions: readonly number[]): MadeLog {
  const events: LoggedEvent[] = [];
  const log: MadeLog = {
    oldest: 0,
    asked: [],
    add: (...added) => {
      for (const one of added) events.push(typeof one === 'number' ? madeEvent(one) : one);
    },
    listEvents: async (query) => {
      log.asked.push(query);
      const latest = events.at(-1)?.position ?? 0;
      const { after, kinds, items, limit } = query;
      if (after === null) return { events: [], next: latest, hasMore: false };
      if (after < log.oldest) return { oldest: log.oldest };
      const found = events
        .filter(({ position }) => position > after)
        .filter(({ kind }) => kinds === null || kinds.includes(kind))
        .filter(({ key }) => items === null || key === null || items.set.includes(key));
      const page = found.slice(0, limit);
      const next =
        found.length > limit ? (page.at(-1)?.position ?? after) : Math.max(after, latest);
      return { events: page, next, hasMore: next < latest };
    },
  };
  log.add(...positions);
  return log;
}
