/** What holdings read of published sets: names, values and recent months, many at a time. */
import type { Database } from 'bun:sqlite';
import { pointBytes, unpackValues } from '../../domain/history.ts';
import type { Condition } from '../../domain/market.ts';
import type { ListedSet, MarketReading } from '../../domain/market-store.ts';

interface SeriesRow {
  readonly place: number;
  readonly first_month: number;
  readonly length: number;
  readonly recent: Uint8Array;
}

/** Reads many sets in one statement. */
export function holdingReading(
  db: Database,
): Pick<MarketReading, 'findListedSets' | 'listRecentMonths'> {
  const listed = db.query<ListedSet & { readonly key: string }, [string]>(
    `SELECT l.key, l.number, l.name AS title, coalesce(l.theme, '') AS theme,
       l.new_cents AS newCents, l.used_cents AS usedCents
     FROM json_each(?) j JOIN listing l ON l.kind = 'set' AND l.key = j.value`,
  );
  const months = db.query<SeriesRow, [string, Condition, number]>(
    `SELECT j.key AS place, s.first_month, length(s.points) AS length,
       substr(s.points, ?3) AS recent
     FROM json_each(?1) j JOIN listing l ON l.kind = 'set' AND l.key = j.value
     JOIN series s ON s.item_id = l.item_id AND s.condition = ?2`,
  );
  return {
    findListedSets: async (setKeys) =>
      new Map(listed.all(JSON.stringify(setKeys)).map(({ key, ...set }) => [key, set])),
    listRecentMonths: async (wanted, count) => {
      const found = wanted.map(() => null) as Awaited<
        ReturnType<MarketReading['listRecentMonths']>
      >;
      for (const condition of ['sealed', 'used'] as const) {
        const keys = wanted.map((item) => (item.condition === condition ? item.setKey : null));
        for (const row of months.all(JSON.stringify(keys), condition, -count * pointBytes)) {
          const left = row.length - row.recent.byteLength;
          const firstMonth = row.first_month + left / pointBytes;
          found[row.place] = { firstMonth, valueCents: unpackValues(row.recent) };
        }
      }
      return found;
    },
  };
}
