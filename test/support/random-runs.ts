/** The number of runs of property tests. */
import { isPostgres } from './engines.ts';

const isQuick = process.env.BRICKMARK_TEST_QUICK === '1';

/**
 * The number of runs of a property that is tested on both engines. All run on SQLite, which finds
 * errors in the rules; a fifth run on PostgreSQL and in quick mode.
 */
export function runsOnEngine(runs: number): number {
  return isPostgres || isQuick ? Math.ceil(runs / 5) : runs;
}
