/** The number of runs of property tests. */
import { isPostgres } from './engines.ts';

const isQuick = process.env.BRICKMARK_TEST_QUICK === '1';

/** Set by `npm run test:random`. */
const isLong = process.env.BRICKMARK_TEST_LONG === '1';

/**
 * The number of runs of a property that is tested on both engines. In the long form, all run on
 * SQLite, which finds errors in the rules, and a fifth on PostgreSQL. Otherwise a third of them
 * run, and in quick mode a fifteenth.
 */
export function runsOnEngine(runs: number): number {
  const onEngine = isPostgres ? runs / 5 : runs;
  if (isLong) return Math.ceil(onEngine);
  return Math.ceil(onEngine / (isQuick ? 15 : 3));
}
