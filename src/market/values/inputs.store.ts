/** Loads the inputs of values for many items. */

import { minifigLister, type SetRecords } from '../../catalog/items/merge.ts';
import { compareText } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import { weekOf } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, tables } from '../../store/sql/tables.ts';
import { otherNumbersSql } from '../lists/members.store.ts';
import type { InputCount, ItemInputs } from '../published/publishing.ts';
import { loadRateBook } from '../rates/rates.store.ts';
import { openOffers } from '../retail/retail-inputs.store.ts';
import { byKey, bySale, bySource, loadRecords } from '../source-rows/source-rows.store.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import { checkpointAtSql } from './checkpoints.store.ts';
import type { RetailWeek } from './estimator.ts';
import type { ItemName, LearningInputs } from './learning-inputs.ts';

/**
 * Approximate number of rows (sales, and offers not folded yet) of each item, which decides how
 * many items are loaded at once: those since their checkpoints, under all numbers of the item. The
 * state of a checkpoint counts as the rows that take as much memory.
 */
export function* countInputs(
  ids: readonly number[],
  at: number,
  checkpointsUntil: number = Number.MIN_SAFE_INTEGER,
): db.Reading<InputCount[]> {
  const counts = yield* db.together([
    db.query<InputCount>(countedSales, [ids, checkpointsUntil]),
    db.query<InputCount>(openOffers, [ids, at]),
  ]);
  const rowsOf = new Map(ids.map((id) => [id, 0]));
  for (const { id, rows } of counts.flat()) rowsOf.set(id, (rowsOf.get(id) ?? 0) + rows);
  return Array.from(rowsOf, ([id, rows]) => ({ id, rows }));
}

/** The memory of a loaded sale, roughly. */
const rowBytes = 400;

const countedSales = `SELECT w.id::float8 AS id,
    (SELECT count(*) FROM source.sale s WHERE s.item_id = w.id AND s.sold_at >= w.since)
      + coalesce((SELECT sum((SELECT count(*) FROM source.sale s
          WHERE s.item_id = p.id AND s.sold_at >= w.since))
        FROM (${otherNumbersSql('w.id')}) AS p), 0)::float8
      + coalesce((SELECT length(c.state) / ${rowBytes} FROM source.checkpoint AS c
          WHERE c.item_id = w.id AND c.at = w.since), 0) AS rows
  FROM (SELECT item.id, coalesce(${checkpointAtSql('$2::bigint')}, ${Number.MIN_SAFE_INTEGER})
      AS since FROM published.item WHERE id = ANY($1::bigint[])) AS w`;

/** With retail weeks up to `at`. */
export function* loadLearningInputs(
  ids: readonly number[],
  at: number,
): db.Reading<LearningInputs[]> {
  const items = yield* findItems(ids);
  const learning = yield* loadLearning(items, yield* loadValued(items), at);
  return items.map((item) => learning(item));
}

/** A collectible minifig that is valued as a set is one, too. */
export type Minifig = Pick<ItemInputs, 'id' | 'kind' | 'key' | 'number' | 'version'>;

interface Item extends Minifig {
  /** Null: from the first sale. */
  readonly checkpointAt: number | null;
}

/** In the order requested. */
export function* findItems(ids: readonly number[], checkpointsUntil?: number): db.Reading<Item[]> {
  const items = yield* db.query<Item>(
    `SELECT id::float8 AS id, kind, key, number, version::float8 AS version,
       ${checkpointAtSql('$2::bigint')}::float8 AS "checkpointAt"
     FROM published.item
     WHERE id = ANY($1::bigint[]) AND part_of IS NULL AND valued_as IS NULL`,
    [ids, checkpointsUntil ?? Number.MIN_SAFE_INTEGER],
  );
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export const idsOf = (items: readonly { readonly id: number }[]) => items.map((item) => item.id);

/** By the id of the set. */
export function* loadValued(items: readonly Item[]): db.Reading<Map<number, Minifig>> {
  const sets = items.filter(({ kind }) => kind === 'set');
  const found = yield* db.query<Minifig & OfItem>(
    `SELECT valued_as::float8 AS "ofId", id::float8 AS id, kind, key, number,
       version::float8 AS version
     FROM published.item WHERE valued_as = ANY($1::bigint[])`,
    [idsOf(sets)],
  );
  return new Map(found.map(({ ofId, ...minifig }) => [ofId, minifig]));
}

export function* loadLearning(
  items: readonly Item[],
  valued: ReadonlyMap<number, Minifig>,
  at: number,
): db.Reading<(item: ItemName) => LearningInputs> {
  const { set: sets = [], minifig: own = [] } = Object.groupBy(items, (item) => item.kind);
  const minifigs = [...own, ...valued.values()];
  const parts = yield* loadParts(minifigs);
  const numbersOf = (id: number) => [id, ...idsOf(parts.get(id) ?? [])];
  const ids = [...items, ...valued.values()].flatMap(({ id }) => numbersOf(id));
  const sold = items.flatMap(({ id, checkpointAt }) => {
    const from = checkpointAt ?? Number.MIN_SAFE_INTEGER;
    const minifig = valued.get(id);
    const all = [...numbersOf(id), ...(minifig ? numbersOf(minifig.id) : [])];
    return all.map((member) => ({ id: member, from }));
  });
  const [records, sales, listed, containing, weeks] = yield* db.together([
    loadRecords(ids),
    loadSales(sold),
    loadById<Related>(minifigsSql, idsOf(sets)),
    loadSets(minifigs, parts),
    loadRetailWeeks(idsOf(sets), at),
  ]);
  const minifigsOf = (id: number, ofSet: LearningInputs['records']) => {
    const lister = minifigLister(ofSet as SetRecords);
    return (listed.get(id) ?? []).filter(({ source }) => source === lister);
  };
  const salesOf = (id: number) => numbersOf(id).flatMap((of) => sales.get(of) ?? []);
  const allSales = (id: number) => {
    const minifig = valued.get(id);
    if (!minifig && !parts.has(id)) return sales.get(id) ?? [];
    const shared = minifig ? salesOf(minifig.id).map(asSetSale) : [];
    return [...salesOf(id), ...shared].sort(bySale);
  };
  return ({ id, kind, key }) => {
    const described = numbersOf(id).flatMap((of) => records.get(of) ?? []);
    const ofItem = described.sort(bySource);
    return {
      id,
      kind,
      key,
      records: ofItem,
      sales: allSales(id),
      related: sorted(kind === 'set' ? minifigsOf(id, ofItem) : (containing.get(id) ?? [])),
      retailWeeks: weeks.get(id) ?? [],
    };
  };
}

/** A minifig has no box or instructions that could be missing. */
function asSetSale(sale: StoredSale): StoredSale {
  const { completeness } = sale;
  const isUnstated = completeness === null || completeness === 'unknown';
  return isUnstated ? { ...sale, completeness: 'complete' } : sale;
}

function* loadById<Row>(
  sql: string,
  ids: readonly number[],
): db.Reading<Map<number, (Row & OfItem)[]>> {
  return Map.groupBy(yield* db.query<Row & OfItem>(sql, [ids]), ({ ofId }) => ofId);
}

interface OfItem {
  readonly ofId: number;
}

/** A number of a minifig. */
interface Part {
  readonly id: number;
  readonly key: string;
}

function* loadParts(minifigs: readonly Part[]): db.Reading<Map<number, Part[]>> {
  const found = yield* loadById<Part>(
    `SELECT part_of::float8 AS "ofId", id::float8 AS id, key FROM published.item
     WHERE part_of = ANY($1::bigint[])`,
    idsOf(minifigs),
  );
  return new Map(Array.from(found, ([id, parts]) => [id, parts.sort(byKey)]));
}

interface Related {
  readonly source: string | null;
  readonly number: string;
}

/**
 * The minifigs of sets by source, with canonical numbers. Subqueries instead of joins: without
 * statistics, PostgreSQL would scan all minifigs for each set.
 */
const minifigsSql = `
  SELECT DISTINCT m.set_id::float8 AS "ofId", m.source, coalesce((
    SELECT w.number FROM published.item i
    JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
    WHERE i.kind = 'minifig' AND i.key = m.minifig_key), m.minifig_number) AS number
  FROM source.set_minifig m WHERE m.set_id = ANY($1::bigint[])`;

/** The sets of minifigs, by any number and source. */
function* loadSets(
  minifigs: readonly Part[],
  parts: ReadonlyMap<number, readonly Part[]>,
): db.Reading<Map<number, Related[]>> {
  const members = minifigs.flatMap(({ id, key }) =>
    [key, ...(parts.get(id) ?? []).map((part) => part.key)].map((own) => ({ id, key: own })),
  );
  const groups = yield* db.queryGroups<{ number: string }>(
    `SELECT DISTINCT (SELECT s.number FROM published.item s WHERE s.id = m.set_id) AS number
     FROM source.set_minifig m WHERE m.minifig_key = r.key`,
    db.givenRows(tables.item, ['key'], members),
  );
  const numbers = new Map(minifigs.map(({ id }) => [id, new Set<string>()]));
  for (const [index, { id }] of members.entries()) {
    for (const { number } of at(groups, index)) numbers.get(id)?.add(number);
  }
  return new Map(
    Array.from(numbers, ([id, own]) => [
      id,
      Array.from(own, (number) => ({ number, source: null })),
    ]),
  );
}

function sorted(related: readonly Related[]): string[] {
  return related.map(({ number }) => number).sort(compareText);
}

/** The weeks of sets that had started at a time. */
function* loadRetailWeeks(
  setIds: readonly number[],
  at: number,
): db.Reading<Map<number, RetailWeek[]>> {
  const rows = setIds.map((itemId) => ({ itemId, week: weekOf(at) }));
  const groups = yield* db.queryGroups<RetailWeek>(
    `SELECT week, price_cents::float8 AS "priceCents" FROM source.retail_week
     WHERE item_id = r."itemId" AND week <= r.week ORDER BY week`,
    db.givenRows(tables.retailWeek, ['itemId', 'week'], rows),
  );
  return new Map(setIds.map((id, index) => [id, groups[index] ?? []]));
}

type Sale = { -readonly [Name in keyof StoredSale]: StoredSale[Name] };

const salesSql = `SELECT ${columnsBut(tables.sale, 's', ['itemId'])},
    1::float8 AS "usdPerUnit"
  FROM source.sale AS s WHERE s.item_id = r.id AND s.sold_at >= r."from"`;

/** The sales of items since a time each. */
function* loadSales(
  rows: readonly { readonly id: number; readonly from: number }[],
): db.Reading<Map<number, StoredSale[]>> {
  const types = { id: 'bigint', from: 'bigint' };
  const groups = yield* db.queryGroups<Sale>(salesSql, { types, rows });
  yield* addRates(groups.flatMap((sales) => sales.filter((sale) => sale.currency !== 'USD')));
  // Sorted here: no index of PostgreSQL has this order, and an item has few sales.
  return new Map(rows.map(({ id }, index) => [id, at(groups, index).sort(bySale)]));
}

/** Sets the exchange rate of the day of each sale; 0 while it waits for one. */
function* addRates(foreign: readonly Sale[]): db.Reading<void> {
  const amountOf = ({ currency, soldAt: at }: Sale) => ({ currency, at });
  const book = yield* loadRateBook(foreign.map(amountOf));
  for (const sale of foreign) {
    const rate = book.find(amountOf(sale));
    sale.usdPerUnit = rate?.usdPerUnit ?? 0;
    if (rate) sale.ingestedAt = Math.max(sale.ingestedAt, rate.knownAt);
  }
}
