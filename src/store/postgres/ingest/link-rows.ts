/** What ties sets and minifigs together: contents, and other numbers of the same minifig. */
import type { MinifigFacts } from '../../../domain/catalog/catalog.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import type { MarketRow } from '../../../domain/market/market-store.ts';
import { copyRows, runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';
import type { CatalogRow } from './catalog-rows.ts';
import { type Link, Links } from './links.ts';

/** Reads the links that rows concern, above all those of items that change. */
export async function loadLinks(
  tx: Connection,
  { rows, changing }: { rows: readonly MarketRow[]; changing: readonly CatalogRow[] },
  { items, changes, members }: Batch,
) {
  const contents = new Links();
  const wanted = wantedLinks(rows, changing, items.get.bind(items));
  await loadAliases(tx, wanted, items.aliases);
  const keys = await loadContents(tx, wanted, contents);
  await items.load(tx, 'minifig', new Set([...wanted.contentKeys, ...wanted.minifigKeys, ...keys]));

  const saveMinifigs = (setId: number, source: string, numbers: readonly string[]) => {
    const after = byKey(numbers);
    const before = contents.replace(setId, source, after);
    for (const key of before.union(after)) {
      const id = items.get('minifig', key);
      if (id === null) continue;
      changes.touch(id);
      // In how many sets a minifig is belongs to its facts.
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
    for (const setId of contents.itemsOf(ownKey)) changes.touch(setId);
  };
  return {
    /** An item is described anew. */
    apply(itemId: number, row: CatalogRow): void {
      if (row.kind === 'set') saveMinifigs(itemId, row.source, row.facts.minifigs ?? []);
      else saveAliases(itemId, row.source, row.facts);
    },
    async save(): Promise<void> {
      await saveContents(tx, contents);
      await saveNewAliases(tx, items.aliases);
    },
  };
}

/** Numbers by key; of two spellings of one key the first is kept. */
function byKey(numbers: readonly string[]): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const number of numbers) {
    const key = itemKey('minifig', number);
    if (!spellings.has(key)) spellings.set(key, number);
  }
  return spellings;
}

/** Which links are asked for. */
interface WantedLinks {
  /** Sets whose contents may change, and what they are to contain. */
  readonly setIds: readonly number[];
  readonly contentKeys: readonly string[];
  /** Minifigs whose aliases may change, and every number that they are to have. */
  readonly minifigIds: readonly number[];
  readonly minifigKeys: readonly string[];
  /** Minifigs that were sold, by whatever number. */
  readonly soldKeys: readonly string[];
}

function wantedLinks(
  rows: readonly MarketRow[],
  changing: readonly CatalogRow[],
  findId: (kind: CatalogRow['kind'], key: string) => number | null,
): WantedLinks {
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

/** All aliases of the minifigs, and whoever has a number that was sold as one of its own. */
async function loadAliases(tx: Connection, wanted: WantedLinks, aliases: Links): Promise<void> {
  const { minifigIds, soldKeys } = wanted;
  if (minifigIds.length + soldKeys.length === 0) return;
  const columns = 'item_id::float8 AS "itemId", source, key, key AS number';
  const found = await tx.query<Link>(
    `SELECT ${columns} FROM published.alias WHERE item_id = ANY($1::bigint[])
     UNION ALL
     SELECT ${columns} FROM published.alias WHERE key = ANY($2::text[])`,
    [minifigIds, soldKeys],
  );
  for (const link of found) aliases.addStored(link);
}

/** All contents of the sets, and which other sets contain any of the minifigs; all the keys. */
async function loadContents(
  tx: Connection,
  wanted: WantedLinks,
  contents: Links,
): Promise<string[]> {
  const { setIds, minifigKeys } = wanted;
  if (setIds.length + minifigKeys.length === 0) return [];
  const columns =
    'set_id::float8 AS "itemId", source, minifig_key AS key, minifig_number AS number';
  const found = await tx.query<Link>(
    `SELECT ${columns} FROM source.set_minifig WHERE set_id = ANY($1::bigint[])
     UNION ALL
     SELECT ${columns} FROM source.set_minifig WHERE minifig_key = ANY($2::text[])`,
    [setIds, minifigKeys],
  );
  for (const link of found) contents.addStored(link);
  return found.map((link) => link.key);
}

async function saveContents(tx: Connection, contents: Links): Promise<void> {
  await runForRows(
    tx,
    `DELETE FROM source.set_minifig AS link
     USING json_to_recordset($1::text::json) AS r("itemId" bigint, source text)
     WHERE link.set_id = r."itemId" AND link.source = r.source`,
    contents.replacedLists(),
  );
  await copyRows(
    tx,
    { name: 'source.set_minifig', columns: ['set_id', 'minifig_key', 'source', 'minifig_number'] },
    contents.newLinks().map(({ itemId, source, key, number }) => [itemId, key, source, number]),
  );
}

async function saveNewAliases(tx: Connection, aliases: Links): Promise<void> {
  await runForRows(
    tx,
    `DELETE FROM published.alias AS link
     USING json_to_recordset($1::text::json) AS r("itemId" bigint, source text)
     WHERE link.item_id = r."itemId" AND link.source = r.source`,
    aliases.replacedLists(),
  );
  await copyRows(
    tx,
    { name: 'published.alias', columns: ['key', 'item_id', 'source'] },
    aliases.newLinks().map(({ itemId, source, key }) => [key, itemId, source]),
  );
}
