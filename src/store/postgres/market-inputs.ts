/**
 * Everything that documents are made from, read back for many items at once. The versions are read
 * before anything else: what changes after that moves them on, and publishing refuses it. So this
 * needs no transaction, and the rest is read side by side.
 */

import { minifigLister, type SetRecords } from '../../domain/catalog/merge.ts';
import { compareText } from '../../domain/catalog/numbers.ts';
import { weekOf } from '../../domain/kernel/time.ts';
import type { RetailWeek } from '../../domain/market/estimator.ts';
import type { Evidence } from '../../domain/market/evidence.ts';
import type { ItemName, LearningInputs } from '../../domain/market/learning-inputs.ts';
import type { ItemInputs, MarketPublishing } from '../../domain/market/market-store.ts';
import { wholeEvidence } from '../members.ts';
import { byKey, bySale, bySource } from '../source-rows.ts';
import type { Connection } from './client.ts';
import { loadRetail } from './retail-inputs.ts';
import { loadSales } from './sale-inputs.ts';
import { loadSeries } from './series-rows.ts';

/** Reads the inputs of items; ids that are not there are left out. */
export async function loadInputs(
  client: Connection,
  ...[ids, options]: Parameters<MarketPublishing['loadInputs']>
): Promise<ItemInputs[]> {
  const items = await findItems(client, ids);
  const [learning, retail, series, evidence] = await Promise.all([
    loadLearning(client, items, options.at),
    loadRetail(client, items, options.at),
    options.withSeries ? loadSeries(client, idsOf(items)) : null,
    loadEvidence(client, idsOf(items)),
  ]);
  return inOrder(ids, items, (item) => {
    const { number, version } = item;
    return {
      ...learning(item),
      number,
      version,
      retail: retail(item),
      series: series?.(item.id) ?? { sealed: null, used: null },
      evidence: evidence(item.id),
    };
  });
}

/** Reads what is learned from. */
export async function loadLearningInputs(
  client: Connection,
  ...[ids, at]: Parameters<MarketPublishing['loadLearningInputs']>
): Promise<LearningInputs[]> {
  const items = await findItems(client, ids);
  const learning = await loadLearning(client, items, at);
  return inOrder(ids, items, learning);
}

type Item = Pick<ItemInputs, 'id' | 'kind' | 'key' | 'number' | 'version'>;

function findItems(client: Connection, ids: readonly number[]): Promise<Item[]> {
  return client.query<Item>(
    `SELECT id::float8 AS id, kind, key, number, version::float8 AS version
     FROM published.item WHERE id = ANY($1::bigint[]) AND part_of IS NULL`,
    [ids],
  );
}

const idsOf = (items: readonly ItemName[]) => items.map((item) => item.id);

function inOrder<T>(ids: readonly number[], items: readonly Item[], make: (item: Item) => T): T[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => {
    const item = byId.get(id);
    return item ? [make(item)] : [];
  });
}

async function loadLearning(
  client: Connection,
  items: readonly Item[],
  at: number,
): Promise<(item: Item) => LearningInputs> {
  const kinds = Object.groupBy(items, (item) => item.kind);
  const [setIds, minifigIds] = [idsOf(kinds.set ?? []), idsOf(kinds.minifig ?? [])];
  const parts = await loadParts(client, minifigIds);
  const ids = [...setIds, ...minifigIds, ...[...parts.values()].flat()];
  const [records, sales, listed, sets, weeks] = await Promise.all([
    loadRecords(client, ids),
    loadSales(client, ids),
    loadRelated(client, minifigsSql, setIds),
    loadRelated(client, setsSql, minifigIds),
    loadRetailWeeks(client, setIds, at),
  ]);
  const minifigs = (id: number) => {
    const lister = minifigLister((records.get(id) ?? []) as SetRecords);
    return (listed.get(id) ?? []).filter(({ source }) => source === lister);
  };
  return ({ id, kind, key }) => {
    const members = [id, ...(parts.get(id) ?? [])];
    return {
      id,
      kind,
      key,
      records: members.flatMap((of) => records.get(of) ?? []).sort(bySource),
      sales: members.flatMap((of) => sales.get(of) ?? []).sort(bySale),
      related: numbersOf(kind === 'set' ? minifigs(id) : (sets.get(id) ?? [])),
      retailWeeks: weeks.get(id) ?? [],
    };
  };
}

/** The other numbers of minifigs, in order of key. */
async function loadParts(
  client: Connection,
  minifigIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (minifigIds.length === 0) return new Map();
  const rows = await client.query<{ id: number; part: number; key: string }>(
    `SELECT part_of::float8 AS id, id::float8 AS part, key FROM published.item
     WHERE part_of = ANY($1::bigint[])`,
    [minifigIds],
  );
  return byItem(rows.sort(byKey), ({ part }) => part);
}

type Records = LearningInputs['records'];

async function loadRecords(
  client: Connection,
  ids: readonly number[],
): Promise<Map<number, Records>> {
  const rows = await client.query<{ id: number; source: string; body: string }>(
    `SELECT item_id::float8 AS id, source, body FROM source.catalog_record
     WHERE item_id = ANY($1::bigint[])`,
    [ids],
  );
  return byItem(rows, ({ source, body }) => ({ source, facts: JSON.parse(body) }));
}

/** The minifigs of sets as each source lists them, under canonical numbers. */
const minifigsSql = `
  SELECT DISTINCT m.set_id::float8 AS id, m.source,
    coalesce(w.number, m.minifig_number) AS number
  FROM source.set_minifig m
  LEFT JOIN published.item i ON i.kind = 'minifig' AND i.key = m.minifig_key
  LEFT JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
  WHERE m.set_id = ANY($1::bigint[])`;

/** The sets that minifigs are in, by any of their numbers and sources. */
const setsSql = `
  SELECT DISTINCT k.id::float8 AS id, NULL AS source, s.number
  FROM (SELECT id, key FROM published.item WHERE id = ANY($1::bigint[])
    UNION ALL SELECT part_of, key FROM published.item WHERE part_of = ANY($1::bigint[])) k
  JOIN source.set_minifig m ON m.minifig_key = k.key
  JOIN published.item s ON s.id = m.set_id`;

interface Related {
  readonly source: string | null;
  readonly number: string;
}

async function loadRelated(
  client: Connection,
  sql: string,
  ids: readonly number[],
): Promise<Map<number, Related[]>> {
  if (ids.length === 0) return new Map();
  const rows = await client.query<Related & { readonly id: number }>(sql, [ids]);
  return byItem(rows, ({ source, number }) => ({ source, number }));
}

function numbersOf(related: readonly Related[]): string[] {
  return related.map(({ number }) => number).sort(compareText);
}

/** The weeks of sets that had begun at an instant. */
async function loadRetailWeeks(
  client: Connection,
  setIds: readonly number[],
  at: number,
): Promise<Map<number, RetailWeek[]>> {
  if (setIds.length === 0) return new Map();
  const rows = await client.query<RetailWeek & { readonly id: number }>(
    `SELECT item_id::float8 AS id, week, price_cents::float8 AS "priceCents"
     FROM source.retail_week
     WHERE item_id = ANY($1::bigint[]) AND week <= $2 ORDER BY item_id, week`,
    [setIds, weekOf(at)],
  );
  return byItem(rows, ({ week, priceCents }) => ({ week, priceCents }));
}

async function loadEvidence(
  client: Connection,
  ids: readonly number[],
): Promise<(id: number) => Evidence | null> {
  const rows = await client.query<{ id: number; isPart: boolean; body: string }>(
    `SELECT item_id::float8 AS id, false AS "isPart", body FROM source.evidence
     WHERE item_id = ANY($1::bigint[])
     UNION ALL
     SELECT i.part_of::float8, true, e.body FROM published.item i
     JOIN source.evidence e ON e.item_id = i.id WHERE i.part_of = ANY($1::bigint[])`,
    [ids],
  );
  const found = byItem(rows, ({ isPart, body }) => ({
    isPart,
    evidence: JSON.parse(body) as Evidence,
  }));
  return (id) => {
    const [own = [], parts = []] = [false, true].map((isPart) =>
      (found.get(id) ?? []).flatMap((some) => (some.isPart === isPart ? some.evidence : [])),
    );
    return wholeEvidence(own[0] ?? null, parts);
  };
}

/** Puts rows under their items, in the order in which they come. */
function byItem<Row extends { readonly id: number }, T>(
  rows: readonly Row[],
  make: (row: Row) => T,
): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const row of rows) {
    const list = found.get(row.id);
    if (list) list.push(make(row));
    else found.set(row.id, [make(row)]);
  }
  return found;
}
