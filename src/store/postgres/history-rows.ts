/** Finalized history: when it was sealed, and what was restated since. */

import { lastFinalMonth, monthCut, monthOf } from '../../domain/kernel/time.ts';
import type { MarketPublishing, Restatement } from '../../domain/market/market-store.ts';
import type { Connection } from './client.ts';
import { readMeta, saveMeta } from './meta.ts';
import { listRestatements } from './restatement-rows.ts';
import type { Writing } from './writing.ts';

/** Reads, seals and restates history. */
export function historyPublishing(
  client: Connection,
  write: Writing,
): Pick<MarketPublishing, 'findHistoryState' | 'sealHistory' | 'restateHistory'> {
  return {
    findHistoryState: async () => {
      const [meta, restatements] = await Promise.all([readMeta(client), listRestatements(client)]);
      return { sealedAt: meta.get('sealed_at') ?? null, restatements };
    },
    sealHistory: (at) => write((tx) => sealHistory(tx, at)),
    restateHistory: (restatement) => write((tx) => restateHistory(tx, restatement)),
  };
}

async function sealHistory(tx: Connection, at: number): Promise<boolean> {
  const meta = await readMeta(tx);
  if (meta.has('sealed_at')) return true;
  // Rows of earlier months came in that nothing was learned from yet.
  const changedFrom = meta.get('parameters_changed_from');
  if (changedFrom !== undefined && changedFrom < monthOf(at)) return false;
  // An item that is due has not been published since the latest month became final.
  const [row] = await tx.query<{ isBehind: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM published.item
         WHERE version <> published_version AND part_of IS NULL)
       OR EXISTS (SELECT 1 FROM published.item WHERE due_at <= $1) AS "isBehind"`,
    [monthCut(lastFinalMonth(at))],
  );
  if (row?.isBehind) return false;
  await saveMeta(tx, 'sealed_at', at);
  return true;
}

async function restateHistory(
  tx: Connection,
  { fromMonth, reason, at: asked }: Omit<Restatement, 'id'>,
): Promise<Restatement> {
  const at = Math.max(asked, await lastLearnedAt(tx));
  // Counted here, because a sequence leaves gaps: only one process writes, and none is deleted.
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO published.restatement (id, from_month, reason, at)
     SELECT coalesce(max(id), 0) + 1, $1, $2, $3 FROM published.restatement RETURNING id`,
    [fromMonth, reason, at],
  );
  if (!row) throw new Error('The store did not take the restatement.');
  await tx.run('UPDATE published.item SET version = version + 1');
  return { id: row.id, fromMonth, reason, at };
}

/** When the latest sale or retraction came in: later than now where a clock was set back. */
async function lastLearnedAt(tx: Connection): Promise<number> {
  const [row] = await tx.query<{ at: number | null }>(
    'SELECT max(greatest(ingested_at, coalesce(retracted_at, 0))) AS at FROM source.sale',
  );
  return row?.at ?? 0;
}
