/** Sets and minifigs on their way in: each source keeps its own record of an item. */
import { isNaming } from '../../../domain/catalog/catalog.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import type { MarketRow, RowOutcome } from '../../../domain/market/market-store.ts';
import { noNamedSet, onlyName } from '../../refusals.ts';
import { copyRows, runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';
import { loadLinks } from './link-rows.ts';

/** A row that describes an item. */
export type CatalogRow = Extract<MarketRow, { kind: 'set' | 'minifig' }>;

/** A row in the form in which it is kept. */
interface Described {
  readonly row: CatalogRow;
  readonly key: string;
  readonly body: string;
}

/** What a source says of an item while a batch is applied. */
interface HeldRecord {
  readonly itemId: number;
  readonly source: string;
  readonly body: string;
  readonly isStored: boolean;
  readonly isChanged: boolean;
}

/** Records by item and source. */
type HeldRecords = Map<string, HeldRecord>;

/** The sources that name a set, by its id: of sets that some row describes without naming them. */
type Namers = Map<number, Set<string>>;

/** Reads what catalog rows concern; then applies them, remembering whose documents they change. */
export async function loadCatalogRows(tx: Connection, rows: readonly MarketRow[], batch: Batch) {
  const { items, changes } = batch;
  const described = new Map(rows.filter(isCatalog).map((row) => [row, describe(row)]));
  const records = await loadRecords(tx, [...described.values()], batch);
  const changing = listChanging([...described.values()], records, batch);
  const namers = await loadNamers(tx, changing, batch);
  const links = await loadLinks(tx, { rows, changing }, batch);
  return {
    apply(row: CatalogRow): RowOutcome {
      const { kind, source, facts } = row;
      const { key, body } = described.get(row) ?? describe(row);
      const known = items.get(kind, key);
      if (known === null && !isNaming(facts)) return noNamedSet(key);
      const itemId = known ?? items.add({ kind, key, number: facts.number });
      const old = records.get(nameOf(itemId, source));
      if (old?.body === body) return { kind: 'unchanged' };
      if (!replaceName(namers, itemId, row)) return onlyName(key);
      const isStored = old?.isStored ?? false;
      records.set(nameOf(itemId, source), { itemId, source, body, isStored, isChanged: true });
      changes.touch(itemId);
      changes.addFacts(itemId);
      if (kind === 'minifig') {
        items.describe(itemId, facts.number);
        batch.members.described.add(itemId);
      }
      links.apply(itemId, row);
      return { kind: old ? 'updated' : 'added' };
    },
    async save(): Promise<void> {
      await saveRecords(tx, [...records.values()]);
      await links.save();
    },
  };
}

/** Whether a set keeps a name when a source describes it anew; if so, takes note of it. */
function replaceName(namers: Namers, setId: number, { source, facts }: CatalogRow): boolean {
  const named = namers.get(setId) ?? new Set<string>();
  if (isNaming(facts)) {
    namers.set(setId, named.add(source));
    return true;
  }
  if (named.difference(new Set([source])).size === 0) return false;
  named.delete(source);
  return true;
}

async function loadNamers(
  tx: Connection,
  rows: readonly CatalogRow[],
  { items }: Batch,
): Promise<Namers> {
  const ids = new Set<number>();
  for (const { kind, facts } of rows) {
    const id = isNaming(facts) ? null : items.get(kind, itemKey(kind, facts.number));
    if (id !== null) ids.add(id);
  }
  if (ids.size === 0) return new Map();
  const found = await tx.query<{ id: number; source: string }>(
    `SELECT item_id::float8 AS id, source FROM source.catalog_record
     WHERE item_id = ANY($1::bigint[])
       AND body::json ->> 'title' IS NOT NULL AND body::json ->> 'theme' IS NOT NULL`,
    [[...ids]],
  );
  const grouped = Map.groupBy(found, (row) => row.id);
  return new Map(
    Array.from(grouped, ([id, some]) => [id, new Set(some.map(({ source }) => source))]),
  );
}

function isCatalog(row: MarketRow): row is CatalogRow {
  return row.kind === 'set' || row.kind === 'minifig';
}

function describe(row: CatalogRow): Described {
  return { row, key: itemKey(row.kind, row.facts.number), body: JSON.stringify(row.facts) };
}

function nameOf(itemId: number, source: string): string {
  return `${itemId} ${source}`;
}

async function loadRecords(
  tx: Connection,
  described: readonly Described[],
  { items }: Batch,
): Promise<HeldRecords> {
  const wanted = new Map<string, { itemId: number; source: string }>();
  for (const { row, key } of described) {
    const itemId = items.get(row.kind, key);
    if (itemId === null) continue;
    wanted.set(nameOf(itemId, row.source), { itemId, source: row.source });
  }
  if (wanted.size === 0) return new Map();
  const stored = await tx.query<{ itemId: number; source: string; body: string }>(
    `SELECT item_id::float8 AS "itemId", source, body
     FROM unnest($1::bigint[], $2::text[]) AS wanted(id, source_name)
     CROSS JOIN LATERAL (
       SELECT item_id, source, body FROM source.catalog_record
       WHERE item_id = wanted.id AND source = wanted.source_name LIMIT 1) AS record`,
    [[...wanted.values()].map((w) => w.itemId), [...wanted.values()].map((w) => w.source)],
  );
  return new Map(
    stored.map((record) => [
      nameOf(record.itemId, record.source),
      { ...record, isStored: true, isChanged: false },
    ]),
  );
}

/** The rows of items of which any row says something new: only these can change links. */
function listChanging(
  described: readonly Described[],
  records: HeldRecords,
  { items }: Batch,
): CatalogRow[] {
  const itemName = ({ row, key }: Described) => `${row.kind} ${key}`;
  const isNews = ({ row, key, body }: Described) => {
    const itemId = items.get(row.kind, key);
    return itemId === null || records.get(nameOf(itemId, row.source))?.body !== body;
  };
  const changing = new Set(described.filter(isNews).map(itemName));
  return described.filter((some) => changing.has(itemName(some))).map(({ row }) => row);
}

async function saveRecords(tx: Connection, records: readonly HeldRecord[]): Promise<void> {
  const changed = records.filter((record) => record.isChanged);
  await copyRows(
    tx,
    { name: 'source.catalog_record', columns: ['item_id', 'source', 'body'] },
    changed.filter((r) => !r.isStored).map(({ itemId, source, body }) => [itemId, source, body]),
  );
  await runForRows(
    tx,
    `UPDATE source.catalog_record AS record SET body = r.body, gone_at = NULL
     FROM json_to_recordset($1::text::json) AS r("itemId" bigint, source text, body text)
     WHERE record.item_id = r."itemId" AND record.source = r.source`,
    changed.filter((r) => r.isStored).map(({ itemId, source, body }) => ({ itemId, source, body })),
  );
}
