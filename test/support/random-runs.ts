/** How often properties are tried with random cases. */
import { isPostgres } from './engines.ts';

/** `npm run test:quick` sets this. */
const isQuick = process.env.BRICKMARK_TEST_QUICK === '1';

/**
 * The number of random runs of a property that both engines are tried with. What is wrong with a
 * rule shows on SQLite, in all of them; what PostgreSQL makes of the same rule takes a fifth.
 */
export function runsOnEngine(runs: number): number {
  return isPostgres || isQuick ? Math.ceil(runs / 5) : runs;
}
