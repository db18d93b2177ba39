/** Imports and publications on PostgreSQL, to look back on. */
import { importsKept, type Journal } from '../../domain/market/journal.ts';
import type { PublishedItem } from '../../domain/market/market-store.ts';
import { type ImportRow, importTexts, toListedImport, toWholeImport } from '../journal.ts';
import type { Client } from './client.ts';
import type { Statement } from './statement.ts';

/** The journal of the market. */
export function postgresJournal(client: Client): Journal {
  return {
    logImport: (entry) =>
      client.transaction(async (tx) => {
        const [row] = await tx.query<{ id: number }>(
          `INSERT INTO published.import_log (at, body, rejects)
           VALUES ($1::bigint, $2::text, $3::text) RETURNING id`,
          [entry.endedAt, ...importTexts(entry)],
        );
        const last = (row?.id ?? 0) - importsKept;
        await tx.run('DELETE FROM published.import_log WHERE id <= $1::bigint', [last]);
      }),
    listImports: async (limit) => {
      const sql = 'SELECT id, body FROM published.import_log ORDER BY id DESC LIMIT $1::bigint';
      return (await client.query<ImportRow>(sql, [limit])).map(toListedImport);
    },
    findImport: async (id) => {
      const [row] = await client.query<ImportRow & { rejects: string }>(
        'SELECT id, body, rejects FROM published.import_log WHERE id = $1::bigint',
        [id],
      );
      return row ? toWholeImport(row) : null;
    },
    findPublishedAt: async () => {
      const [row] = await client.query<{ value: number }>(
        "SELECT value FROM published.meta WHERE name = 'published_at'",
      );
      return row?.value ?? null;
    },
  };
}

/** Remembers what moment a publication speaks of. */
export function notePublished(items: readonly PublishedItem[]): Statement[] {
  if (items.length === 0) return [];
  const at = Math.max(...items.map((item) => item.at));
  return [
    [
      `INSERT INTO published.meta VALUES ('published_at', $1::bigint)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [at],
    ],
  ];
}
