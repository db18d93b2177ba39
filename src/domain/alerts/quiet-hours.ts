/** Quiet hours, digests and days in somebody's time zone. Pure: the time is given. */
import { dayMs, dayOf, minuteMs } from '../kernel/time.ts';
import type { AlertSettings, Digest } from './alert-rule.ts';
import type { HeldFor } from './alert-store.ts';

/** When digests are sent, in minutes of the day. */
export const digestMinute = 8 * 60;

/** Monday: 1 January 1970 was a Thursday, day 0. */
const isMonday = (day: number) => (day + 3) % 7 === 0;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one is slow, so each zone's is kept; there are a few hundred. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
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
  formats.set(timeZone, made);
  return made;
}

/** Whether a text is the name of a time zone; an offset such as +02:00 is none. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(text)) return false;
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

/** What clocks and calendars show at an instant, as if it were UTC. */
function wallOf(timeZone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000);
}

/**
 * When clocks show a minute of a day, which is counted from 1970. A time that comes twice is the
 * first or the last of the two; one that is left out is as long after the change as it would have
 * been.
 */
export function instantOf(
  timeZone: string,
  { day, minute }: { readonly day: number; readonly minute: number },
  which: 'first' | 'last' = 'first',
): number {
  const wall = day * dayMs + minute * minuteMs;
  const offsets = [wall - dayMs, wall + dayMs].map((at) => wallOf(timeZone, at) - at);
  const [before = 0, after = 0] = offsets;
  const shown = [wall - before, wall - after]
    .filter((at) => wallOf(timeZone, at) === wall)
    .sort((a, b) => a - b);
  return shown.at(which === 'first' ? 0 : -1) ?? wall - before;
}

/** The day of an instant in a time zone, counted from 1970. */
function localDay(timeZone: string, at: number): number {
  return dayOf(wallOf(timeZone, at));
}

/** When the day of an instant began in a time zone. */
export function dayStart(timeZone: string, at: number): number {
  return instantOf(timeZone, { day: localDay(timeZone, at), minute: 0 });
}

/** When the quiet hours end that an instant is in; null when it is in none. */
export function quietUntil({ timeZone, quiet }: AlertSettings, at: number): number | null {
  if (quiet === null || quiet.from === quiet.until) return null;
  const today = localDay(timeZone, at);
  const nights = quiet.until < quiet.from ? 1 : 0;
  for (const day of [today - nights, today]) {
    const from = instantOf(timeZone, { day, minute: quiet.from });
    const until = instantOf(timeZone, { day: day + nights, minute: quiet.until }, 'last');
    if (from <= at && at < until) return until;
  }
  return null;
}

/** When something is told that happens at an instant, and what it waits for. */
export function dueTime(
  settings: AlertSettings,
  digest: Digest,
  at: number,
): { readonly dueAt: number; readonly heldFor: HeldFor } {
  if (digest === 'none') {
    const end = quietUntil(settings, at);
    return end === null ? { dueAt: at, heldFor: null } : { dueAt: end, heldFor: 'quiet' };
  }
  const next = nextDigest(settings.timeZone, digest, at);
  return { dueAt: quietUntil(settings, next) ?? next, heldFor: 'digest' };
}

function nextDigest(timeZone: string, digest: 'daily' | 'weekly', at: number): number {
  for (let day = localDay(timeZone, at); ; day++) {
    if (digest === 'weekly' && !isMonday(day)) continue;
    const next = instantOf(timeZone, { day, minute: digestMinute });
    if (next > at) return next;
  }
}
