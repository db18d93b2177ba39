/** Names and values of published items, many at a time. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import { unpackValues } from '../../domain/market/history.ts';
import type { MarketRecord } from '../../domain/market/market-list.ts';
import type { ListedSet } from '../../domain/market/published-records.ts';
import type { PublishedItem } from '../../domain/market/publishing.ts';
import {
  nextSetValues,
  packSetValues,
  type RecentMonths,
  type SetValues,
  unpackSetValues,
  valuesBefore,
} from '../../domain/market/set-values.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { type Engine, methods, type Operation, query, updateRows } from '../sql/operation.ts';
import { eachPart } from '../sql/pages.ts';
import { tables } from '../sql/tables.ts';

interface ValuesRow {
  readonly key: string;
  readonly packed: Uint8Array | null;
  readonly newCents: number | null;
  readonly usedCents: number | null;
}

const valuesSql = `SELECT key, set_values AS packed, new_cents::float8 AS "newCents",
    used_cents::float8 AS "usedCents"
  FROM published.listing WHERE kind = 'set'`;

/** A set's months in one condition, packed. */
interface MonthsRow {
  readonly key: string;
  readonly condition: Condition;
  readonly firstMonth: number;
  readonly points: Uint8Array;
}

const monthsSql = `SELECT l.key, s.condition, s.first_month AS "firstMonth", s.points
  FROM published.listing l JOIN published.series s ON s.item_id = l.item_id
  WHERE l.kind = 'set' AND l.key = ANY($1::text[])`;

export function listingReading(engine: Pick<Engine, 'run'>) {
  const values = async (sql: string, given: readonly (string | number | readonly string[])[]) => {
    const rows = await engine.run(() => query<ValuesRow>(sql, given));
    return new Map(rows.map((row) => [row.key, unpackValuesRow(row)]));
  };
  return {
    ...methods(engine.run, {
      findListedSets,
      findMonthValues,
      listMarketRecords,
      findMarketRecords,
    }),
    /** In the order of the keys; null if nothing is published. */
    findSetValues: async (setKeys: readonly string[]): Promise<(SetValues | null)[]> => {
      const found = await values(`${valuesSql} AND key = ANY($1::text[])`, [setKeys]);
      return setKeys.map((key) => found.get(key) ?? null);
    },
    /** Sets after a key, in order. */
    listSetValues: (afterKey: string, limit: number) =>
      values(`${valuesSql} AND key > $1::text ORDER BY key LIMIT $2::bigint`, [afterKey, limit]),
  };
}

/** By lookup key. */
function* findListedSets(setKeys: readonly string[]): Operation<Map<string, ListedSet>> {
  const rows = yield* query<ListedSet & { readonly key: string }>(
    `SELECT key, number, name AS title, coalesce(theme, '') AS theme,
       new_cents::float8 AS "newCents", used_cents::float8 AS "usedCents",
       new_tier AS "newTier", used_tier AS "usedTier"
     FROM published.listing WHERE kind = 'set' AND key = ANY($1::text[])`,
    [setKeys],
  );
  return new Map(rows.map(({ key, ...set }) => [key, set]));
}

/** In the order requested; null if there are none. */
function* findMonthValues(
  sets: readonly { readonly setKey: string; readonly condition: Condition }[],
): Operation<(RecentMonths | null)[]> {
  const keys = [...new Set(sets.map(({ setKey }) => setKey))];
  const rows = yield* query<MonthsRow>(monthsSql, [keys]);
  const found = new Map(rows.map((row) => [`${row.key} ${row.condition}`, row]));
  return sets.map(({ setKey, condition }) => {
    const row = found.get(`${setKey} ${condition}`);
    return row ? { firstMonth: row.firstMonth, valueCents: unpackValues(row.points) } : null;
  });
}

/** Items after a key, in order, for market lists. */
function listMarketRecords(kind: ItemKind, afterKey: string, limit: number) {
  return marketRecords('l.key > $2::text ORDER BY l.key LIMIT $3::bigint', [kind, afterKey, limit]);
}

/** Unknown keys are left out. */
function findMarketRecords(kind: ItemKind, keys: readonly string[]) {
  return marketRecords('l.key = ANY($2::text[])', [kind, keys]);
}

type MarketRow = Omit<MarketRecord, 'valueCents' | 'months'> & Omit<ValuesRow, 'key'>;

/** Some fields are only in documents. */
function* marketRecords(
  which: string,
  given: readonly [kind: ItemKind, ...(string | number | readonly string[])[]],
): Operation<MarketRecord[]> {
  const rows = yield* query<MarketRow>(
    `SELECT l.kind, l.key, l.number, l.name, l.item_class AS "itemClass",
       l.interest::float8 AS interest, l.set_values AS packed,
       l.new_cents::float8 AS "newCents", l.used_cents::float8 AS "usedCents",
       coalesce(l.theme, l.search_row::json ->> 'category') AS theme,
       l.year::float8 AS year,
       (d.body::json ->> 'status_id')::integer AS "statusId", e.body::json ->> 'tier' AS tier
     FROM published.listing l JOIN published.document d ON d.item_id = l.item_id
     LEFT JOIN published.evidence e ON e.item_id = l.item_id
     WHERE l.kind = $1::text AND ${which}`,
    given,
  );
  return rows.map(({ packed, newCents, usedCents, ...row }) => ({
    ...row,
    valueCents: row.kind === 'set' ? newCents : usedCents,
    months: (packed && unpackSetValues(packed)?.months.sealed) ?? null,
  }));
}

const noPast = { months: { sealed: null, used: null }, early: { sealed: [], used: [] } };

/** Values in an older layout lack the past until the set is published again. */
function unpackValuesRow({ packed, newCents, usedCents }: ValuesRow): SetValues {
  const values = packed && unpackSetValues(packed);
  return values ?? { newCents, usedCents, ...noPast };
}

const setsAtOnce = 5_000;

/**
 * Removes early values of sets (all if `ids` is null) from a day on; returns the ids of sets that
 * had any.
 */
export function* forgetEarlyValues(
  ids: ReadonlySet<number> | null,
  since: number,
): Operation<number[]> {
  const day = dayOf(since);
  const forgotten: number[] = [];
  const read = (afterId: number) =>
    query<{ id: number; packed: Uint8Array | null }>(
      `SELECT item_id::float8 AS id, set_values AS packed FROM published.listing
       WHERE kind = 'set' AND item_id > $1::bigint ORDER BY listing.item_id LIMIT ${setsAtOnce}`,
      [afterId],
    );
  yield* eachPart(read, function* (rows) {
    const changed = rows.flatMap(({ id: itemId, packed }) => {
      const values = packed && (ids?.has(itemId) ?? true) ? unpackSetValues(packed) : null;
      const kept = values && valuesBefore(values, day);
      return kept ? [{ itemId, setValues: packSetValues(kept) }] : [];
    });
    yield* updateRows(tables.listing, ['setValues'], changed);
    for (const { itemId } of changed) forgotten.push(itemId);
  });
  return forgotten;
}

/** Packs the values of a set, continuing the published ones. */
export function packNextSetValues(before: Uint8Array | null, item: PublishedItem): Uint8Array {
  const values = before && unpackSetValues(before);
  return packSetValues(nextSetValues(values, { ...item, day: dayOf(item.at) }));
}
