/** Dates and times in a time zone. */
import { usLocale } from './formats.ts';
import { dateFormat } from './intl.ts';
import { formatDay } from './time.ts';

/** Accepts IANA names only, not offsets such as +02:00. */
export function isTimeZone(text: string): boolean {
  return canonicalTimeZone(text) !== null;
}

/** A time zone in its usual spelling; null if there is none of that name. */
export function canonicalTimeZone(text: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(text)) return null;
  try {
    return dateFormat('wall', usLocale, text).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The local date and time at an instant, in whole seconds, encoded as if it were UTC. */
export function wallOf(timeZone: string, at: number): number {
  const parts = dateFormat('wall', usLocale, timeZone).formatToParts(at);
  const partOf = (name: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find(({ type }) => type === name)?.value);
  const day = [partOf('year'), partOf('month') - 1, partOf('day')] as const;
  const time = [partOf('hour'), partOf('minute'), partOf('second')] as const;
  return Date.UTC(...day, ...time);
}

/** The date at an instant, as YYYY-MM-DD. */
export function dayIn(timeZone: string, at: number): string {
  return formatDay(wallOf(timeZone, at));
}
