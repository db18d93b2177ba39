/** What is to be published, because rows came in or time went by, and publishing it. */
import type { SoldItem } from '../../domain/market/learning-inputs.ts';
import type { MarketPublishing } from '../../domain/market/market-store.ts';
import type { ThemeCount } from '../../domain/market/publishing-store.ts';
import { compareClocks, type StoreClock } from '../sql/clock.ts';
import { takeLease } from '../sql/lease.ts';
import { type Engine, first, type Operation, query, run, type Value } from '../sql/operation.ts';
import { bulkMaking } from './bulk.ts';
import { pruneEvents } from './events.ts';
import { marketEvidence } from './evidence.ts';
import { marketHistory } from './history.ts';
import { marketInputs } from './inputs.ts';
import { nextStamp } from './meta.ts';
import { marketParameters } from './parameters.ts';
import { publishItems } from './publish-items.ts';

/** What publishing runs on. */
interface PublishingEngines {
  readonly engine: Engine;
  /** Its transactions are those of the one process that writes to the market at a time. */
  readonly writing: Pick<Engine, 'transaction'>;
  /** Reads the inputs of documents. */
  readonly readInputs: Engine['run'];
  readonly clock: StoreClock;
  /** Gives back memory that is filled with what was read; left out where there is none. */
  readonly releaseMemory?: () => void;
}

/** The publishing half of the market store. */
export function marketPublishing(engines: PublishingEngines): MarketPublishing {
  const { engine, writing, readInputs, clock, releaseMemory } = engines;
  return {
    ...worklists(engine, writing),
    ...marketInputs(readInputs),
    listSold: (knownBefore) => engine.run(() => listSold(knownBefore)),
    releaseMemory: async () => releaseMemory?.(),
    publish: (items) => writing.transaction(() => publishItems(items)),
    pruneEvents: (before, limit) => writing.transaction(() => pruneEvents(before, limit)),
    publishThemes: (render) => writing.transaction(() => publishThemes(render)),
    ...bulkMaking(engine, writing),
    ...marketParameters(engine, writing),
    ...marketEvidence(engine),
    ...marketHistory(engine, writing),
    takeLease: async (lease) => {
      const takenAt = await engine.transaction(() => takeLease('source.lease', lease, clock));
      // Whoever publishes decides by its own clock which months are over.
      if (takenAt !== null) compareClocks(lease.at, takenAt);
      return takenAt !== null;
    },
  };
}

type Worklists = Pick<
  MarketPublishing,
  'listStale' | 'countStale' | 'listDue' | 'countDue' | 'postponeDue' | 'markAllStale'
>;

const stale = 'FROM published.item WHERE version <> published_version AND part_of IS NULL';
const due = 'FROM published.item WHERE due_at <= $1::bigint';

function worklists(engine: Engine, writing: Pick<Engine, 'transaction'>): Worklists {
  const ids = async (sql: string, values: readonly Value[]) =>
    (await engine.run(() => query<{ id: number }>(sql, values))).map((row) => row.id);
  const count = async (from: string, values: readonly Value[] = []) =>
    (await engine.run(() => first<{ n: number }>(`SELECT count(*) AS n ${from}`, values)))?.n ?? 0;
  return {
    listStale: (afterId, limit) =>
      ids(`SELECT id ${stale} AND id > $1::bigint ORDER BY id LIMIT $2::bigint`, [afterId, limit]),
    countStale: () => count(stale),
    listDue: (at, limit) =>
      ids(`SELECT id ${due} ORDER BY due_at, id LIMIT $2::bigint`, [at, limit]),
    countDue: (at) => count(due, [at]),
    postponeDue: async (postponed, until) => {
      const sql = 'UPDATE published.item SET due_at = $1::bigint WHERE id = ANY($2::bigint[])';
      await writing.transaction(() => run(sql, [until, postponed]));
    },
    markAllStale: () => {
      const sql = 'UPDATE published.item SET version = version + 1 WHERE part_of IS NULL';
      return writing.transaction(() => run(sql));
    },
  };
}

function listSold(knownBefore: number | null): Operation<SoldItem[]> {
  return query<SoldItem>(
    `SELECT w.id::float8 AS id, w.kind, w.key, min(s.first)::float8 AS "firstSoldAt",
       sum(s.sales)::float8 AS sales
     FROM (SELECT item_id, min(sold_at) AS first, count(*) AS sales FROM source.sale
       WHERE ingested_at < $1::bigint GROUP BY item_id) s
     JOIN published.item i ON i.id = s.item_id
     JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
     GROUP BY w.id ORDER BY w.id`,
    [knownBefore ?? Number.MAX_SAFE_INTEGER],
  );
}

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
