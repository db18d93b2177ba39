/** The use of a key: today and on recent days. */
import type { Static } from 'typebox';
import { count, day, instant, listOf, record } from '../fields.ts';

/** Including today. */
export const usageDays = 30;

export const Usage = record('Usage', {
  limit: count('Daily allowance of the key.'),
  used: count("Calls counted against today's allowance."),
  remaining: count('Calls left until the reset.'),
  reset: instant('When the allowance resets: the next midnight UTC.'),
  days: listOf(
    record('UsageDay', 'One day.', {
      date: day('The UTC date.'),
      used: count('Calls your key used on that day.'),
    }),
    `The last ${usageDays} days, today last.`,
    usageDays,
  ),
});

export type Usage = Static<typeof Usage>;

/** Example for the OpenAPI document, with three days. */
export const usageExample: Usage = {
  limit: 1000,
  used: 42,
  remaining: 958,
  reset: '2026-11-16T00:00:00.000Z',
  days: [
    { date: '2026-11-13', used: 310 },
    { date: '2026-11-14', used: 0 },
    { date: '2026-11-15', used: 42 },
  ],
};
