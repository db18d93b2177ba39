/** Applies counts of units for sale. The latest of each item, condition and channel is kept. */

import { countText } from '../../kernel/format.ts';
import { ByItem } from '../../market/source-rows/by-item.store.ts';
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { ListingCount } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, fieldsOf, isSameRow, tables } from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { never } from './changes.store.ts';
import { noItem } from './refusals.store.ts';

export interface ListingsRow extends Omit<ListingCount, 'itemKind' | 'itemKey'> {
  readonly itemId: number;
}

const listingsIdentity = ['itemId', 'condition', 'channel'] as const;

export const listingsFields = fieldsOf(tables.listings) as (keyof ListingsRow)[];

interface Held {
  readonly stored: ListingsRow | null;
  row: ListingsRow | null;
}

export function* loadListingsRows(rows: readonly MarketRow[], { items, changes, undo }: Batch) {
  const counts = rows.flatMap((row) => (row.kind === 'listings' ? [row.listings] : []));
  const named = counts.flatMap(({ itemKind, itemKey, condition, channel }) => {
    const itemId = items.get(itemKind, itemKey);
    return itemId === null ? [] : [{ itemId, condition, channel }];
  });
  const held = yield* loadHeld(named);
  return {
    apply({ itemKind, itemKey, ...count }: ListingCount): RowOutcome {
      const itemId = items.find(itemKind, itemKey);
      if (itemId === null) return noItem(itemKind, itemKey);
      const before = held.getOrMake(itemId, keyOf(count), () => ({ stored: null, row: null }));
      const row = { ...count, itemId };
      if (before.row && !isNews(before.row, row)) return { kind: 'unchanged' };
      const outcome = outcomeOf(before.row, row);
      before.row = row;
      changes.touch(itemId, never);
      return outcome;
    },
    *save(): db.Operation<void> {
      const changed: ListingsRow[] = [];
      for (const { row, stored } of held.list()) {
        if (row === null || row === stored) continue;
        changed.push(row);
        const name = [row.itemId, row.condition, row.channel] as const;
        undo.add('listings', stored ? [...name, stored] : name);
      }
      yield* db.saveRows(tables.listings, listingsFields, changed);
    },
  };
}

/** An earlier count changes nothing. */
function isNews(before: ListingsRow, row: ListingsRow): boolean {
  return row.observedAt >= before.observedAt && !isSameRow(listingsFields, before, row);
}

const unlikelyTimes = 10;
const unitsUnsuspected = 100;

/** Warns of what may be a mistake of the source. It counts, within limits (`your-wait.ts`). */
function outcomeOf(before: ListingsRow | null, { units, lowestCents }: ListingsRow): RowOutcome {
  if (before === null) return { kind: 'added' };
  const updated = { kind: 'updated' } as const;
  if (units > unitsUnsuspected && units > unlikelyTimes * before.units) {
    const from = `${countText(before.units)} to ${countText(units)}`;
    return { ...updated, warning: `'units' went from ${from}` };
  }
  const lowestMax = unlikelyTimes * (before.lowestCents ?? Number.POSITIVE_INFINITY);
  if (lowestCents !== null && lowestCents > lowestMax) {
    const warning = `'lowest_price' is more than ${unlikelyTimes} times as high as before`;
    return { ...updated, warning };
  }
  return updated;
}

function keyOf({ condition, channel }: Pick<ListingsRow, 'condition' | 'channel'>): string {
  return `${condition} ${channel}`;
}

function* loadHeld(
  named: readonly Pick<ListingsRow, 'itemId' | 'condition' | 'channel'>[],
): db.Operation<ByItem<string, Held>> {
  const found = yield* db.queryEach<ListingsRow>(
    `SELECT ${columnsOf(tables.listings, 'l', listingsFields)} FROM source.listings AS l
     WHERE l.item_id = r."itemId" AND l.condition = r.condition AND l.channel = r.channel`,
    db.givenRows(tables.listings, listingsIdentity, named),
  );
  const held = new ByItem<string, Held>();
  for (const row of found) held.set(row.itemId, keyOf(row), { stored: row, row });
  return held;
}
