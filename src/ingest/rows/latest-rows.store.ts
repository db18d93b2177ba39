/**
 * Applies rows of which only the latest counts: units for sale of an item, condition and channel,
 * and values of the parts of a set, condition and source.
 */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { countText } from '../../kernel/format.ts';
import { ByItem } from '../../market/source-rows/by-item.store.ts';
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type {
  Condition,
  ListingCount,
  PartOutValue,
} from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import {
  columnOf,
  columnsOf,
  fieldsOf,
  isSameRow,
  type Table,
  tables,
} from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { never } from './changes.store.ts';
import { noItem } from './refusals.store.ts';

export interface LatestRow {
  readonly itemId: number;
  readonly condition: Condition;
  readonly observedAt: number;
}

/** A row of the feed: the item that it is about, and how it is stored. */
interface GivenRow<Row> {
  readonly kind: ItemKind;
  readonly key: string;
  of(itemId: number): Row;
}

export interface LatestKind<Row extends LatestRow> {
  /** In the undo log. */
  readonly name: 'listings' | 'part_out';
  readonly table: Table;
  /** With the item and the condition, what a row is the latest of. */
  readonly place: keyof Row & string;
  /** Null for a row of another kind. */
  given(row: MarketRow): GivenRow<Row> | null;
  /** A possible mistake of the source, or null. The row counts anyway. */
  warning(before: Row, row: Row): string | null;
}

type ListingsRow = LatestRow & Omit<ListingCount, 'itemKind' | 'itemKey'>;

const unlikelyTimes = 10;
const unitsUnsuspected = 100;

export const latestListings: LatestKind<ListingsRow> = {
  name: 'listings',
  table: tables.listings,
  place: 'channel',
  given: (row) => {
    if (row.kind !== 'listings') return null;
    const { itemKind, itemKey, ...count } = row.listings;
    return { kind: itemKind, key: itemKey, of: (itemId) => ({ ...count, itemId }) };
  },
  // Within limits: see `your-wait.ts`.
  warning: (before, { units, lowestCents }) =>
    units > unitsUnsuspected && units > unlikelyTimes * before.units
      ? `'units' went from ${countText(before.units)} to ${countText(units)}`
      : riseWarning('lowest_price', before.lowestCents, lowestCents),
};

export const latestPartOuts: LatestKind<LatestRow & Omit<PartOutValue, 'setKey'>> = {
  name: 'part_out',
  table: tables.partOut,
  place: 'source',
  given: (row) => {
    if (row.kind !== 'part_out') return null;
    const { setKey, ...value } = row.partOut;
    return { kind: 'set', key: setKey, of: (itemId) => ({ ...value, itemId }) };
  },
  warning: (before, row) => riseWarning('amount', before.amountCents, row.amountCents),
};

function riseWarning(name: string, before: number | null, cents: number | null): string | null {
  if (before === null || cents === null || cents <= unlikelyTimes * before) return null;
  return `'${name}' is more than ${unlikelyTimes} times as high as before`;
}

interface Held<Row> {
  readonly stored: Row | null;
  row: Row | null;
}

export function* loadLatestRows<Row extends LatestRow>(
  kind: LatestKind<Row>,
  rows: readonly MarketRow[],
  { items, changes, undo }: Batch,
) {
  const { table, name, place } = kind;
  const fields = fieldsOf(table);
  const keyOf = (row: Row) => `${row.condition} ${row[place]}`;
  const named = rows.flatMap((row) => {
    const given = kind.given(row);
    const itemId = given && items.get(given.kind, given.key);
    return given === null || itemId === null ? [] : [given.of(itemId)];
  });
  const held = new ByItem<string, Held<Row>>();
  for (const row of yield* loadStored(kind, named)) {
    held.set(row.itemId, keyOf(row), { stored: row, row });
  }
  return {
    apply(marketRow: MarketRow): RowOutcome {
      const given = kind.given(marketRow);
      if (given === null) throw new Error(`A row of kind ${name} is expected.`);
      const itemId = items.find(given.kind, given.key);
      if (itemId === null) return noItem(given.kind, given.key);
      const row = given.of(itemId);
      const last = held.getOrMake(itemId, keyOf(row), () => ({ stored: null, row: null }));
      const before = last.row;
      // An earlier row changes nothing.
      const isNews = !before || row.observedAt >= before.observedAt;
      if (!isNews || (before && isSameRow(fields, before, row))) return { kind: 'unchanged' };
      last.row = row;
      changes.touch(itemId, never);
      if (before === null) return { kind: 'added' };
      const warning = kind.warning(before, row);
      return warning === null ? { kind: 'updated' } : { kind: 'updated', warning };
    },
    *save(): db.Operation<void> {
      const changed: Row[] = [];
      for (const { row, stored } of held.list()) {
        if (row === null || row === stored) continue;
        changed.push(row);
        const key = [row.itemId, row.condition, String(row[place])] as const;
        undo.add(name, stored ? [...key, stored] : key);
      }
      yield* db.saveRows(table, changed);
    },
  };
}

function loadStored<Row extends LatestRow>(
  { table, place }: LatestKind<Row>,
  rows: readonly Row[],
): db.Reading<Row[]> {
  return db.queryEach<Row>(
    `SELECT ${columnsOf(table, 'l')} FROM ${table.target} AS l
     WHERE l.item_id = r."itemId" AND l.condition = r.condition
       AND l.${columnOf(place)} = r."${place}"`,
    db.givenRows(table, ['itemId', 'condition', place], rows),
  );
}
