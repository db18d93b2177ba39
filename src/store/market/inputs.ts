/** Everything that documents are made from, and that is learned from, read back for many items. */
import { minifigLister, type SetRecords } from '../../domain/catalog/merge.ts';
import { compareText } from '../../domain/catalog/numbers.ts';
import { weekOf } from '../../domain/kernel/time.ts';
import type { RetailWeek } from '../../domain/market/estimator.ts';
import type { ItemName, LearningInputs } from '../../domain/market/learning-inputs.ts';
import type {
  InputCount,
  ItemInputs,
  PublishingStore,
} from '../../domain/market/publishing-store.ts';
import {
  type Engine,
  givenRows,
  type Operation,
  query,
  queryGroups,
  together,
} from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';
import { loadGradedDeals } from './deals.ts';
import { loadEvidence } from './evidence.ts';
import { loadRetail, openOffers } from './retail-inputs.ts';
import { loadSales } from './sale-inputs.ts';
import { loadSeries } from './series.ts';
import { byKey, bySale, bySource } from './source-rows.ts';

/**
 * Reads inputs with `read`. The version of an item has to be that of its rows, or an older one:
 * SQLite reads on one snapshot. PostgreSQL need not: versions are read before anything else, what
 * changes after that moves them on, and publishing refuses it; so the rest is read side by side.
 */
export function marketInputs(
  read: Engine['run'],
): Pick<PublishingStore, 'countInputs' | 'loadInputs' | 'loadLearningInputs'> {
  return {
    countInputs: (ids, at) => read(() => countInputs(ids, at)),
    loadInputs: (ids, options) => read(() => loadInputs(ids, options)),
    loadLearningInputs: (ids, at) => read(() => loadLearningInputs(ids, at)),
  };
}

/** How many sales and offers the inputs of items have; a minifig has those of its parts. */
function* countInputs(ids: readonly number[], at: number): Operation<InputCount[]> {
  const counts = yield* together([
    query<InputCount>(ownSales, [ids]),
    query<InputCount>(salesOfParts, [ids]),
    query<InputCount>(openOffers, [ids, at]),
  ]);
  const rowsOf = new Map(ids.map((id) => [id, 0]));
  for (const { id, rows } of counts.flat()) rowsOf.set(id, (rowsOf.get(id) ?? 0) + rows);
  return Array.from(rowsOf, ([id, rows]) => ({ id, rows }));
}

const ownSales = `SELECT item_id::float8 AS id, count(*)::float8 AS rows FROM source.sale
  WHERE item_id = ANY($1::bigint[]) GROUP BY item_id`;
const salesOfParts = `SELECT p.part_of::float8 AS id, count(*)::float8 AS rows
  FROM published.item p JOIN source.sale s ON s.item_id = p.id
  WHERE p.part_of = ANY($1::bigint[]) GROUP BY p.part_of`;

/** Reads the inputs of items; ids that are not there are left out. */
function* loadInputs(
  ids: readonly number[],
  { at, withSeries }: Parameters<PublishingStore['loadInputs']>[1],
): Operation<ItemInputs[]> {
  const items = yield* findItems(ids);
  const setKeys = items.flatMap(({ kind, key }) => (kind === 'set' ? [key] : []));
  const [learning, retail, series, evidence, deals] = yield* together([
    loadLearning(items, at),
    loadRetail(items, at),
    loadSeries(withSeries ? items : []),
    loadEvidence(items),
    loadGradedDeals(setKeys, at),
  ]);
  return items.map((item, index) => ({
    ...item,
    ...learning(item),
    retail: retail(item),
    series: series[index] ?? { sealed: null, used: null },
    evidence: evidence[index] ?? null,
    deals: (item.kind === 'set' && deals.get(item.key)) || [],
  }));
}

/** Reads what is learned from. */
function* loadLearningInputs(ids: readonly number[], at: number): Operation<LearningInputs[]> {
  const items = yield* findItems(ids);
  return items.map(yield* loadLearning(items, at));
}

type Item = Pick<ItemInputs, 'id' | 'kind' | 'key' | 'number' | 'version'>;

/** The items in the order in which they are asked for. */
function* findItems(ids: readonly number[]): Operation<Item[]> {
  const items = yield* query<Item>(
    `SELECT id::float8 AS id, kind, key, number, version::float8 AS version
     FROM published.item WHERE id = ANY($1::bigint[]) AND part_of IS NULL`,
    [ids],
  );
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const idsOf = (items: readonly { readonly id: number }[]) => items.map((item) => item.id);

function* loadLearning(
  items: readonly Item[],
  at: number,
): Operation<(item: ItemName) => LearningInputs> {
  const { set: sets = [], minifig: minifigs = [] } = Object.groupBy(items, (item) => item.kind);
  const parts = yield* loadParts(minifigs);
  const ids = [...idsOf(items), ...[...parts.values()].flatMap(idsOf)];
  const [records, sales, listed, containing, weeks] = yield* together([
    loadRecords(ids),
    loadSales(ids),
    loadById<Related>(minifigsSql, idsOf(sets)),
    loadSets(minifigs, parts),
    loadRetailWeeks(idsOf(sets), at),
  ]);
  const minifigsOf = (id: number) => {
    const lister = minifigLister((records.get(id) ?? []) as SetRecords);
    return (listed.get(id) ?? []).filter(({ source }) => source === lister);
  };
  return ({ id, kind, key }) => {
    const members = [id, ...idsOf(parts.get(id) ?? [])];
    return {
      id,
      kind,
      key,
      records: members.flatMap((of) => records.get(of) ?? []).sort(bySource),
      sales:
        members.length === 1
          ? (sales.get(id) ?? [])
          : members.flatMap((of) => sales.get(of) ?? []).sort(bySale),
      related: numbersOf(kind === 'set' ? minifigsOf(id) : (containing.get(id) ?? [])),
      retailWeeks: weeks.get(id) ?? [],
    };
  };
}

/** What a statement finds for ids, each row with the one that it is of. */
function* loadById<Row>(
  sql: string,
  ids: readonly number[],
): Operation<Map<number, (Row & OfItem)[]>> {
  return Map.groupBy(yield* query<Row & OfItem>(sql, [ids]), ({ ofId }) => ofId);
}

interface OfItem {
  readonly ofId: number;
}

/** A number of a minifig. */
interface Part {
  readonly id: number;
  readonly key: string;
}

/** The other numbers of minifigs, in order of key. */
function* loadParts(minifigs: readonly Item[]): Operation<Map<number, Part[]>> {
  const found = yield* loadById<Part>(
    `SELECT part_of::float8 AS "ofId", id::float8 AS id, key FROM published.item
     WHERE part_of = ANY($1::bigint[])`,
    idsOf(minifigs),
  );
  return new Map(Array.from(found, ([id, parts]) => [id, parts.sort(byKey)]));
}

function* loadRecords(ids: readonly number[]): Operation<Map<number, LearningInputs['records']>> {
  const found = yield* loadById<{ source: string; body: string }>(
    `SELECT item_id::float8 AS "ofId", source, body FROM source.catalog_record
     WHERE item_id = ANY($1::bigint[])`,
    ids,
  );
  const parse = ({ source, body }: { source: string; body: string }) => ({
    source,
    facts: JSON.parse(body),
  });
  return new Map(Array.from(found, ([id, records]) => [id, records.map(parse)]));
}

interface Related {
  readonly source: string | null;
  readonly number: string;
}

/**
 * The minifigs of sets as each source lists them, under canonical numbers. Subqueries, not joins:
 * without statistics, PostgreSQL would go through all minifigs for each set.
 */
const minifigsSql = `
  SELECT DISTINCT m.set_id::float8 AS "ofId", m.source, coalesce((
    SELECT w.number FROM published.item i
    JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
    WHERE i.kind = 'minifig' AND i.key = m.minifig_key), m.minifig_number) AS number
  FROM source.set_minifig m WHERE m.set_id = ANY($1::bigint[])`;

/** The sets that minifigs are in, by any of their numbers and sources. */
function* loadSets(
  minifigs: readonly Item[],
  parts: ReadonlyMap<number, readonly Part[]>,
): Operation<Map<number, Related[]>> {
  const members = minifigs.flatMap(({ id, key }) =>
    [key, ...(parts.get(id) ?? []).map((part) => part.key)].map((own) => ({ id, key: own })),
  );
  const groups = yield* queryGroups<{ number: string }>(
    `SELECT DISTINCT (SELECT s.number FROM published.item s WHERE s.id = m.set_id) AS number
     FROM source.set_minifig m WHERE m.minifig_key = r.key`,
    givenRows(tables.item, ['key'], members),
  );
  const numbers = new Map(minifigs.map(({ id }) => [id, new Set<string>()]));
  for (const [index, { id }] of members.entries()) {
    for (const { number } of groups[index] ?? []) numbers.get(id)?.add(number);
  }
  return new Map(
    Array.from(numbers, ([id, own]) => [
      id,
      Array.from(own, (number) => ({ number, source: null })),
    ]),
  );
}

function numbersOf(related: readonly Related[]): string[] {
  return related.map(({ number }) => number).sort(compareText);
}

/** The weeks of sets that had begun at an instant. */
function* loadRetailWeeks(
  setIds: readonly number[],
  at: number,
): Operation<Map<number, RetailWeek[]>> {
  const rows = setIds.map((itemId) => ({ itemId, week: weekOf(at) }));
  const groups = yield* queryGroups<RetailWeek>(
    `SELECT week, price_cents::float8 AS "priceCents" FROM source.retail_week
     WHERE item_id = r."itemId" AND week <= r.week ORDER BY week`,
    givenRows(tables.retailWeek, ['itemId', 'week'], rows),
  );
  return new Map(setIds.map((id, index) => [id, groups[index] ?? []]));
}
