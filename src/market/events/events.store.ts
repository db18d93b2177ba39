/**
 * The event log, written by the transaction that publishes the change, and read by position. One
 * process writes to the market at a time, so positions are in order of commits.
 */
import type { ItemRef } from '../../catalog/items/numbers.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { DealChange } from '../published/deals.ts';
import { saveMeta } from '../published/meta.store.ts';
import type { PublishedItem } from '../published/publishing.ts';
import { type LoggedOffer, saveOffers } from '../retail/retail-history.store.ts';
import {
  type EventDetails,
  type EventPage,
  type EventQuery,
  type EventsGone,
  type ItemEvent,
  type LoggedEvent,
  positionBefore,
} from './events.ts';
import { dealEvents, type EventState, nextEvents } from './next-events.ts';

/** A published item with its state before. */
export interface LoggedItem {
  readonly item: Pick<PublishedItem, 'id' | 'at' | 'events'>;
  readonly row: ItemRef & {
    /** JSON; null if there were no events. */
    readonly lastBody: string | null;
    /** Whether data was undone since; null if there were no events. */
    readonly isUndone: boolean | null;
    readonly newCents: number | null;
    readonly usedCents: number | null;
  };
}

/** An event without an item concerns the whole market. */
interface NewEvent {
  readonly at: number;
  readonly item: ItemRef | null;
  readonly event: ItemEvent;
}

/**
 * Logs events of items and deals, adds to the history of offers, and saves the state that the next
 * events are compared with.
 */
export function* logItemEvents(
  items: readonly LoggedItem[],
  deals: readonly DealChange[],
): db.Operation<void> {
  const dealsOf = Map.groupBy(deals, ({ setKey }) => setKey);
  const events: NewEvent[] = [];
  const states: { itemId: number; body: string; isUndone: boolean }[] = [];
  const offers: LoggedOffer[] = [];
  for (const { item, row } of items) {
    if (item.events === null) continue;
    const { at } = item;
    const before: EventState | null = row.lastBody === null ? null : JSON.parse(row.lastBody);
    const next = nextEvents(before, item.events, row);
    for (const change of next.offers) offers.push({ setKey: row.key, at, change });
    const changes = row.kind === 'set' ? (dealsOf.get(row.key) ?? []) : [];
    for (const event of next.events) events.push({ at, item: row, event });
    for (const event of dealEvents(before, changes)) events.push({ at, item: row, event });
    const body = JSON.stringify(next.state);
    const isSaved = body === row.lastBody && row.isUndone !== true;
    if (!isSaved) states.push({ itemId: item.id, body, isUndone: false });
  }
  yield* db.saveRows(tables.eventState, states);
  yield* logEvents(events);
  yield* saveOffers(offers);
}

export function* logEvents(events: readonly NewEvent[]): db.Operation<void> {
  if (events.length === 0) return;
  const from = yield* takePositions(events.length, Math.max(...events.map(({ at }) => at)));
  const rows = events.map(({ at, item, event: { kind, retailer, before, after } }, index) => ({
    position: from + index,
    at,
    kind,
    itemKind: item?.kind ?? null,
    key: item?.key ?? null,
    retailer,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  }));
  yield* db.insertRows(tables.event, rows);
}

/**
 * The first of `count` new positions. Positions are at least the time, so a store that was restored
 * never uses a position again that a client may know.
 */
function* takePositions(count: number, at: number): db.Operation<number> {
  const row = yield* db.runFirst<{ value: number }>(
    `INSERT INTO published.meta AS m VALUES ('event_position', $1::bigint + $2::bigint)
     ON CONFLICT (name) DO UPDATE
       SET value = greatest(m.value, $1::bigint) + $2::bigint
     RETURNING value`,
    [positionBefore(at), count],
  );
  if (!row) throw new Error('The store gave no positions.');
  return row.value - count + 1;
}

/** Marks items whose data was undone: what their next publication reports is a correction. */
export function* markUndone(ids: readonly number[]): db.Operation<void> {
  yield* db.run(
    'UPDATE published.event_state SET is_undone = true WHERE item_id = ANY($1::bigint[])',
    [ids],
  );
}

/** Removes the oldest events before a time; returns how many. */
export function* pruneEvents(before: number, limit: number): db.Operation<number> {
  const rows = yield* db.query<{ position: number; at: number }>(
    `SELECT position::float8 AS position, at::float8 AS at FROM published.event
     ORDER BY event.position LIMIT $1::bigint`,
    [limit],
  );
  const last = rows.findLast(({ at }) => at < before);
  if (!last) return 0;
  yield* saveMeta('events_pruned', last.position);
  return yield* db.run('DELETE FROM published.event WHERE position <= $1::bigint', [last.position]);
}

/** Events scanned per query; few of them may match. */
const scannedAtOnce = 5_000;

type EventRow = Omit<LoggedEvent, 'before' | 'after'> & {
  readonly before: string;
  readonly after: string;
};

interface Found {
  readonly log: readonly { readonly latest: number; readonly oldest: number }[];
  readonly scanned: readonly { readonly last: number | null }[];
  readonly rows: readonly EventRow[];
}

/** The last scanned event. */
const scannedSql = `SELECT max(position) AS last FROM (SELECT position FROM published.event
  WHERE position > $1::bigint ORDER BY position LIMIT ${scannedAtOnce}) AS s`;

const metaSql = (name: string) =>
  `coalesce((SELECT value FROM published.meta WHERE name = '${name}'), 0)`;

/**
 * Events after a position; a page may be shorter than the limit although there are more. A single
 * statement, so that events pruned meanwhile are not missed.
 */
export function* listEvents({
  after,
  kinds,
  items,
  limit,
}: EventQuery): db.Reading<EventPage | EventsGone> {
  const { log, scanned, rows } = yield* db.queryLists<Found>(
    {
      log: `SELECT ${metaSql('event_position')} AS latest, ${metaSql('events_pruned')} AS oldest`,
      scanned: scannedSql,
      rows: `SELECT e.position, e.at, e.kind, e.item_kind AS "itemKind", e.key, e.retailer,
          e.before, e.after, coalesce(l.number, i.number, e.key) AS number, l.name AS title
        FROM published.event e
        LEFT JOIN published.item i ON i.kind = e.item_kind AND i.key = e.key
        LEFT JOIN published.listing l ON l.item_id = coalesce(i.part_of, i.id)
        WHERE e.position > $1::bigint AND e.position <= (${scannedSql})
          AND ($2::text[] IS NULL OR e.kind = ANY($2::text[]))
          AND ($3::text[] IS NULL OR e.key IS NULL
            OR (e.item_kind = 'set' AND e.key = ANY($3::text[]))
            OR (e.item_kind = 'minifig' AND e.key = ANY($4::text[])))
        ORDER BY e.position LIMIT $5::bigint`,
    },
    [
      after ?? Number.MAX_SAFE_INTEGER,
      kinds,
      items?.set ?? null,
      items?.minifig ?? null,
      limit + 1,
    ],
  );
  const { latest = 0, oldest = 0 } = log[0] ?? {};
  if (after === null) return { events: [], next: latest, hasMore: false };
  if (after < oldest) return { oldest };
  const events = rows.slice(0, limit).map(toEvent);
  const last = rows.length > limit ? events.at(-1)?.position : scanned[0]?.last;
  const next = last ?? after;
  return { events, next, hasMore: next < latest };
}

function toEvent({ before, after, ...event }: EventRow): LoggedEvent {
  const details = (body: string): EventDetails => JSON.parse(body);
  return { ...event, before: details(before), after: details(after) };
}
