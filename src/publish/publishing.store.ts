/** Work lists of publishing (stale and due items), and publishing itself. */

import type { LeaseTaken } from '../kernel/lease.ts';
import { pruneEvents } from '../market/events/events.store.ts';
import { marketEvidence } from '../market/evidence/evidence.store.ts';
import { saveGradeEffects } from '../market/grades/grade-effects.store.ts';
import { marketHistory } from '../market/history/history.store.ts';
import { nextStamp } from '../market/published/meta.store.ts';
import type { ThemeCount } from '../market/published/publishing.ts';
import type { SoldItem } from '../market/values/learning-inputs.ts';
import { marketParameters } from '../market/values/parameters.store.ts';
import { compareClocks, type StoreClock } from '../store/sql/clock.ts';
import { takeLease } from '../store/sql/lease.ts';
import {
  type Engine,
  first,
  methods,
  type Operation,
  query,
  type Reading,
  run,
  type Value,
} from '../store/sql/operation.ts';
import { bulkMaking } from './bulk/bulk.store.ts';
import { marketInputs } from './inputs.store.ts';
import { publishItems } from './publish-items.store.ts';

interface PublishingEngines {
  readonly engine: Engine;
  /** Exclusive transactions: one process at a time writes to the market. */
  readonly writing: Pick<Engine, 'transaction'>;
  readonly readInputs: Engine['run'];
  readonly clock: StoreClock;
  /** Frees memory cached by the connection; undefined if there is nothing to free. */
  readonly releaseMemory?: () => void;
}

export function marketPublishing(engines: PublishingEngines) {
  const { engine, writing, readInputs, clock, releaseMemory } = engines;
  return {
    ...methods(engine.run, { listSold }),
    ...methods(writing.transaction, {
      /**
       * Writes documents with evidence, months, events and scores. Items that changed meanwhile are
       * skipped and stay stale. Returns how many were written.
       */
      publish: publishItems,
      /** Removes some of the events before a time; returns how many. */
      pruneEvents,
      publishThemes,
      saveGradeEffects,
    }),
    ...worklists(engine, writing),
    ...marketInputs(readInputs),
    /** Frees memory after reading many inputs. Nothing on PostgreSQL. */
    releaseMemory: async () => releaseMemory?.(),
    ...bulkMaking(engine, writing),
    ...marketParameters(engine, writing),
    ...marketEvidence(engine),
    ...marketHistory(engine, writing),
    takeLease: async (lease: LeaseTaken): Promise<boolean> => {
      const takenAt = await engine.transaction(() => takeLease('source.lease', lease, clock));
      // The publisher's clock decides which months are final.
      if (takenAt !== null) compareClocks(lease.at, takenAt);
      return takenAt !== null;
    },
  };
}

const stale = `FROM published.item
  WHERE version <> published_version AND part_of IS NULL AND valued_as IS NULL`;
const due = 'FROM published.item WHERE due_at <= $1::bigint';

function worklists(engine: Engine, writing: Pick<Engine, 'transaction'>) {
  const ids = async (sql: string, values: readonly Value[]) =>
    (await engine.run(() => query<{ id: number }>(sql, values))).map((row) => row.id);
  const count = async (from: string, values: readonly Value[] = []) =>
    (await engine.run(() => first<{ n: number }>(`SELECT count(*) AS n ${from}`, values)))?.n ?? 0;
  return {
    ...methods(writing.transaction, { postponeDue }),
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
      return writing.transaction(() => run(sql));
    },
  };
}

/** Postpones due items, so that others are published first. */
function* postponeDue(postponed: readonly number[], until: number): Operation<void> {
  const sql = 'UPDATE published.item SET due_at = $1::bigint WHERE id = ANY($2::bigint[])';
  yield* run(sql, [until, postponed]);
}

/** Items with at least one sale imported before a time; null for all sales. */
function listSold(knownBefore: number | null): Reading<SoldItem[]> {
  return query<SoldItem>(
    `SELECT v.id::float8 AS id, v.kind, v.key, min(s.first)::float8 AS "firstSoldAt",
       sum(s.sales)::float8 AS sales
     FROM (SELECT item_id, min(sold_at) AS first, count(*) AS sales FROM source.sale
       WHERE ingested_at < $1::bigint GROUP BY item_id) s
     JOIN published.item i ON i.id = s.item_id
     JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
     JOIN published.item v ON v.id = coalesce(w.valued_as, w.id)
     GROUP BY v.id ORDER BY v.id`,
    [knownBefore ?? Number.MAX_SAFE_INTEGER],
  );
}

/** Saves the list of themes with their numbers of published sets, if it has changed. */
function* publishThemes(render: (counts: readonly ThemeCount[]) => string): Operation<void> {
  const counts = yield* query<ThemeCount>(
    `SELECT theme, count(*) AS "setCount" FROM published.listing
     WHERE kind = 'set' AND theme IS NOT NULL GROUP BY theme ORDER BY theme`,
  );
  const changed = yield* run(
    `INSERT INTO published.theme_list AS t (id, body) VALUES (1, $1::text)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE t.body <> excluded.body`,
    [render(counts)],
  );
  if (changed > 0) yield* nextStamp();
}
