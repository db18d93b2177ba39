/** Lookups of what files name: items that are known to any source, and exchange rates. */
import { mergeSet } from '../../catalog/items/merge.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import * as db from '../../store/sql/operation.ts';
import { findRates } from '../rates/rates.store.ts';
import type { KnownMinifig, KnownSet } from './market-ingest.ts';

export function knownItems(engine: db.Engine) {
  return db.methods(engine.run, { findNumbers, findKnownSets, findKnownMinifigs, findRates });
}

export interface KnownItems extends ReturnType<typeof knownItems> {}

/** A minifig that is named by sets only is part of item 0, which does not exist. */
const isKnown = 'coalesce(item.part_of, 1) <> 0';

/** Known numbers in their canonical spelling, by lookup key. */
function* findNumbers(kind: ItemKind, keys: readonly string[]): db.Reading<Map<string, string>> {
  const found = yield* db.query<{ key: string; number: string }>(
    `SELECT item.key, item.number FROM published.item
     WHERE item.kind = $1::text AND item.key = ANY($2::text[]) AND ${isKnown}`,
    [kind, keys],
  );
  const numbers = new Map(found.map(({ key, number }) => [key, number]));
  return new Map(
    keys.flatMap((key) => {
      const number = numbers.get(key);
      return number === undefined ? [] : [[key, number] as const];
    }),
  );
}

/** Only published data, which every role can read, by lookup key. */
function* findKnownMinifigs(keys: readonly string[]): db.Reading<Map<string, KnownMinifig>> {
  if (keys.length === 0) return new Map();
  const rows = yield* db.query<KnownMinifig & { key: string }>(
    `SELECT item.key, item.number, coalesce(l.name, item.number) AS title,
       (l.search_row::json ->> 'year_released')::integer AS year,
       l.used_cents::float8 AS "valueCents"
     FROM published.item
     LEFT JOIN published.listing l ON l.item_id = coalesce(item.part_of, item.id)
     WHERE item.kind = 'minifig' AND item.key = ANY($1::text[]) AND ${isKnown}`,
    [keys],
  );
  return new Map(rows.map(({ key, ...minifig }) => [key, minifig]));
}

/** Merged facts of known sets, by lookup key. */
function* findKnownSets(keys: readonly string[]): db.Reading<Map<string, KnownSet>> {
  const rows = yield* db.query<{ key: string; number: string; source: string; body: string }>(
    `SELECT item.key, item.number, record.source, record.body
     FROM published.item JOIN source.catalog_record AS record ON record.item_id = item.id
     WHERE item.kind = 'set' AND item.key = ANY($1::text[])`,
    [keys],
  );
  const found = new Map<string, KnownSet>();
  for (const [key, records] of Map.groupBy(rows, (row) => row.key)) {
    const facts = mergeSet(
      records.map(({ source, body }) => ({ source, facts: JSON.parse(body) })),
    );
    const number = records[0]?.number ?? facts.number;
    const { title, msrpCents, releaseDate, year } = facts;
    found.set(key, { number, title, msrpCents, releaseDate, year });
  }
  return found;
}
