/** Quiet hours, digests and days in an account's time zone. Pure. */
import { dayMs, dayOf, minuteMs } from '../../kernel/time.ts';
import { wallOf } from '../../kernel/time-zone.ts';
import type { AlertSettings, Digest } from './alert-rule.ts';
import type { HeldFor } from './notification.ts';

/** The time of digests, in minutes of the day. */
export const digestMinute = 8 * 60;

/** Day 0, 1 January 1970, was a Thursday. */
const isMonday = (day: number) => (day + 3) % 7 === 0;

/**
 * The instant of a local time; days are counted from 1970. `which` selects one of two instants if
 * the time occurs twice; a time skipped by a clock change is shifted by the change.
 */
export function instantOf(
  timeZone: string,
  { day, minute }: { readonly day: number; readonly minute: number },
  which: 'first' | 'last' = 'first',
): number {
  const wall = day * dayMs + minute * minuteMs;
  const offsetAt = (at: number) => wallOf(timeZone, at) - at;
  const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
  // A time occurs twice if the clock goes back, so the earlier offset gives the earlier instant.
  const shown = [wall - before, wall - after].filter((at) => wallOf(timeZone, at) === wall);
  return shown.at(which === 'first' ? 0 : -1) ?? wall - before;
}

/** Counted from 1970. */
function localDay(timeZone: string, at: number): number {
  return dayOf(wallOf(timeZone, at));
}

export function dayStart(timeZone: string, at: number): number {
  return instantOf(timeZone, { day: localDay(timeZone, at), minute: 0 });
}

/** When the quiet hours at an instant end; null if there are none then. */
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

/** When a notification is due, and what it waits for. */
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
