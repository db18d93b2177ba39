/** Formats amounts, percentages, counts and times for people, on pages and in terminals. */
import { lazy } from './lazy.ts';
import { dollarText, toCentsOrNull } from './money.ts';
import { dayMs, hourMs, minuteMs } from './time.ts';

/** An amount in cents; a dash for null. */
export function moneyText(cents: number | null): string {
  return cents === null ? '–' : dollarText(cents);
}

/** The same for an amount in dollars. */
export function usdText(usd: number | null): string {
  return moneyText(toCentsOrNull(usd));
}

/** An amount range; empty for null. */
export function rangeText(range: { readonly low: number; readonly high: number } | null): string {
  return range === null ? '' : `${usdText(range.low)} to ${usdText(range.high)}`;
}

/** An amount with its sign. */
export function gainText(cents: number): string {
  return `${cents > 0 ? '+' : ''}${dollarText(cents)}`;
}

// Created once: a page has hundreds of figures, and `toLocaleString` would create a formatter for
// each.
const signedTenths = lazy(
  () =>
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      // Amounts that round to 0 have no sign.
      signDisplay: 'exceptZero',
    }),
);
const counts = lazy(() => new Intl.NumberFormat('en-US'));

/** A signed percentage with one decimal; a dash for null. */
export function percentText(percent: number | null): string {
  return percent === null ? '–' : `${signedTenths().format(percent)}%`;
}

/** A time to sale in days or months; not distinguished beyond five years. */
export function waitText(days: number | null): string {
  if (days === null) return '–';
  if (days > 5 * 365) return 'over 5 years';
  if (days > 90) return nounText(Math.round(days / 30.44), 'month');
  return nounText(Math.max(1, Math.round(days)), 'day');
}

/** With thousands separators. */
export function countText(count: number): string {
  return counts().format(count);
}

/** A count with its noun, such as 1 day or 2 days. */
export function nounText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats YYYY-MM-DD as Nov 16, 2026. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-');
  return `${monthNames[Number(month) - 1]} ${Number(date)}, ${year}`;
}

/** Formats YYYY-MM as Nov 2026. */
export function monthText(month: string): string {
  const [year, number] = month.split('-');
  return `${monthNames[Number(number) - 1]} ${year}`;
}

/** Formats an instant as Nov 16, 2026, 15:11 UTC. */
export function momentText(at: number, timeZone = 'UTC'): string {
  return momentForm(timeZone).format(at);
}

/** Formats the time of day as 15:11. */
export function timeText(at: number, timeZone: string): string {
  const parts = momentForm(timeZone).formatToParts(at);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${partOf('hour')}:${partOf('minute')}`;
}

const momentForms = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached by time zone, because creating one is slow. */
function momentForm(timeZone: string): Intl.DateTimeFormat {
  const known = momentForms.get(timeZone);
  if (known) return known;
  const created = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  momentForms.set(timeZone, created);
  return created;
}

/** A duration in its largest unit, rounded down. */
export function durationText(ms: number): string {
  const units = [
    [dayMs, 'day'],
    [hourMs, 'hour'],
    [minuteMs, 'minute'],
  ] as const;
  for (const [length, name] of units) {
    const count = Math.floor(ms / length);
    if (count > 0) return nounText(count, name);
  }
  return 'less than a minute';
}

export function agoText(ms: number): string {
  return ms < minuteMs ? 'just now' : `${durationText(ms)} ago`;
}
