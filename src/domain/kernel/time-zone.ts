/** Dates and times in a time zone. */
import { formatDay } from './time.ts';

const made = new Map<string, Intl.DateTimeFormat>();

/** Cached by time zone, because creating a formatter is slow; there are a few hundred zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = made.get(timeZone);
  if (known) return known;
  const created = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  });
  made.set(timeZone, created);
  return created;
}

/** Accepts IANA names only, not offsets such as +02:00. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(text)) return false;
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

/** The local date and time at an instant, in whole seconds, encoded as if it were UTC. */
export function wallOf(timeZone: string, at: number): number {
  const parts = formatOf(timeZone).formatToParts(at);
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
