/** Source rows into PostgreSQL, a batch at a time. */
import type { MarketIngest } from '../../domain/market/market-store.ts';
import type { Connection } from './client.ts';
import { applyRows } from './ingest/apply-rows.ts';
import { postgresLookups } from './lookups.ts';
import type { Writing } from './writing.ts';

/** The ingest half of the market store. */
export function postgresMarketIngest(client: Connection, write: Writing): MarketIngest {
  return {
    applyRows: (rows, at) => write((tx) => applyRows(tx, rows, at)),
    findSetNumbers: async (keys) => {
      const found = await client.query<{ key: string; number: string }>(
        `SELECT key, number FROM published.item WHERE kind = 'set' AND key = ANY($1::text[])`,
        [keys],
      );
      const numbers = new Map(found.map(({ key, number }) => [key, number]));
      return new Map(
        keys.flatMap((key) => {
          const number = numbers.get(key);
          return number === undefined ? [] : [[key, number] as const];
        }),
      );
    },
    ...postgresLookups(client, write),
  };
}
