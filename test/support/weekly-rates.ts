/** Exchange rates for tests in which they never change. */
import { dayMs, formatDay } from '../../src/kernel/time.ts';
import type { FeedLine } from './stored-world.ts';

/** A euro is $1.10 on a day of every week, so every amount since 2020 has a rate. */
export const weeklyEuros: readonly FeedLine[] = Array.from({ length: 359 }, (_, week) => ({
  kind: 'fx',
  date: formatDay(Date.UTC(2020, 0, 1) + 7 * week * dayMs),
  currency: 'EUR',
  usd_per_unit: 1.1,
}));
