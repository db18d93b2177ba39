/** The live scorecard: counts that publishing adds to. */
import type { Database } from 'bun:sqlite';
import type { ScoreCount } from '../../domain/market/scorecard.ts';

/** Adds counts to what was counted before. */
export function scoreWriter(db: Database): (scores: readonly ScoreCount[]) => void {
  const add = db.query<never, (string | number)[]>(
    `INSERT INTO score (week, kind, condition, tier, bin, in_range, count)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  return (scores) => {
    for (const { week, kind, condition, tier, bin, inRange, count } of scores) {
      add.run(week, kind, condition, tier, bin, Number(inRange), count);
    }
  };
}

/** The counts of the weeks from one on, in the order of their key. */
export function listScores(db: Database, fromWeek: number): ScoreCount[] {
  return db
    .query<Omit<ScoreCount, 'inRange'> & { readonly in_range: number }, [number]>(
      `SELECT week, kind, condition, tier, bin, in_range, count FROM score WHERE week >= ?
       ORDER BY week, kind, condition, tier, bin, in_range`,
    )
    .all(fromWeek)
    .map(({ in_range, ...score }) => ({ ...score, inRange: in_range === 1 }));
}
