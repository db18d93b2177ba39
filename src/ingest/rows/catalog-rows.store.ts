/** Applies catalog rows of sets and minifigs. Each source has one record per item. */

import { isNaming } from '../../catalog/items/catalog.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import { ByItem } from '../../market/source-rows/by-item.store.ts';
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { type CatalogRow, loadLinks } from './link-rows.store.ts';
import { noNamedSet, onlyName } from './refusals.store.ts';

/** A row as it is stored. */
interface Described {
  readonly row: CatalogRow;
  readonly key: string;
  readonly body: string;
  /** Null if the item is not in the store. */
  readonly itemId: number | null;
}

/** The record of a source while a batch is applied. */
interface HeldRecord {
  readonly itemId: number;
  readonly source: string;
  /** Null if there is none yet. */
  body: string | null;
  /** The record before the batch; null if there was none. */
  stored: { readonly body: string; readonly goneAt: number | null } | null;
  isChanged: boolean;
}

/** By item and source. */
type HeldRecords = ByItem<string, HeldRecord>;

/** The sources that name a set, by its id; only for sets that some row describes without a name. */
type Namers = Map<number, Set<string>>;

export function* loadCatalogRows(rows: readonly MarketRow[], batch: Batch) {
  const { items, changes } = batch;
  const describe = (row: CatalogRow): Described => {
    const key = itemKey(row.kind, row.facts.number);
    return { row, key, body: JSON.stringify(row.facts), itemId: items.get(row.kind, key) };
  };
  const described = new Map(rows.filter(isCatalog).map((row) => [row, describe(row)]));
  const records: HeldRecords = new ByItem();
  yield* loadRecords([...described.values()], records);
  for (const [row, known] of described) described.set(row, withKept(known, records));
  const changing = listChanging([...described.values()], records);
  const namers = yield* loadNamers(changing, batch);
  const links = yield* loadLinks({ rows, changing }, batch);
  return {
    apply(row: CatalogRow): RowOutcome {
      const { key, body, row: whole } = described.get(row) ?? describe(row);
      const { kind, source, facts } = whole;
      const known = items.get(kind, key);
      if (known === null && !isNaming(facts)) return noNamedSet(key);
      const itemId = known ?? items.add({ kind, key, number: facts.number });
      const record = recordOf(records, itemId, source);
      if (record.body === body) return { kind: 'unchanged' };
      if (!replaceName(namers, itemId, whole)) return onlyName(key);
      const isNew = record.body === null;
      record.body = body;
      record.isChanged = true;
      changes.touch(itemId);
      changes.addFacts(itemId);
      if (kind === 'minifig') {
        items.describe(itemId, facts.number);
        batch.members.described.add(itemId);
      } else batch.members.sets.add(itemId);
      links.apply(itemId, whole);
      return { kind: isNew ? 'added' : 'updated' };
    },
    *save(): db.Operation<void> {
      yield* saveRecords(records.list(), batch);
      yield* links.save();
    },
  };
}

/** Fills the fields that a row leaves out from the source's previous record. */
function withKept(described: Described, records: HeldRecords): Described {
  const { row, itemId } = described;
  const stored = itemId === null ? null : (records.get(itemId, row.source)?.body ?? null);
  if (!row.keeps || stored === null) return described;
  const before: Record<string, unknown> = JSON.parse(stored);
  const kept = Object.fromEntries(row.keeps.map((field) => [field, before[field] ?? null]));
  const whole = { ...row, facts: { ...row.facts, ...kept } } as CatalogRow;
  return { ...described, row: whole, body: JSON.stringify(whole.facts) };
}

/** Whether a set still has a name after a row; if so, updates `namers`. */
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

function* loadNamers(rows: readonly CatalogRow[], { items }: Batch): db.Operation<Namers> {
  const ids = new Set<number>();
  for (const { kind, facts } of rows) {
    const id = isNaming(facts) ? null : items.get(kind, itemKey(kind, facts.number));
    if (id !== null) ids.add(id);
  }
  if (ids.size === 0) return new Map();
  const found = yield* db.query<{ id: number; source: string }>(
    `SELECT item_id::float8 AS id, source FROM source.catalog_record
     WHERE item_id = ANY($1::bigint[])
       AND body::json ->> 'title' IS NOT NULL AND body::json ->> 'theme' IS NOT NULL`,
    [[...ids]],
  );
  const namers: Namers = new Map();
  for (const { id, source } of found) namers.getOrInsertComputed(id, () => new Set()).add(source);
  return namers;
}

function isCatalog(row: MarketRow): row is CatalogRow {
  return row.kind === 'set' || row.kind === 'minifig';
}

function recordOf(records: HeldRecords, itemId: number, source: string): HeldRecord {
  return records.getOrMake(itemId, source, () => {
    return { itemId, source, body: null, stored: null, isChanged: false };
  });
}

function* loadRecords(described: readonly Described[], records: HeldRecords): db.Operation<void> {
  for (const { itemId, row } of described) {
    if (itemId !== null) recordOf(records, itemId, row.source);
  }
  const loaded = records.list();
  const groups = yield* db.queryGroups<{ body: string; goneAt: number | null }>(
    `SELECT body, gone_at::float8 AS "goneAt" FROM source.catalog_record
     WHERE item_id = r."itemId" AND source = r.source`,
    db.givenRows(tables.catalogRecord, ['itemId', 'source'], loaded),
  );
  for (const [index, record] of loaded.entries()) {
    const [stored] = at(groups, index);
    record.stored = stored ?? null;
    record.body = stored?.body ?? null;
  }
}

/** All rows of items with at least one changed row: only these can change links. */
function listChanging(described: readonly Described[], records: HeldRecords): CatalogRow[] {
  const itemName = ({ row, key, itemId }: Described) => itemId ?? `${row.kind} ${key}`;
  const isNews = ({ row, body, itemId }: Described) =>
    itemId === null || records.get(itemId, row.source)?.body !== body;
  const changing = new Set(described.filter(isNews).map(itemName));
  return described.filter((some) => changing.has(itemName(some))).map(({ row }) => row);
}

/** Clears `goneAt`: a source that describes an item has it again. */
function* saveRecords(records: readonly HeldRecord[], { undo }: Batch): db.Operation<void> {
  const changed = records
    .filter((record) => record.isChanged)
    .map((record) => ({ ...record, goneAt: null }));
  for (const { itemId, source, stored } of changed) {
    undo.add('record', stored ? [itemId, source, stored.body, stored.goneAt] : [itemId, source]);
  }
  yield* db.insertRows(
    tables.catalogRecord,
    changed.filter((record) => record.stored === null),
  );
  yield* db.updateRows(
    tables.catalogRecord,
    ['body', 'goneAt'],
    changed.filter((record) => record.stored !== null),
  );
}
