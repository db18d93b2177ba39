/** Imports and publications, to look back on. */
import type { Database } from 'bun:sqlite';
import { importsKept, type Journal } from '../../domain/market/journal.ts';
import type { PublishedItem } from '../../domain/market/market-store.ts';
import { type ImportRow, importTexts, toListedImport, toWholeImport } from '../journal.ts';
import { inTransaction } from './database.ts';

/** The journal of the market. */
export function sqliteJournal(db: Database): Journal {
  return {
    logImport: async (entry) =>
      inTransaction(db, () => {
        const [body, rejects] = importTexts(entry);
        const insert = 'INSERT INTO import_log (at, body, rejects) VALUES (?, ?, ?)';
        const { lastInsertRowid } = db.query(insert).run(entry.endedAt, body, rejects);
        const last = Number(lastInsertRowid) - importsKept;
        db.query('DELETE FROM import_log WHERE id <= ?').run(last);
      }),
    listImports: async (limit) =>
      db
        .query<ImportRow, [number]>('SELECT id, body FROM import_log ORDER BY id DESC LIMIT ?')
        .all(limit)
        .map(toListedImport),
    findImport: async (id) => {
      const sql = 'SELECT id, body, rejects FROM import_log WHERE id = ?';
      const row = db.query<ImportRow & { rejects: string }, [number]>(sql).get(id);
      return row && toWholeImport(row);
    },
    findPublishedAt: async () =>
      db.query<{ value: number }, []>("SELECT value FROM meta WHERE name = 'published_at'").get()
        ?.value ?? null,
  };
}

/** Remembers what moment a publication speaks of. */
export function notePublished(db: Database, items: readonly PublishedItem[]): void {
  if (items.length === 0) return;
  const at = Math.max(...items.map((item) => item.at));
  db.query("INSERT OR REPLACE INTO meta VALUES ('published_at', ?)").run(at);
}
