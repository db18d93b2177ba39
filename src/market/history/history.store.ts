/** Final months: when history was sealed, and restatements since. */

import { lastFinalMonth, monthCut, monthOf } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { logEvents } from '../events/events.store.ts';
import { readMeta, saveMeta } from '../published/meta.store.ts';
import type { HistoryState, Restatement } from './history.ts';

export function marketHistory(engine: db.Engine, writing: Pick<db.Engine, 'transaction'>) {
  return {
    ...db.methods(engine.run, { findHistoryState }),
    ...db.methods(writing.transaction, { sealHistory, restateHistory }),
  };
}

/** Oldest first. */
export function listRestatements(): db.Reading<Restatement[]> {
  return db.query<Restatement>(
    'SELECT id, from_month AS "fromMonth", reason, at FROM published.restatement ORDER BY id',
  );
}

function* findHistoryState(): db.Reading<HistoryState> {
  const meta = yield* readMeta();
  return { sealedAt: meta.get('sealed_at') ?? null, restatements: yield* listRestatements() };
}

/** False if items are stale or due, or if parameters were not learned from all earlier months. */
function* sealHistory(at: number): db.Operation<boolean> {
  const meta = yield* readMeta();
  if (meta.has('sealed_at')) return true;
  // Parameters have not been learned from new rows of earlier months yet.
  const changedFrom = meta.get('parameters_changed_from');
  if (changedFrom !== undefined && changedFrom < monthOf(at)) return false;
  // A due item has not been published since the latest month became final.
  const row = yield* db.first<{ isBehind: boolean }>(
    `SELECT (EXISTS (SELECT 1 FROM published.item
         WHERE version <> published_version AND part_of IS NULL)
       OR EXISTS (SELECT 1 FROM published.item WHERE due_at <= $1::bigint))::boolean AS "isBehind"`,
    [monthCut(lastFinalMonth(at))],
  );
  if (row?.isBehind) return false;
  yield* saveMeta('sealed_at', at);
  return true;
}

/**
 * Records a restatement and makes every item stale, so that publishing applies it. Its time is
 * never before that of the latest row, so it covers all rows.
 */
function* restateHistory(restatement: Omit<Restatement, 'id'>): db.Operation<Restatement> {
  const { fromMonth, reason } = restatement;
  const at = Math.max(restatement.at, yield* lastLearnedAt());
  // Not a sequence, which could have gaps: only one process writes, and none is deleted.
  const row = yield* db.runFirst<{ id: number }>(
    `INSERT INTO published.restatement (id, from_month, reason, at)
     SELECT coalesce(max(id), 0) + 1, $1::integer, $2::text, $3::bigint
     FROM published.restatement RETURNING id`,
    [fromMonth, reason, at],
  );
  if (!row) throw new Error('The store did not take the restatement.');
  yield* db.run('UPDATE published.item SET version = version + 1');
  const after = { month: fromMonth, reason };
  const event = { kind: 'history.restated', retailer: null, before: {}, after } as const;
  yield* logEvents([{ at, item: null, event }]);
  return { id: row.id, fromMonth, reason, at };
}

/** When the latest sale, retraction or rate was imported; in the future if a clock was set back. */
function* lastLearnedAt(): db.Reading<number> {
  const row = yield* db.first<{ at: number | null }>(
    `SELECT max(last) AS at FROM (
       SELECT max(greatest(ingested_at, coalesce(retracted_at, ingested_at))) AS last
         FROM source.sale
       UNION ALL SELECT max(ingested_at) FROM published.fx) AS learned`,
  );
  return row?.at ?? Number.NEGATIVE_INFINITY;
}
