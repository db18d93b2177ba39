/** Documents out of `market.db`: what is stale, what is due, and writing what is finished. */
import type { Database } from 'bun:sqlite';
import { lastFinalMonth, monthCut, monthOf } from '../../domain/kernel/time.ts';
import type { SoldItem } from '../../domain/market/learning-inputs.ts';
import type {
  MarketPublishing,
  PublishedItem,
  Restatement,
  ThemeCount,
} from '../../domain/market/market-store.ts';
import { type ItemRecordRow, itemRecordsSql, itemSources } from '../item-sources.ts';
import { inSnapshot, inTransaction } from './database.ts';
import { evidenceFinder, evidenceWriter } from './evidence-rows.ts';
import { notePublished } from './journal.ts';
import { setValuesMaker } from './listing-rows.ts';
import { inputsReader, learningInputsReader } from './market-inputs.ts';
import { parameterPublishing, parametersChangedFrom } from './parameter-rows.ts';
import { retailWriter } from './retail-rows.ts';
import { listScores, scoreWriter } from './score-rows.ts';
import { seriesWriter } from './series-rows.ts';

/** The publishing half of the market store. */
export function sqliteMarketPublishing(db: Database): MarketPublishing {
  const readInputs = inputsReader(db);
  const readLearningInputs = learningInputsReader(db);
  const ids = (sql: string, ...values: number[]) =>
    db
      .query<{ id: number }, number[]>(sql)
      .all(...values)
      .map((row) => row.id);
  return {
    listStale: async (afterId, limit) =>
      ids(
        `SELECT id FROM item WHERE version <> published_version AND part_of IS NULL AND id > ?
         ORDER BY id LIMIT ?`,
        afterId,
        limit,
      ),
    countStale: async () => countStale(db),
    listDue: async (at, limit) =>
      ids('SELECT id FROM item WHERE due_at <= ? ORDER BY due_at, id LIMIT ?', at, limit),
    countDue: async (at) => {
      const sql = 'SELECT count(*) AS n FROM item WHERE due_at <= ?';
      return db.query<{ n: number }, [number]>(sql).get(at)?.n ?? 0;
    },
    postponeDue: async (wanted, until) =>
      inTransaction(db, () => {
        const postpone = db.query('UPDATE item SET due_at = ? WHERE id = ?');
        for (const id of wanted) postpone.run(until, id);
      }),
    markAllStale: async () =>
      inTransaction(db, () => {
        const sql = 'UPDATE item SET version = version + 1 WHERE part_of IS NULL';
        return db.query(sql).run().changes;
      }),
    // On one snapshot: the version has to be that of the rows.
    loadInputs: async (wanted, options) => inSnapshot(db, () => readInputs(wanted, options)),
    listSold: async (knownBefore) =>
      db
        .query<SoldItem, [number]>(
          `SELECT w.id, w.kind, w.key, min(s.first) AS firstSoldAt
           FROM (SELECT item_id, min(sold_at) AS first FROM sale
             WHERE ingested_at < ? GROUP BY item_id) s
           JOIN item i ON i.id = s.item_id JOIN item w ON w.id = coalesce(i.part_of, i.id)
           GROUP BY w.id ORDER BY w.id`,
        )
        .all(knownBefore ?? Number.MAX_SAFE_INTEGER),
    loadLearningInputs: async (wanted, at) => readLearningInputs(wanted, at),
    publish: async (items) => inTransaction(db, () => publish(db, items)),
    publishThemes: async (render) => inTransaction(db, () => publishThemes(db, render)),
    ...parameterPublishing(db),
    findEvidence: evidenceFinder(db),
    findSources: async (kind, key) =>
      itemSources(
        db
          .query<ItemRecordRow, [string, string]>(itemRecordsSql({ published: '', source: '' }))
          .all(kind, key),
      ),
    listScores: async (fromWeek) => listScores(db, fromWeek),
    ...historyPublishing(db),
    takeLease: async (lease) => inTransaction(db, () => takeLease(db, lease)),
  };
}

type Lease = Parameters<MarketPublishing['takeLease']>[0];

function takeLease(db: Database, lease: Lease): boolean {
  return (
    db
      .query(
        `INSERT INTO lease (name, holder, until) VALUES (?1, ?2, ?3)
           ON CONFLICT (name) DO UPDATE SET holder = ?2, until = ?3
           WHERE holder = ?2 OR until <= ?4`,
      )
      .run(lease.name, lease.holder, lease.until, lease.at).changes === 1
  );
}

function countStale(db: Database): number {
  const sql = `SELECT count(*) AS n FROM item
    WHERE version <> published_version AND part_of IS NULL`;
  return db.query<{ n: number }, []>(sql).get()?.n ?? 0;
}

/** Writes what is still current; an item that moved on meanwhile is left for the next round. */
function publish(db: Database, items: readonly PublishedItem[]): number {
  const stamp = nextStamp(db);
  const wasStale = db.query<unknown, [number]>(
    'SELECT 1 FROM item WHERE id = ? AND version <> published_version',
  );
  const claim = db.query<{ kind: string; key: string; number: string }, [number, number, number]>(
    `UPDATE item SET published_version = ?2, due_at = ?3 WHERE id = ?1 AND version = ?2
     RETURNING kind, key, number`,
  );
  const saveDocument = db.query<never, [number, string, string, number, string]>(
    'INSERT OR REPLACE INTO document (item_id, kind, key, stamp, body) VALUES (?, ?, ?, ?, ?)',
  );
  const saveListing = db.query<never, (string | number | Uint8Array | null)[]>(
    `INSERT OR REPLACE INTO listing
       (item_id, kind, key, number, name, theme, new_cents, used_cents, search_row, set_values,
        upc_key, ean_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const saveSeries = seriesWriter(db);
  const saveRetail = retailWriter(db);
  const saveEvidence = evidenceWriter(db);
  const addScores = scoreWriter(db);
  const makeSetValues = setValuesMaker(db);
  const removeParts = partsRemover(db, stamp);
  let written = 0;
  for (const item of items) {
    // Of two processes that publish the same rows, only the first has found new sales.
    const hasNews = wasStale.get(item.id) !== null;
    const row = claim.get(item.id, item.version, item.dueAt);
    if (!row) continue;
    saveDocument.run(item.id, row.kind, row.key, stamp, item.body);
    saveListing.run(
      item.id,
      row.kind,
      row.key,
      row.number,
      item.name,
      item.theme,
      item.newCents,
      item.usedCents,
      item.searchRow,
      row.kind === 'set' ? makeSetValues(item) : null,
      item.upcKey,
      item.eanKey,
    );
    saveSeries(item);
    if (row.kind === 'set') saveRetail(item, row.key);
    else removeParts(item.id);
    saveEvidence(item.id, item.evidence);
    if (hasNews) addScores(item.scores);
    written++;
  }
  notePublished(db, items);
  return written;
}

/** Removes what was published of the parts of a minifig before they became parts of it. */
function partsRemover(db: Database, stamp: number): (id: number) => void {
  const parts = db.query<{ id: number }, [number]>('SELECT id FROM item WHERE part_of = ?');
  const remove = ['document', 'listing', 'evidence'].map((table) =>
    db.query<never, [number]>(`DELETE FROM ${table} WHERE item_id = ?`),
  );
  const mark = db.query<never, [number]>("INSERT OR REPLACE INTO meta VALUES ('removed_stamp', ?)");
  return (id) => {
    for (const part of parts.all(id)) {
      const removed = remove.reduce((sum, statement) => sum + statement.run(part.id).changes, 0);
      if (removed > 0) mark.run(stamp);
    }
  };
}

/** Every publication has a number of its own; caches compare it. */
function nextStamp(db: Database): number {
  const row = db
    .query<{ value: number }, []>(
      "UPDATE meta SET value = value + 1 WHERE name = 'publish_stamp' RETURNING value",
    )
    .get();
  if (!row) throw new Error('The store has no publish stamp.');
  return row.value;
}

function publishThemes(db: Database, render: (counts: readonly ThemeCount[]) => string): void {
  const counts = db
    .query<ThemeCount, []>(
      `SELECT theme, count(*) AS setCount FROM listing
       WHERE kind = 'set' AND theme IS NOT NULL GROUP BY theme`,
    )
    .all();
  const body = render(counts);
  const old = db.query<{ body: string }, []>('SELECT body FROM theme_list').get();
  if (old?.body === body) return;
  db.query('INSERT OR REPLACE INTO theme_list (id, body) VALUES (1, ?)').run(body);
  nextStamp(db);
}

type HistoryPublishing = Pick<
  MarketPublishing,
  'findHistoryState' | 'sealHistory' | 'restateHistory'
>;

function historyPublishing(db: Database): HistoryPublishing {
  const sealedAt = () =>
    db.query<{ value: number }, []>("SELECT value FROM meta WHERE name = 'sealed_at'").get()
      ?.value ?? null;
  return {
    findHistoryState: async () => ({
      sealedAt: sealedAt(),
      restatements: listRestatements(db),
    }),
    sealHistory: async (at) =>
      inTransaction(db, () => {
        if (sealedAt() !== null) return true;
        if (countStale(db) > 0 || hasMonthsDue(db, at) || isOutdated(db, at)) return false;
        db.query("INSERT INTO meta VALUES ('sealed_at', ?)").run(at);
        return true;
      }),
    restateHistory: async ({ fromMonth, reason, at: asked }) =>
      inTransaction(db, () => {
        const at = Math.max(asked, lastLearnedAt(db));
        const { lastInsertRowid } = db
          .query('INSERT INTO restatement (from_month, reason, at) VALUES (?, ?, ?)')
          .run(fromMonth, reason, at);
        db.query('UPDATE item SET version = version + 1').run();
        return { id: Number(lastInsertRowid), fromMonth, reason, at };
      }),
  };
}

/** When the latest sale or retraction came in: later than now where a clock was set back. */
function lastLearnedAt(db: Database): number {
  const sql = 'SELECT max(max(ingested_at, coalesce(retracted_at, 0))) AS at FROM sale';
  return db.query<{ at: number | null }, []>(sql).get()?.at ?? 0;
}

/** Whether rows of earlier months came in that nothing was learned from yet. */
function isOutdated(db: Database, at: number): boolean {
  const changedFrom = parametersChangedFrom(db);
  return changedFrom !== null && changedFrom < monthOf(at);
}

/** Whether some item has not been published since the latest month became final. */
function hasMonthsDue(db: Database, at: number): boolean {
  const cut = monthCut(lastFinalMonth(at));
  return db.query('SELECT 1 FROM item WHERE due_at <= ? LIMIT 1').get(cut) !== null;
}

/** Restatements, oldest first. */
export function listRestatements(db: Database): Restatement[] {
  return db
    .query<Restatement, []>(
      'SELECT id, from_month AS fromMonth, reason, at FROM restatement ORDER BY id',
    )
    .all();
}
