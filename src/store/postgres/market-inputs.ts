/**
 * Everything that documents are made from, read back for many items at once. The versions are read
 * before anything else: what changes after that moves them on, and publishing refuses it. So this
 * needs no transaction, and the rest is read side by side.
 */
import type { RetailWeek } from '../../domain/estimator.ts';
import type { Evidence } from '../../domain/evidence.ts';
import type { ItemName, LearningInputs } from '../../domain/learning-inputs.ts';
import type { ItemInputs, MarketPublishing } from '../../domain/market-store.ts';
import { compareText } from '../../domain/numbers.ts';
import { weekOf } from '../../domain/time.ts';
import type { Connection } from './client.ts';
import { loadRetail } from './retail-inputs.ts';
import { loadSales } from './sale-inputs.ts';
import { loadSeries } from './series-rows.ts';

/** Reads the inputs of items; ids that are not there are left out. */
export async function loadInputs(
  client: Connection,
  ...[ids, wish]: Parameters<MarketPublishing['loadInputs']>
): Promise<ItemInputs[]> {
  const items = await findItems(client, ids);
  const [learning, retail, series, evidence] = await Promise.all([
    loadLearning(client, items, wish.at),
    loadRetail(client, items, wish.at),
    wish.withSeries ? loadSeries(client, idsOf(items)) : null,
    loadEvidence(client, idsOf(items)),
  ]);
  return inOrder(ids, items, (item) => {
    const { number, version } = item;
    return {
      ...learning(item),
      ...{ number, version },
      retail: retail(item),
      series: series?.(item.id) ?? { sealed: null, used: null },
      evidence: evidence.get(item.id) ?? null,
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
     FROM published.item WHERE id = ANY($1::bigint[])`,
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
  const [ids, setIds] = [idsOf(items), idsOf(kinds.set ?? [])];
  const [records, sales, minifigs, sets, weeks] = await Promise.all([
    loadRecords(client, ids),
    loadSales(client, ids),
    loadRelated(client, minifigsSql, setIds),
    loadRelated(client, setsSql, idsOf(kinds.minifig ?? [])),
    loadRetailWeeks(client, setIds, at),
  ]);
  return ({ id, kind, key }) => ({
    ...{ id, kind, key },
    records: records.get(id) ?? [],
    sales: sales.get(id) ?? [],
    related: (kind === 'set' ? minifigs : sets).get(id) ?? [],
    retailWeeks: weeks.get(id) ?? [],
  });
}

type Records = LearningInputs['records'];

async function loadRecords(
  client: Connection,
  ids: readonly number[],
): Promise<Map<number, Records>> {
  const rows = await client.query<{ id: number; source: string; body: string }>(
    `SELECT item_id::float8 AS id, source, body FROM source.catalog_record
     WHERE item_id = ANY($1::bigint[]) ORDER BY item_id, source`,
    [ids],
  );
  return byItem(rows, ({ source, body }) => ({ source, facts: JSON.parse(body) }));
}

/** The minifigs of sets, under canonical numbers. */
const minifigsSql = `
  SELECT DISTINCT m.set_id::float8 AS id, coalesce(
    (SELECT number FROM published.item WHERE kind = 'minifig' AND key = m.minifig_key),
    (SELECT i.number FROM published.alias a JOIN published.item i ON i.id = a.item_id
     WHERE a.key = m.minifig_key ORDER BY i.id LIMIT 1),
    m.minifig_number) AS number
  FROM source.set_minifig m WHERE m.set_id = ANY($1::bigint[])`;

/** The sets that minifigs are in, by any of their numbers. */
const setsSql = `
  SELECT DISTINCT k.id::float8 AS id, s.number
  FROM (SELECT id, key FROM published.item WHERE id = ANY($1::bigint[])
    UNION SELECT item_id, key FROM published.alias WHERE item_id = ANY($1::bigint[])) k
  JOIN source.set_minifig m ON m.minifig_key = k.key
  JOIN published.item s ON s.id = m.set_id`;

async function loadRelated(
  client: Connection,
  sql: string,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await client.query<{ id: number; number: string }>(sql, [ids]);
  const related = byItem(rows, (row) => row.number);
  for (const numbers of related.values()) numbers.sort(compareText);
  return related;
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
): Promise<Map<number, Evidence>> {
  const rows = await client.query<{ id: number; body: string }>(
    `SELECT item_id::float8 AS id, body FROM source.evidence
     WHERE item_id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, body }) => [id, JSON.parse(body)]));
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
