/** Documents on PostgreSQL: what is stale, what is due, and writing what is finished. */
import type { SoldItem } from '../../domain/market/learning-inputs.ts';
import type { MarketPublishing, ThemeCount } from '../../domain/market/market-store.ts';
import { type ItemRecordRow, itemRecordsSql, itemSources } from '../item-sources.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { Value } from '../sql/operation.ts';
import type { Client, Connection } from './client.ts';
import { compareClocks } from './clock.ts';
import { evidenceFinder } from './evidence-rows.ts';
import { historyPublishing } from './history-rows.ts';
import { loadInputs, loadLearningInputs } from './market-inputs.ts';
import { nextStamp } from './meta.ts';
import { parameterPublishing } from './parameter-publishing.ts';
import { publishItems } from './publish-items.ts';
import { listScores } from './score-rows.ts';
import type { Writing } from './writing.ts';

/** The publishing half of the market store. */
export function postgresMarketPublishing(
  client: Client,
  write: Writing,
  clock: StoreClock,
): MarketPublishing {
  return {
    ...worklists(client, write),
    loadInputs: (ids, options) => loadInputs(client, ids, options),
    listSold: (knownBefore) => listSold(client, knownBefore),
    loadLearningInputs: (ids, at) => loadLearningInputs(client, ids, at),
    publish: (items) => write((tx) => publishItems(tx, items)),
    publishThemes: (render) => write((tx) => publishThemes(tx, render)),
    ...parameterPublishing(client, write),
    findEvidence: evidenceFinder(client),
    findSources: async (kind, key) => {
      const sql = itemRecordsSql({ published: 'published.', source: 'source.' });
      return itemSources(await client.query<ItemRecordRow>(sql, [kind, key]));
    },
    listScores: (fromWeek) => listScores(client, fromWeek),
    ...historyPublishing(client, write),
    takeLease: (lease) => takeLease(client, clock, lease),
  };
}

type Worklists = Pick<
  MarketPublishing,
  'listStale' | 'countStale' | 'listDue' | 'countDue' | 'postponeDue' | 'markAllStale'
>;

/** What is to be published: because rows came in, or because time went by. */
function worklists(client: Connection, write: Writing): Worklists {
  const ids = async (sql: string, values: readonly Value[]) =>
    (await client.query<{ id: number }>(sql, values)).map((row) => row.id);
  const count = async (sql: string, values: readonly Value[] = []) =>
    (await client.query<{ n: number }>(sql, values))[0]?.n ?? 0;
  return {
    listStale: (afterId, limit) =>
      ids(
        `SELECT id FROM published.item
         WHERE version <> published_version AND part_of IS NULL AND id > $1
         ORDER BY id LIMIT $2`,
        [afterId, limit],
      ),
    countStale: () =>
      count(
        `SELECT count(*) AS n FROM published.item
         WHERE version <> published_version AND part_of IS NULL`,
      ),
    listDue: (at, limit) =>
      ids('SELECT id FROM published.item WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2', [
        at,
        limit,
      ]),
    countDue: (at) => count('SELECT count(*) AS n FROM published.item WHERE due_at <= $1', [at]),
    postponeDue: async (wanted, until) => {
      const sql = 'UPDATE published.item SET due_at = $1 WHERE id = ANY($2::bigint[])';
      await write((tx) => tx.run(sql, [until, wanted]));
    },
    markAllStale: () => {
      const sql = 'UPDATE published.item SET version = version + 1 WHERE part_of IS NULL';
      return write((tx) => tx.run(sql));
    },
  };
}

function listSold(client: Connection, knownBefore: number | null): Promise<SoldItem[]> {
  return client.query<SoldItem>(
    `SELECT w.id::float8 AS id, w.kind, w.key, min(s.first)::float8 AS "firstSoldAt"
     FROM (SELECT item_id, min(sold_at) AS first FROM source.sale
       WHERE ingested_at < $1 GROUP BY item_id) s
     JOIN published.item i ON i.id = s.item_id
     JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
     GROUP BY w.id ORDER BY w.id`,
    [knownBefore ?? Number.MAX_SAFE_INTEGER],
  );
}

async function publishThemes(
  tx: Connection,
  render: (counts: readonly ThemeCount[]) => string,
): Promise<void> {
  const counts = await tx.query<ThemeCount>(
    `SELECT theme, count(*) AS "setCount" FROM published.listing
     WHERE kind = 'set' AND theme IS NOT NULL GROUP BY theme ORDER BY theme`,
  );
  const changed = await tx.run(
    `INSERT INTO published.theme_list AS t (id, body) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE t.body <> excluded.body`,
    [render(counts)],
  );
  if (changed > 0) await nextStamp(tx);
}

type Lease = Parameters<MarketPublishing['takeLease']>[0];

/** By the database's clock: the nodes that share a lease may disagree on what time it is. */
async function takeLease(
  client: Connection,
  clock: StoreClock,
  { name, holder, at, until }: Lease,
): Promise<boolean> {
  const [taken] = await client.query<{ at: number }>(
    `INSERT INTO source.lease AS l (name, holder, until)
     VALUES ($1, $2, published.instant($3::bigint, $4::bigint) + $5::bigint)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE l.holder = excluded.holder OR l.until <= excluded.until - $5::bigint
     RETURNING l.until - $5::bigint AS at`,
    [name, holder, ...clock(at), until - at],
  );
  // Whoever publishes decides by its own clock which months are over.
  if (taken) compareClocks(at, taken.at);
  return taken !== undefined;
}
