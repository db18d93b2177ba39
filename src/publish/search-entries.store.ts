/** Search entries of published items, in pages or by changes. */

import type { InterestCounts } from '../catalog/interest/interest.ts';
import { type ItemClass, ranksLast } from '../catalog/items/item-class.ts';
import type { ItemKind } from '../catalog/items/numbers.ts';
import type { ListedEntry } from '../market/published/published-records.ts';
import * as db from '../store/sql/operation.ts';
import { columnsBut, columnsOf, tables } from '../store/sql/tables.ts';

/** Texts stored as lines; null for none. */
export function linesOf(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join('\n');
}

interface EntryRow
  extends Omit<InterestCounts, 'day'>,
    Pick<ListedEntry, 'kind' | 'key' | 'name' | 'interest' | 'year'> {
  /** Null for minifigs. */
  readonly itemClass: ItemClass | null;
  readonly otherNames: string | null;
  readonly subthemes: string | null;
  readonly themes: string | null;
  /** Null if no account holds the item or looks it up. */
  readonly day: number | null;
}

const listed = columnsOf(tables.listing, 'l', [
  'kind',
  'key',
  'name',
  'otherNames',
  'subthemes',
  'themes',
  'year',
  'itemClass',
  'interest',
]);

const counts = columnsBut(tables.interest, 'w', ['kind', 'key']);

const entries = `SELECT ${listed}, ${counts} FROM published.listing l
  LEFT JOIN published.interest w ON w.kind = l.kind AND w.key = l.key`;

/** Entries of a kind after a key, in order. */
export function* listSearchEntries(
  kind: ItemKind,
  afterKey: string,
  limit: number,
): db.Reading<ListedEntry[]> {
  const rows = yield* db.query<EntryRow>(
    `${entries} WHERE l.kind = $1::text AND l.key > $2::text ORDER BY l.key LIMIT $3::bigint`,
    [kind, afterKey, limit],
  );
  return rows.map(toEntry);
}

/**
 * Entries published after a stamp; null if there are more than `limit`, or if some were removed.
 */
export function* listChanges(afterStamp: number, limit: number): db.Reading<ListedEntry[] | null> {
  const removed = yield* db.query(
    "SELECT 1 FROM published.meta WHERE name = 'removed_stamp' AND value > $1::bigint",
    [afterStamp],
  );
  if (removed.length > 0) return null;
  const rows = yield* db.query<EntryRow>(
    `${entries} JOIN published.document d ON d.item_id = l.item_id
     WHERE d.kind IN ('set', 'minifig') AND d.stamp > $1::bigint LIMIT $2::bigint`,
    [afterStamp, limit + 1],
  );
  return rows.length <= limit ? rows.map(toEntry) : null;
}

function toEntry(row: EntryRow): ListedEntry {
  const { kind, key, name, itemClass, interest, day } = row;
  const { lookedUp, lookedUpBefore, held, heldBefore, units } = row;
  return {
    kind,
    key,
    name,
    otherNames: textsOf(row.otherNames),
    subthemes: textsOf(row.subthemes),
    themes: textsOf(row.themes),
    year: row.year,
    ranksLast: ranksLast(itemClass, name),
    interest,
    interestCounts:
      day === null ? null : { day, lookedUp, lookedUpBefore, held, heldBefore, units },
  };
}

const none: readonly string[] = [];

function textsOf(lines: string | null): readonly string[] {
  return lines === null ? none : lines.split('\n');
}
