/** Finalized history: when it was sealed, and what was restated since. */
import { lastFinalMonth, monthCut, monthOf } from '../../domain/kernel/time.ts';
import type { HistoryState, HistoryStore, Restatement } from '../../domain/market/history-store.ts';
import { type Engine, first, type Operation, query, run } from '../sql/operation.ts';
import { logEvents } from './events.ts';
import { readMeta, saveMeta } from './meta.ts';

/** Reads, seals and restates history. */
export function marketHistory(engine: Engine, writing: Pick<Engine, 'transaction'>): HistoryStore {
  return {
    findHistoryState: () => engine.run(findHistoryState),
    sealHistory: (at) => writing.transaction(() => sealHistory(at)),
    restateHistory: (restatement) => writing.transaction(() => restateHistory(restatement)),
  };
}

/** Restatements, oldest first. */
export function listRestatements(): Operation<Restatement[]> {
  return query<Restatement>(
    'SELECT id, from_month AS "fromMonth", reason, at FROM published.restatement ORDER BY id',
  );
}

function* findHistoryState(): Operation<HistoryState> {
  const meta = yield* readMeta();
  return { sealedAt: meta.get('sealed_at') ?? null, restatements: yield* listRestatements() };
}

function* sealHistory(at: number): Operation<boolean> {
  const meta = yield* readMeta();
  if (meta.has('sealed_at')) return true;
  // Rows of earlier months came in that nothing was learned from yet.
  const changedFrom = meta.get('parameters_changed_from');
  if (changedFrom !== undefined && changedFrom < monthOf(at)) return false;
  // An item that is due has not been published since the latest month became final.
  const row = yield* first<{ isBehind: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM published.item
         WHERE version <> published_version AND part_of IS NULL)
       OR EXISTS (SELECT 1 FROM published.item WHERE due_at <= $1::bigint) AS "isBehind"`,
    [monthCut(lastFinalMonth(at))],
  );
  if (row?.isBehind) return false;
  yield* saveMeta('sealed_at', at);
  return true;
}

function* restateHistory(restatement: Omit<Restatement, 'id'>): Operation<Restatement> {
  const { fromMonth, reason } = restatement;
  const at = Math.max(restatement.at, yield* lastLearnedAt());
  // Counted here, because a sequence leaves gaps: only one process writes, and none is deleted.
  const row = yield* first<{ id: number }>(
    `INSERT INTO published.restatement (id, from_month, reason, at)
     SELECT coalesce(max(id), 0) + 1, $1::integer, $2::text, $3::bigint
     FROM published.restatement RETURNING id`,
    [fromMonth, reason, at],
  );
  if (!row) throw new Error('The store did not take the restatement.');
  yield* run('UPDATE published.item SET version = version + 1');
  const after = { month: fromMonth, reason };
  const event = { kind: 'history.restated', retailer: null, before: {}, after } as const;
  yield* logEvents([{ at, item: null, event }]);
  return { id: row.id, fromMonth, reason, at };
}

/** When the latest sale or retraction came in: later than now where a clock was set back. */
function* lastLearnedAt(): Operation<number> {
  const row = yield* first<{ at: number | null }>(
    'SELECT max(greatest(ingested_at, coalesce(retracted_at, ingested_at))) AS at FROM source.sale',
  );
  return row?.at ?? Number.NEGATIVE_INFINITY;
}
