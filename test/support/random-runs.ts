/** How often properties are tried with random cases. */
import { isPostgres } from './engines.ts';

/** `npm run test:quick` sets this. */
const isQuick = process.env.BRICKMARK_TEST_QUICK === '1';

/** Set in CI, where there is time for every case. */
const isWhole = process.env.BRICKMARK_TEST_RUNS === 'all';

/**
 * The number of random runs of a property that both engines are tried with. A rule that is wrong
 * shows in half of them; CI tries them all. PostgreSQL only has to show that it follows the same
 * rule, for which a fifth is enough.
 */
export function runsOnEngine(runs: number): number {
  if (isPostgres || isQuick) return Math.ceil(runs / 5);
  return isWhole ? runs : Math.ceil(runs / 2);
}
