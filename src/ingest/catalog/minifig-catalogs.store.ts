/** The minifigs of BrickLink and Rebrickable, as input for joining the two catalogs. */

import { compareText } from '../../catalog/items/numbers.ts';
import { inPrecedence, minifigPrecedence, setPrecedence } from '../../catalog/items/precedence.ts';
import type {
  CatalogMinifig,
  MinifigCatalogs,
  MinifigPair,
  SetLists,
} from '../../catalog/minifigs/minifig-join.ts';
import { joinSource } from '../../market/lists/members.store.ts';
import * as db from '../../store/sql/operation.ts';

export interface StoredMinifig extends CatalogMinifig {
  readonly id: number;
  readonly number: string;
}

/** Both catalogs, without minifigs that sources or operators have already joined. */
export interface StoredCatalogs extends MinifigCatalogs {
  readonly bricklink: readonly StoredMinifig[];
  readonly rebrickable: readonly StoredMinifig[];
}

type Side = 'bricklink' | 'rebrickable';

/** Null unless both catalogs were imported. */
export function* loadCatalogs(): db.Reading<StoredCatalogs | null> {
  if (!(yield* hasBothCatalogs())) return null;
  const sides = yield* loadSides();
  const joined = listJoined(sides, yield* listAliases());
  for (const key of joined) {
    sides.bricklink.delete(key);
    sides.rebrickable.delete(key);
  }
  const sets = yield* loadSetLists(joined);
  const parted = yield* db.query<MinifigPair>(
    'SELECT key AS bricklink, other_key AS rebrickable FROM source.parted_minifig',
  );
  return {
    bricklink: [...sides.bricklink.values()],
    rebrickable: [...sides.rebrickable.values()],
    sets,
    parted,
  };
}

/** A cheap check, because many stores have only one catalog. */
function* hasBothCatalogs(): db.Reading<boolean> {
  const has = (source: string) =>
    `EXISTS (SELECT 1 FROM source.catalog_record c JOIN published.item i ON i.id = c.item_id
       WHERE ${source} AND i.kind = 'minifig' AND c.gone_at IS NULL)`;
  const rows = yield* db.query<{ one: number }>(
    `SELECT 1 AS one WHERE ${has("c.source LIKE 'bricklink%'")}
       AND ${has("c.source = 'rebrickable'")}`,
  );
  return rows.length > 0;
}

interface RecordRow {
  readonly id: number;
  readonly key: string;
  readonly number: string;
  readonly source: string;
  readonly name: string;
  readonly category: string | null;
  readonly year: number | null;
}

type Sides = Readonly<Record<Side, Map<string, StoredMinifig>>>;

/** Current minifigs of each catalog by key. A key in both catalogs is ambiguous and left out. */
function* loadSides(): db.Reading<Sides> {
  const rows = yield* db.query<RecordRow>(
    `SELECT i.id::float8 AS id, i.key, i.number, c.source, c.body::json ->> 'name' AS name,
       c.body::json ->> 'category' AS category,
       (c.body::json ->> 'yearReleased')::integer AS year
     FROM source.catalog_record c JOIN published.item i ON i.id = c.item_id
     WHERE i.kind = 'minifig' AND c.gone_at IS NULL
       AND (c.source = 'rebrickable' OR c.source LIKE 'bricklink%')`,
  );
  const themes = yield* loadThemes();
  const sides: Sides = { bricklink: new Map(), rebrickable: new Map() };
  for (const [key, records] of Map.groupBy(rows, (row) => row.key)) {
    const [first, ...others] = inPrecedence(records, minifigPrecedence[0]?.sources ?? []);
    if (!first) continue;
    const isTheirs = first.source === 'rebrickable';
    if (!isTheirs && others.some(({ source }) => source === 'rebrickable')) continue;
    const known = <Field extends 'category' | 'year'>(field: Field) =>
      [first, ...others].find((record) => record[field] !== null)?.[field] ?? null;
    const category = known('category');
    sides[isTheirs ? 'rebrickable' : 'bricklink'].set(key, {
      id: first.id,
      key,
      number: first.number,
      name: first.name,
      year: known('year'),
      themes: isTheirs ? (themes.get(key) ?? []) : category === null ? [] : [category],
    });
  }
  return sides;
}

/** Themes of the sets that contain a minifig according to Rebrickable. */
function* loadThemes(): db.Reading<Map<string, string[]>> {
  const rows = yield* db.query<{ key: string; theme: string; subtheme: string | null }>(
    `SELECT DISTINCT m.minifig_key AS key, c.body::json ->> 'theme' AS theme,
       c.body::json ->> 'subtheme' AS subtheme
     FROM source.set_minifig m JOIN source.catalog_record c ON c.item_id = m.set_id
     WHERE m.source = 'rebrickable' AND c.source = 'rebrickable'`,
  );
  const themes = new Map<string, string[]>();
  for (const { key, theme, subtheme } of rows) {
    const path = subtheme === null ? theme : `${theme} / ${subtheme}`;
    themes.set(key, [...(themes.get(key) ?? []), path].sort(compareText));
  }
  return themes;
}

interface Alias {
  readonly key: string;
  readonly alias: string;
}

/** Aliases by sources and operators, without joined ones and without separated pairs. */
function listAliases(): db.Reading<Alias[]> {
  return db.query<Alias>(
    `SELECT i.key, a.key AS alias FROM published.alias a JOIN published.item i ON i.id = a.item_id
     WHERE a.source <> $1::text AND NOT EXISTS (
       SELECT 1 FROM source.parted_minifig p WHERE p.key = i.key AND p.other_key = a.key)`,
    [joinSource],
  );
}

/** Keys of minifigs that need no partner, because aliases already connect them. */
function listJoined(sides: Sides, aliases: readonly Alias[]): Set<string> {
  const sideOf = (key: string): Side | null => {
    if (sides.bricklink.has(key)) return 'bricklink';
    return sides.rebrickable.has(key) ? 'rebrickable' : null;
  };
  const joined = new Set<string>();
  for (const { key, alias } of aliases) {
    const [ours, theirs] = [sideOf(key), sideOf(alias)];
    if (ours === null || theirs === null) continue;
    joined.add(alias);
    if (ours !== theirs) joined.add(key);
  }
  return joined;
}

interface ListedRow {
  readonly setId: number;
  readonly source: string;
  readonly key: string;
}

/** Sets with minifigs listed by Rebrickable and by another source, in order of id. */
function* loadSetLists(joined: ReadonlySet<string>): db.Reading<SetLists[]> {
  const rows = yield* db.query<ListedRow>(
    `SELECT m.set_id::float8 AS "setId", m.source, m.minifig_key AS key FROM source.set_minifig m
     WHERE m.set_id IN (SELECT set_id FROM source.set_minifig WHERE source <> 'rebrickable')
       AND m.set_id IN (SELECT set_id FROM source.set_minifig WHERE source = 'rebrickable')
     ORDER BY m.set_id, m.source, m.minifig_key`,
  );
  const rule = setPrecedence.find(({ fields }) => fields.includes('minifigs'));
  const open = rows.filter(({ key }) => !joined.has(key));
  return [...Map.groupBy(open, (row) => row.setId).values()].map((listed) => {
    const others = listed.filter(({ source }) => source !== 'rebrickable');
    const lister = inPrecedence(others, rule?.sources ?? [])[0]?.source;
    const keysOf = (source: string | undefined) =>
      listed.filter((row) => row.source === source).map(({ key }) => key);
    return { bricklink: keysOf(lister), rebrickable: keysOf('rebrickable') };
  });
}
