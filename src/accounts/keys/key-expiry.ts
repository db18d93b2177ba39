/** Warnings before a key expires: in a header of every response, and by mail. */
import { dayMs } from '../../kernel/time.ts';

/** Days before the end at which a mail is sent; the header starts with the first. */
const warningDays = [14, 1] as const;

/** From this long before it expires, responses name the time. */
export const soonMs: number = warningDays[0] * dayMs;

/**
 * How many warnings are due: none, the first, or both. A new key starts with those that are due at
 * once, because its owner has just chosen the date.
 */
export function warningsDue(expiresAt: number | null, at: number): number {
  if (expiresAt === null) return 0;
  return warningDays.filter((days) => expiresAt - at <= days * dayMs).length;
}

/** From this long before it expires, both warnings are due. */
export const lastWarningMs: number = warningDays[1] * dayMs;

/** Whether responses name the time at which the key expires. */
export function isEndingSoon(expiresAt: number | null, at: number): expiresAt is number {
  return expiresAt !== null && expiresAt - at <= soonMs;
}
