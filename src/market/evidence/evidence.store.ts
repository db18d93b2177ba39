/** The evidence of values, and the records of sources. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { otherNumbersSql, wholeEvidence } from '../lists/members.store.ts';
import type { PublishedItem } from '../published/publishing.ts';
import { byKey, bySource } from '../source-rows/source-rows.store.ts';
import type { Evidence, ItemEvidence, ItemSources } from './evidence.ts';
import type { ScoreCount } from './scorecard.ts';

/** For operators: published counts, never source rows. */
export function marketEvidence(engine: Pick<db.Engine, 'run'>) {
  return db.methods(engine.run, { findEvidence, listScores, findSources });
}

/** Scores from a week on, in order of their key. */
function listScores(fromWeek: number): db.Reading<ScoreCount[]> {
  return db.query<ScoreCount>(
    `SELECT ${columnsOf(tables.score, 's')} FROM published.score AS s
     WHERE s.week >= $1::bigint
     ORDER BY s.week, s.kind, s.condition, s.tier, s.bin, s.in_range`,
    [fromWeek],
  );
}

type EvidenceRow = Omit<ItemEvidence, 'evidence'> & { readonly body: string | null };

/** By key or alias; null if there is no such item. A minifig may be valued as a set. */
function* findEvidence(kind: string, key: string): db.Reading<ItemEvidence | null> {
  const row = yield* db.first<EvidenceRow>(
    `SELECT v.id, i.number, l.name, (v.version <> v.published_version)::boolean AS "isStale", e.body
     FROM published.item n JOIN published.item i ON i.id = coalesce(n.part_of, n.id)
     JOIN published.item v ON v.id = coalesce(i.valued_as, i.id)
     LEFT JOIN published.listing l ON l.item_id = i.id
     LEFT JOIN published.evidence e ON e.item_id = i.id
     WHERE n.kind = $1::text AND n.key = $2::text`,
    [kind, key],
  );
  if (!row) return null;
  const { body, ...item } = row;
  return { ...item, evidence: body === null ? null : JSON.parse(body) };
}

/** A record with its item, and the item that this one is part of. */
interface RecordRow {
  readonly whole: string;
  readonly isPart: boolean;
  readonly key: string;
  readonly number: string;
  readonly source: string;
  readonly body: string;
  readonly goneAt: number | null;
}

const recordsSql = `
  SELECT w.number AS whole, (p.id <> w.id)::boolean AS "isPart", p.key, p.number, c.source, c.body,
    c.gone_at AS "goneAt"
  FROM published.item n JOIN published.item w ON w.id = coalesce(n.part_of, n.id)
  JOIN published.item p ON p.id IN (
    SELECT w.id UNION ALL SELECT m.id FROM published.item m WHERE m.part_of = w.id)
  JOIN source.catalog_record c ON c.item_id = p.id
  WHERE n.kind = $1::text AND n.key = $2::text`;

/**
 * The records of an item by key or alias, in order of source; those under the item's own number
 * first. Null if there is no such item.
 */
function* findSources(kind: ItemKind, key: string): db.Reading<ItemSources | null> {
  const rows = yield* db.query<RecordRow>(recordsSql, [kind, key]);
  const [some] = rows;
  if (!some) return null;
  const ordered = rows
    .sort((a, b) => Number(a.isPart) - Number(b.isPart) || byKey(a, b))
    .sort(bySource);
  return {
    number: some.whole,
    records: ordered.map(({ source, number, body, goneAt }) => ({
      source,
      number,
      goneAt,
      facts: JSON.parse(body),
    })),
  };
}

export function* loadEvidence(items: readonly { id: number }[]): db.Reading<(Evidence | null)[]> {
  const groups = yield* db.queryGroups<{ isPart: boolean; body: string | null }>(
    `SELECT false::boolean AS "isPart", e.body FROM published.evidence e WHERE e.item_id = r.id
     UNION ALL
     SELECT true::boolean AS "isPart",
       (SELECT e.body FROM published.evidence e WHERE e.item_id = i.id) AS body
     FROM (${otherNumbersSql('r.id')}) AS i`,
    db.givenRows(tables.item, ['id'], items),
  );
  return groups.map((rows) => {
    const read = (isPart: boolean) =>
      rows.flatMap((row): Evidence[] =>
        row.body !== null && row.isPart === isPart ? [JSON.parse(row.body)] : [],
      );
    return wholeEvidence(read(false)[0] ?? null, read(true));
  });
}

export function* saveEvidence(items: readonly PublishedItem[]): db.Operation<void> {
  const rows = items.map(({ id, evidence }) => ({ itemId: id, body: JSON.stringify(evidence) }));
  yield* db.saveRows(tables.evidence, rows);
}
