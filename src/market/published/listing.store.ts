/** Names and values of published items, many at a time. */
import type { ItemKind, ItemRef } from '../../catalog/items/numbers.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import { minifigTheme } from '../../catalog/items/themes.ts';
import { toCents, toCentsOrNull } from '../../kernel/money.ts';
import { dayOf } from '../../kernel/time.ts';
import { groupValues } from '../../store/sql/group-values.ts';
import * as db from '../../store/sql/operation.ts';
import { eachPart } from '../../store/sql/pages.ts';
import { tables } from '../../store/sql/tables.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { dayValuesBefore, packDayValues, unpackDayValues } from '../history/day-values.ts';
import { unpackValues } from '../history/history.ts';
import type { MarketRecord } from '../lists/market-item.ts';
import { sharedMax } from '../retail/retail-reading.store.ts';
import { type Condition, usualCondition } from '../source-rows/source-rows.ts';
import { liquidityOf } from '../values/liquidity.ts';
import {
  nextSetValues,
  packSetValues,
  type RecentMonths,
  type SetValues,
  unpackSetValues,
  valuesBefore,
} from '../values/set-values.ts';
import type { FoundDays, ListedItem, ResaleRecord } from './published-records.ts';
import type { PublishedItem } from './publishing.ts';

interface ValuesRow {
  readonly key: string;
  readonly packed: Uint8Array | null;
  readonly newCents: number | null;
  readonly usedCents: number | null;
}

const valueColumns = `l.set_values AS packed, l.new_cents::float8 AS "newCents",
  l.used_cents::float8 AS "usedCents"`;

/** A set has one number; a minifig is found by any of its numbers. */
const listedFrom: Readonly<Record<ItemKind, string>> = {
  set: "SELECT l.key, {columns} FROM published.listing l WHERE l.kind = 'set'",
  minifig: `SELECT n.key, {columns} FROM published.item n
    JOIN published.listing l ON l.item_id = coalesce(n.part_of, n.id)
    WHERE n.kind = 'minifig'`,
};

/** Columns of items by requested key. */
const listedAmong = (kind: ItemKind, columns: string) =>
  `${listedFrom[kind].replace('{columns}', columns)}
    AND ${kind === 'set' ? 'l' : 'n'}.key = ANY($1::text[])`;

/** An item's months in one condition, packed. */
interface MonthsRow {
  readonly key: string;
  readonly condition: Condition;
  readonly firstMonth: number;
  readonly points: Uint8Array;
}

/** Only sets have months. */
const monthsSql = `SELECT l.key, s.condition, s.first_month AS "firstMonth", s.points
  FROM published.listing l JOIN published.series s ON s.item_id = l.item_id
  WHERE l.kind = 'set' AND l.key = ANY($1::text[])`;

export function listingReading(engine: Pick<db.Engine, 'run'>) {
  return db.methods(engine.run, {
    findResaleRecords,
    findBarcodeSets,
    findListedItems,
    findItemValues,
    findMonthValues,
    findDayValues,
    listMarketRecords,
    findMarketRecords,
  });
}

export interface ListingReading extends ReturnType<typeof listingReading> {}

type ResaleRow = Omit<ResaleRecord, 'evidence'> & {
  readonly asked: string;
  readonly evidence: string | null;
};

/** By requested key; unknown keys are left out. */
function* findResaleRecords(
  kind: ItemKind,
  keys: readonly string[],
): db.Reading<ReadonlyMap<string, ResaleRecord>> {
  const rows = yield* db.query<ResaleRow>(
    `SELECT n.key AS asked, i.key, i.number, d.body, e.body AS evidence, r.body AS retail
     FROM published.item n JOIN published.item i ON i.id = coalesce(n.part_of, n.id)
     JOIN published.document d ON d.item_id = i.id
     LEFT JOIN published.evidence e ON e.item_id = i.id
     LEFT JOIN published.retail r ON r.item_id = i.id
     WHERE n.kind = $1::text AND n.key = ANY($2::text[])`,
    [kind, keys],
  );
  return new Map(
    rows.map(({ asked, evidence, ...record }) => [
      asked,
      { ...record, evidence: evidence === null ? null : JSON.parse(evidence) },
    ]),
  );
}

/** Keys of sets by barcode, in order; only a few of each. */
function* findBarcodeSets(
  barcodeKeys: readonly string[],
): db.Reading<ReadonlyMap<string, string[]>> {
  if (barcodeKeys.length === 0) return new Map();
  const rows = yield* db.query<{ code: string; key: string }>(barcodeSetsSql, [barcodeKeys]);
  return groupValues(rows, 'code', 'key');
}

/** Limited, because many sets may share a barcode by mistake. */
const barcodeSetsSql = `SELECT code, key FROM (
    SELECT code, key, row_number() OVER (PARTITION BY code ORDER BY key) AS place FROM (
      SELECT upc_key AS code, key FROM published.listing
      WHERE kind = 'set' AND upc_key = ANY($1::text[])
      UNION
      SELECT ean_key AS code, key FROM published.listing
      WHERE kind = 'set' AND ean_key = ANY($1::text[])
    ) coded
  ) placed
  WHERE place <= ${sharedMax} ORDER BY code, key`;

/** In the order of the keys; null if nothing is published. */
function* findItemValues(
  kind: ItemKind,
  keys: readonly string[],
): db.Reading<(SetValues | null)[]> {
  if (keys.length === 0) return [];
  const rows = yield* db.query<ValuesRow>(listedAmong(kind, valueColumns), [keys]);
  const found = new Map(rows.map((row) => [row.key, unpackValuesRow(row)]));
  return keys.map((key) => found.get(key) ?? null);
}

const listedColumns = `l.number, l.name AS title,
  coalesce(l.theme, l.search_row::json ->> 'category', '') AS theme,
  l.new_cents::float8 AS "newCents", l.used_cents::float8 AS "usedCents",
  l.new_tier AS "newTier", l.used_tier AS "usedTier"`;

/** By requested key. */
function* findListedItems(
  kind: ItemKind,
  keys: readonly string[],
): db.Reading<Map<string, ListedItem>> {
  if (keys.length === 0) return new Map();
  const sql = listedAmong(kind, listedColumns);
  const rows = yield* db.query<ListedItem & { readonly key: string }>(sql, [keys]);
  const themeOf = ({ theme }: ListedItem) => (kind === 'set' ? theme : minifigTheme(theme));
  return new Map(rows.map(({ key, ...item }) => [key, { ...item, theme: themeOf(item) }]));
}

/** The current values of an item, and those of recent days; null if there is no such item. */
function* findDayValues(kind: ItemKind, key: string): db.Reading<FoundDays | null> {
  type Found = Omit<FoundDays, 'days'> & { readonly packed: Uint8Array | null };
  const columns = `l.number, l.day_values AS packed, l.new_cents::float8 AS "newCents",
    l.used_cents::float8 AS "usedCents"`;
  const row = yield* db.first<Found>(listedAmong(kind, columns), [[key]]);
  if (!row) return null;
  const { packed, ...found } = row;
  return { ...found, days: unpackDayValues(packed) };
}

/** In the order requested; null if there are none. */
function* findMonthValues(
  items: readonly (ItemRef & { readonly condition: Condition })[],
): db.Reading<(RecentMonths | null)[]> {
  const keys = new Set(items.flatMap(({ kind, key }) => (kind === 'set' ? key : [])));
  const rows = keys.size === 0 ? [] : yield* db.query<MonthsRow>(monthsSql, [[...keys]]);
  const found = new Map(rows.map((row) => [`${row.key} ${row.condition}`, row]));
  return items.map(({ kind, key, condition }) => {
    const row = kind === 'set' && found.get(`${key} ${condition}`);
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

type MarketRow = Pick<
  MarketRecord,
  'kind' | 'key' | 'number' | 'name' | 'theme' | 'year' | 'itemClass' | 'interest'
> &
  Omit<ValuesRow, 'key'> & { readonly document: string; readonly evidence: string | null };

/** The fields of a document that lists need; minifigs have none of them. */
interface ListedDocument {
  readonly subtheme?: string | null;
  readonly pieces?: number | null;
  readonly status_id?: StatusId | null;
  readonly msrp_usd?: number | null;
  readonly retailers?: readonly { readonly current_price: number; readonly in_stock: boolean }[];
}

/**
 * Documents and evidence are parsed here: PostgreSQL would parse them again for each field, which
 * takes three times as long.
 */
function* marketRecords(
  which: string,
  given: readonly [kind: ItemKind, ...(string | number | readonly string[])[]],
): db.Reading<MarketRecord[]> {
  const rows = yield* db.query<MarketRow>(
    `SELECT l.kind, l.key, l.number, l.name, l.item_class AS "itemClass",
       l.interest::float8 AS interest, l.set_values AS packed,
       l.new_cents::float8 AS "newCents", l.used_cents::float8 AS "usedCents",
       coalesce(l.theme, l.search_row::json ->> 'category') AS theme,
       l.year::float8 AS year, d.body AS document, e.body AS evidence
     FROM published.listing l JOIN published.document d ON d.item_id = l.item_id
     LEFT JOIN published.evidence e ON e.item_id = l.item_id
     WHERE l.kind = $1::text AND ${which}`,
    given,
  );
  return rows.map(toMarketRecord);
}

function toMarketRecord(row: MarketRow): MarketRecord {
  const { packed, newCents, usedCents, document, evidence, ...item } = row;
  const listed: ListedDocument = JSON.parse(document);
  const valued: Evidence | null = evidence && JSON.parse(evidence);
  const liquidity = valued && liquidityOf(valued, usualCondition(item.kind), valued.at);
  const prices = (listed.retailers ?? []).flatMap((each) =>
    each.in_stock ? (toCents(each.current_price) ?? []) : [],
  );
  return {
    ...item,
    subtheme: listed.subtheme ?? null,
    pieces: listed.pieces ?? null,
    statusId: listed.status_id ?? null,
    tier: valued?.tier ?? null,
    valueCents: item.kind === 'set' ? newCents : usedCents,
    months: (packed && unpackSetValues(packed)?.months.sealed) ?? null,
    day: valued && dayOf(valued.at),
    msrpCents: toCentsOrNull(listed.msrp_usd ?? null),
    priceCents: prices.length === 0 ? null : Math.min(...prices),
    sellThrough: liquidity?.sellThrough ?? null,
    soldPerMonth: liquidity?.perMonth ?? null,
    sellers: liquidity?.sellers ?? null,
  };
}

const noPast = { months: { sealed: null, used: null }, early: { sealed: [], used: [] } };

/** Values in an older layout lack the past until the item is published again. */
function unpackValuesRow({ packed, newCents, usedCents }: ValuesRow): SetValues {
  const values = packed && unpackSetValues(packed);
  return values ?? { newCents, usedCents, ...noPast };
}

const setsAtOnce = 5_000;

/** Removes early and daily values (all if `ids` is null); returns the ids of items with any. */
export function* forgetValuesSince(
  ids: ReadonlySet<number> | null,
  since: number,
): db.Operation<number[]> {
  const day = dayOf(since);
  const forgotten: number[] = [];
  const read = (afterId: number) =>
    db.query<{ id: number; packed: Uint8Array | null; packedDays: Uint8Array | null }>(
      `SELECT item_id::float8 AS id, set_values AS packed, day_values AS "packedDays"
       FROM published.listing
       WHERE item_id > $1::bigint ORDER BY listing.item_id LIMIT ${setsAtOnce}`,
      [afterId],
    );
  yield* eachPart(read, function* (rows) {
    const changed = rows.flatMap(({ id: itemId, packed, packedDays }) => {
      if (!(ids?.has(itemId) ?? true)) return [];
      const values = packed && unpackSetValues(packed);
      const kept = values && valuesBefore(values, day);
      const keptDays = dayValuesBefore(unpackDayValues(packedDays), day);
      if (!kept && !keptDays) return [];
      const setValues = kept ? packSetValues(kept) : packed;
      return [{ itemId, setValues, dayValues: keptDays ? packDayValues(keptDays) : packedDays }];
    });
    yield* db.updateRows(tables.listing, ['setValues', 'dayValues'], changed);
    for (const { itemId } of changed) forgotten.push(itemId);
  });
  return forgotten;
}

/** Packs the values of an item, continuing the published ones. */
export function packNextSetValues(before: Uint8Array | null, item: PublishedItem): Uint8Array {
  const values = before && unpackSetValues(before);
  return packSetValues(nextSetValues(values, { ...item, day: dayOf(item.at) }));
}
