/** The live scorecard: counts that publishing adds to. */
import type { ScoreCount } from '../../domain/market/scorecard.ts';
import type { Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { type Statement, withRows } from './statement.ts';

/** Adds counts to what was counted before. */
export function addScores(scores: readonly ScoreCount[]): Statement[] {
  return withRows(scores, (rows) => [
    // Counts of the same kind may come from several items.
    `INSERT INTO source.score AS s (week, kind, condition, tier, bin, in_range, count)
     SELECT week, kind, condition, tier, bin, "inRange", sum(count)
     FROM json_to_recordset($1::text::json) AS r (week integer, kind text, condition text,
       tier text, bin integer, "inRange" boolean, count bigint)
     GROUP BY week, kind, condition, tier, bin, "inRange"
     ON CONFLICT (week, kind, condition, tier, bin, in_range)
       DO UPDATE SET count = s.count + excluded.count`,
    [jsonRows(rows)],
  ]);
}

/** The counts of the weeks from one on, in the order of their key. */
export function listScores(client: Connection, fromWeek: number): Promise<ScoreCount[]> {
  return client.query<ScoreCount>(
    `SELECT week, kind, condition, tier, bin, in_range AS "inRange", count::float8 AS count
     FROM published.score WHERE week >= $1
     ORDER BY week, kind, condition, tier, bin, in_range`,
    [fromWeek],
  );
}
