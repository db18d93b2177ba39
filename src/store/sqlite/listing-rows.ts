/** What holdings read of published sets: names and values, many at a time. */
import type { Database } from 'bun:sqlite';
import type { ListedSet, MarketReading } from '../../domain/market/market-reading.ts';
import type { PublishedItem } from '../../domain/market/market-store.ts';
import type { SetValues } from '../../domain/market/set-values.ts';
import { packNextSetValues, unpackValuesRow } from '../listing.ts';

/**
 * Reads many sets in one statement. CROSS JOIN keeps SQLite from going through all sets for each
 * that is asked for: it cannot know how few those are.
 */
export function listingReading(
  db: Database,
): Pick<MarketReading, 'findListedSets' | 'findSetValues' | 'listSetValues'> {
  const listed = db.query<ListedSet & { readonly key: string }, [string]>(
    `SELECT l.key, l.number, l.name AS title, coalesce(l.theme, '') AS theme,
       l.new_cents AS newCents, l.used_cents AS usedCents
     FROM json_each(?) j CROSS JOIN listing l ON l.kind = 'set' AND l.key = j.value`,
  );
  const values = db.query<never, [string]>(
    `SELECT l.key, l.set_values, l.new_cents, l.used_cents FROM json_each(?) j
     CROSS JOIN listing l ON l.kind = 'set' AND l.key = j.value`,
  );
  const valuesAfter = db.query<never, [string, number]>(
    `SELECT key, set_values, new_cents, used_cents FROM listing
     WHERE kind = 'set' AND key > ? ORDER BY key LIMIT ?`,
  );
  return {
    findListedSets: async (setKeys) =>
      new Map(listed.all(JSON.stringify(setKeys)).map(({ key, ...set }) => [key, set])),
    findSetValues: async (setKeys) => {
      const found = unpackRows(values.values(JSON.stringify(setKeys)));
      return setKeys.map((key) => found.get(key) ?? null);
    },
    listSetValues: async (afterKey, limit) => unpackRows(valuesAfter.values(afterKey, limit)),
  };
}

type StoredValues = [string, Uint8Array | null, number | null, number | null];

function unpackRows(rows: readonly unknown[][]): Map<string, SetValues> {
  const found = new Map<string, SetValues>();
  for (const [key, packed, newCents, usedCents] of rows as StoredValues[]) {
    found.set(key, unpackValuesRow({ key, packed, newCents, usedCents }));
  }
  return found;
}

/** Packs the values of a set that is being published, going on from what was published before. */
export function setValuesMaker(db: Database): (item: PublishedItem) => Uint8Array {
  const find = db.query<{ packed: Uint8Array | null }, [number]>(
    'SELECT set_values AS packed FROM listing WHERE item_id = ?',
  );
  return (item) => packNextSetValues(find.get(item.id)?.packed ?? null, item);
}
