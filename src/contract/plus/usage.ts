/** What a key has spent: today against its allowance, and day by day. */
import Type, { type Static } from 'typebox';
import { count, day, instant, record } from '../fields.ts';

/** How many days are told, today among them. */
export const usageDays = 30;

/** What the key of the call has spent. */
export const Usage = record('Usage', {
  limit: count('Daily allowance of the key.'),
  used: count("Calls counted against today's allowance."),
  remaining: count('Calls left until the reset.'),
  reset: instant('When the allowance resets: the next midnight UTC.'),
  days: Type.Array(
    record(
      'UsageDay',
      { date: day('The UTC date.'), used: count('Calls your key used on that day.') },
      'One day.',
    ),
    { maxItems: usageDays, description: `The last ${usageDays} days, today last.` },
  ),
});

/** The answer as a type. */
export type Usage = Static<typeof Usage>;

/** An answer as the OpenAPI document shows it; of its days, the last three. */
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
