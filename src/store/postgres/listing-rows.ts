/** What holdings read of published sets: names and values, many at a time. */
import type { ListedSet, MarketReading } from '../../domain/market/market-reading.ts';
import { unpackValuesRow, type ValuesRow } from '../listing.ts';
import type { Reader } from './replica.ts';

const valuesColumns = `key, set_values AS "packed", new_cents::float8 AS "newCents",
  used_cents::float8 AS "usedCents"`;

/** Reads many sets in one statement. */
export function listingReading(
  reader: Reader,
): Pick<MarketReading, 'findListedSets' | 'findSetValues' | 'listSetValues'> {
  return {
    findListedSets: async (setKeys) => {
      const rows = await reader.query<ListedSet & { readonly key: string }>(
        `SELECT key, number, name AS title, coalesce(theme, '') AS theme,
           new_cents::float8 AS "newCents", used_cents::float8 AS "usedCents"
         FROM published.listing WHERE kind = 'set' AND key = ANY($1::text[])`,
        [setKeys],
      );
      return new Map(rows.map(({ key, ...set }) => [key, set]));
    },
    findSetValues: async (setKeys) => {
      const rows = await reader.query<ValuesRow>(
        `SELECT ${valuesColumns} FROM published.listing
         WHERE kind = 'set' AND key = ANY($1::text[])`,
        [setKeys],
      );
      const found = new Map(rows.map((row) => [row.key, unpackValuesRow(row)]));
      return setKeys.map((key) => found.get(key) ?? null);
    },
    listSetValues: async (afterKey, limit) => {
      const rows = await reader.query<ValuesRow>(
        `SELECT ${valuesColumns} FROM published.listing
         WHERE kind = 'set' AND key > $1 ORDER BY key LIMIT $2`,
        [afterKey, limit],
      );
      return new Map(rows.map((row) => [row.key, unpackValuesRow(row)]));
    },
  };
}
