/** How often properties are tried with random cases. */
import { isPostgres } from './engines.ts';

/**
 * The number of random runs of a property that both engines are tried with. What is wrong with a
 * rule shows on SQLite, in all of them; what PostgreSQL makes of the same rule takes fewer.
 */
export function runsOnEngine(runs: number): number {
  return isPostgres ? Math.ceil(runs / 5) : runs;
}
