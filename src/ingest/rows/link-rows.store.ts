/** Applies the links of catalog rows: minifigs in sets, and aliases of minifigs. */
import type { MinifigFacts } from '../../catalog/items/catalog.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { type Link, Links } from './links.store.ts';

export type CatalogRow = Extract<MarketRow, { kind: 'set' | 'minifig' }>;

/** Loads the links that rows concern; contents and aliases only of items that change. */
export function* loadLinks(
  { rows, changing }: { rows: readonly MarketRow[]; changing: readonly CatalogRow[] },
  { items, changes, members }: Pick<Batch, 'items' | 'changes' | 'members'>,
) {
  const contents = new Links();
  const concerned = concernedLinks(rows, changing, items.get.bind(items));
  yield* loadAliases(concerned, items.aliases);
  const keys = yield* loadContents(concerned, contents);
  yield* items.load(
    'minifig',
    new Set([...concerned.contentKeys, ...concerned.minifigKeys, ...keys]),
  );

  const saveMinifigs = (setId: number, source: string, numbers: readonly string[]) => {
    const after = byKey(numbers);
    const before = contents.replace(setId, source, after);
    for (const key of before.union(after)) {
      const id = items.get('minifig', key);
      if (id === null) continue;
      changes.touch(id);
      // The number of sets that contain a minifig is part of its facts.
      if (before.has(key) && after.has(key)) continue;
      changes.addFacts(id);
      members.described.add(id);
    }
  };
  const saveAliases = (minifigId: number, source: string, facts: MinifigFacts) => {
    const after = byKey(facts.aliases);
    const before = items.aliases.replace(minifigId, source, after);
    for (const key of after.keys()) items.addNamed(key);
    const ownKey = itemKey('minifig', facts.number);
    for (const key of before.union(after).add(ownKey)) members.keys.add(key);
    for (const setId of contents.itemsOf(ownKey)) {
      changes.touch(setId);
      members.sets.add(setId);
    }
  };
  return {
    /** Replaces the links of an item. */
    apply(itemId: number, row: CatalogRow): void {
      if (row.kind === 'set') saveMinifigs(itemId, row.source, row.facts.minifigs ?? []);
      else saveAliases(itemId, row.source, row.facts);
    },
    *save(): db.Operation<void> {
      yield* saveContents(contents);
      yield* saveAliasLists(items.aliases);
    },
  };
}

/** Numbers by key; the first spelling of a key wins. */
function byKey(numbers: readonly string[]): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const number of numbers) spellings.getOrInsert(itemKey('minifig', number), number);
  return spellings;
}

interface ConcernedLinks {
  /** Sets with contents that may change, and their new contents. */
  readonly setIds: readonly number[];
  readonly contentKeys: readonly string[];
  /** Minifigs with aliases that may change, and their numbers, including new aliases. */
  readonly minifigIds: readonly number[];
  readonly minifigKeys: readonly string[];
  /** Minifigs with sales in the batch, by the number sold. */
  readonly soldKeys: readonly string[];
}

function concernedLinks(
  rows: readonly MarketRow[],
  changing: readonly CatalogRow[],
  findId: (kind: CatalogRow['kind'], key: string) => number | null,
): ConcernedLinks {
  const ids = { set: new Set<number>(), minifig: new Set<number>() };
  const keys = { set: new Set<string>(), minifig: new Set<string>() };
  for (const { kind, facts } of changing) {
    const key = itemKey(kind, facts.number);
    const id = findId(kind, key);
    if (id !== null) ids[kind].add(id);
    if (kind === 'minifig') keys.minifig.add(key);
    const named = 'aliases' in facts ? facts.aliases : (facts.minifigs ?? []);
    for (const number of named) keys[kind].add(itemKey('minifig', number));
  }
  const soldKeys = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'sale' && row.sale.itemKind === 'minifig') soldKeys.add(row.sale.itemKey);
  }
  return {
    setIds: [...ids.set],
    contentKeys: [...keys.set],
    minifigIds: [...ids.minifig],
    minifigKeys: [...keys.minifig],
    soldKeys: [...soldKeys],
  };
}

/** All aliases of changing minifigs, and all minifigs with a sold number as alias. */
function* loadAliases(concerned: ConcernedLinks, aliases: Links): db.Operation<void> {
  const { minifigIds, soldKeys } = concerned;
  if (minifigIds.length + soldKeys.length === 0) return;
  const columns = 'item_id::float8 AS "itemId", source, key, key AS number';
  const found = yield* db.query<Link>(
    `SELECT ${columns} FROM published.alias WHERE item_id = ANY($1::bigint[])
     UNION ALL
     SELECT ${columns} FROM published.alias WHERE key = ANY($2::text[])`,
    [minifigIds, soldKeys],
  );
  for (const link of found) aliases.addStored(link);
}

/**
 * Loads the contents of changing sets, and other sets that contain a changing minifig; returns the
 * keys of all minifigs found.
 */
function* loadContents(concerned: ConcernedLinks, contents: Links): db.Operation<string[]> {
  const { setIds, minifigKeys } = concerned;
  if (setIds.length + minifigKeys.length === 0) return [];
  const columns =
    'set_id::float8 AS "itemId", source, minifig_key AS key, minifig_number AS number';
  const found = yield* db.query<Link>(
    `SELECT ${columns} FROM source.set_minifig WHERE set_id = ANY($1::bigint[])
     UNION ALL
     SELECT ${columns} FROM source.set_minifig WHERE minifig_key = ANY($2::text[])`,
    [setIds, minifigKeys],
  );
  for (const link of found) contents.addStored(link);
  return found.map((link) => link.key);
}

function* saveContents(contents: Links): db.Operation<void> {
  const lists = contents.replacedLists().map(({ itemId, source }) => ({ setId: itemId, source }));
  const links = contents.newLinks().map(({ itemId, source, key, number }) => ({
    setId: itemId,
    minifigKey: key,
    source,
    minifigNumber: number,
  }));
  yield* db.deleteEach(tables.setMinifig, lists, ['setId', 'source']);
  yield* db.insertRows(tables.setMinifig, links);
}

function* saveAliasLists(aliases: Links): db.Operation<void> {
  yield* db.deleteEach(tables.alias, aliases.replacedLists(), ['itemId', 'source']);
  yield* db.insertRows(tables.alias, aliases.newLinks());
}
