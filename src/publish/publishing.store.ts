/** Work lists of publishing (stale and due items), and publishing itself. */

import type { LeaseTaken } from '../kernel/lease.ts';
import { pruneEvents } from '../market/events/events.store.ts';
import { marketEvidence } from '../market/evidence/evidence.store.ts';
import { marketHistory } from '../market/history/history.store.ts';
import { nextStamp } from '../market/published/meta.store.ts';
import type { ThemeCount } from '../market/published/publishing.ts';
import { type LearningEngines, learningStore } from '../market/values/learning.store.ts';
import { compareClocks, type StoreClock } from '../store/sql/clock.ts';
import { takeLease } from '../store/sql/lease.ts';
import * as db from '../store/sql/operation.ts';
import { bulkMaking } from './bulk/bulk.store.ts';
import { loadInputs } from './inputs.store.ts';
import { publishItems } from './publish-items.store.ts';

interface PublishingEngines extends LearningEngines {
  readonly clock: StoreClock;
}

export function marketPublishing(engines: PublishingEngines) {
  const { engine, writing, readInputs, clock } = engines;
  return {
    ...db.methods(writing.transaction, {
      /**
       * Writes documents with evidence, months, events and scores. Items that changed meanwhile are
       * skipped and stay stale. Returns how many were written.
       */
      publish: publishItems,
      /** Removes some of the events before a time; returns how many. */
      pruneEvents,
      publishThemes,
    }),
    ...worklists(engine, writing),
    ...learningStore(engines),
    ...db.methods(readInputs, { loadInputs }),
    ...bulkMaking(engine, writing),
    ...marketEvidence(engine),
    ...marketHistory(engine, writing),
    takeLease: async (lease: LeaseTaken): Promise<boolean> => {
      const takenAt = await engine.transaction(() =>
        takeLease('source.market_lease', lease, clock),
      );
      // The publisher's clock decides which months are final.
      if (takenAt !== null) compareClocks(lease.at, takenAt);
      return takenAt !== null;
    },
  };
}

/** Turning source rows into published documents. */
export interface MarketPublishing extends ReturnType<typeof marketPublishing> {}

const stale = `FROM published.item
  WHERE version <> published_version AND part_of IS NULL AND valued_as IS NULL`;
const due = 'FROM published.item WHERE due_at <= $1::bigint';

function worklists(engine: db.Engine, writing: Pick<db.Engine, 'transaction'>) {
  const ids = async (sql: string, values: readonly db.Value[]) =>
    (await engine.run(() => db.query<{ id: number }>(sql, values))).map((row) => row.id);
  const count = async (from: string, values: readonly db.Value[] = []) =>
    (await engine.run(() => db.first<{ n: number }>(`SELECT count(*) AS n ${from}`, values)))?.n ??
    0;
  return {
    ...db.methods(writing.transaction, { postponeDue }),
    /** Ids of stale items after `afterId`, in order. */
    listStale: (afterId: number, limit: number) =>
      ids(`SELECT id ${stale} AND id > $1::bigint ORDER BY id LIMIT $2::bigint`, [afterId, limit]),
    countStale: () => count(stale),
    /** Ids of due items, most overdue first. */
    listDue: (at: number, limit: number) =>
      ids(`SELECT id ${due} ORDER BY due_at, id LIMIT $2::bigint`, [at, limit]),
    countDue: (at: number) => count(due, [at]),
    /** Returns how many items there are. */
    markAllStale: () => {
      const sql = 'UPDATE published.item SET version = version + 1 WHERE part_of IS NULL';
      return writing.transaction(() => db.run(sql));
    },
  };
}

/** Postpones due items, so that others are published first. */
function* postponeDue(postponed: readonly number[], until: number): db.Operation<void> {
  const sql = 'UPDATE published.item SET due_at = $1::bigint WHERE id = ANY($2::bigint[])';
  yield* db.run(sql, [until, postponed]);
}

/** Saves the list of themes with their numbers of published sets, if it has changed. */
function* publishThemes(render: (counts: readonly ThemeCount[]) => string): db.Operation<void> {
  const counts = yield* db.query<ThemeCount>(
    `SELECT theme, count(*) AS "setCount" FROM published.listing
     WHERE kind = 'set' AND theme IS NOT NULL GROUP BY theme ORDER BY theme`,
  );
  const changed = yield* db.run(
    `INSERT INTO published.theme_list AS t (id, body) VALUES (1, $1::text)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE t.body <> excluded.body`,
    [render(counts)],
  );
  if (changed > 0) yield* nextStamp();
}
