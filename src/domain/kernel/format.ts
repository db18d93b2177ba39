/** How amounts, shares, counts and times are shown to people, on pages and in terminals. */
import { lazy } from './lazy.ts';
import { dollarText, toCentsOrNull } from './money.ts';
import { dayMs, hourMs, minuteMs } from './time.ts';

/** An amount in hundredths of a dollar. */
export function moneyText(cents: number | null): string {
  return cents === null ? '–' : dollarText(cents);
}

/** Dollars of a document, as people read them. */
export function usdText(usd: number | null): string {
  return moneyText(toCentsOrNull(usd));
}

/** From one amount to another; '' where there is no range. */
export function rangeText(range: { readonly low: number; readonly high: number } | null): string {
  return range === null ? '' : `${usdText(range.low)} to ${usdText(range.high)}`;
}

/** An amount with its sign, for gains and losses. */
export function gainText(cents: number): string {
  return `${cents > 0 ? '+' : ''}${dollarText(cents)}`;
}

// Made once: a page has hundreds of figures, and `toLocaleString` makes anew what it needs.
const tenths = lazy(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const counts = lazy(() => new Intl.NumberFormat('en-US'));

/** A change in percent, with its sign. */
export function percentText(percent: number | null): string {
  if (percent === null) return '–';
  const text = tenths().format(percent);
  // What rounds to nothing has no sign.
  return `${Number(text) === 0 ? '' : percent > 0 ? '+' : ''}${text === '-0.0' ? '0.0' : text}%`;
}

/** How long one waits for a sale, in words; longer than five years is as good as never. */
export function waitText(days: number | null): string {
  if (days === null) return '–';
  if (days > 5 * 365) return 'over 5 years';
  if (days > 90) return nounText(Math.round(days / 30.44), 'month');
  return nounText(Math.max(1, Math.round(days)), 'day');
}

/** A count with separators of thousands. */
export function countText(count: number): string {
  return counts().format(count);
}

/** A count with its noun, such as 1 day or 2 days. */
export function nounText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A day as people write it: Nov 16, 2026. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-');
  return `${monthNames[Number(month) - 1]} ${Number(date)}, ${year}`;
}

/** A month as people write it: Nov 2026. */
export function monthText(month: string): string {
  const [year, number] = month.split('-');
  return `${monthNames[Number(number) - 1]} ${year}`;
}

/** A moment as people write it, to the minute: Nov 16, 2026, 15:11 UTC. */
export function momentText(at: number, timeZone = 'UTC'): string {
  return momentForm(timeZone).format(at);
}

/** The time of day of a moment: 15:11. */
export function timeText(at: number, timeZone: string): string {
  const parts = momentForm(timeZone).formatToParts(at);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${partOf('hour')}:${partOf('minute')}`;
}

const momentForms = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than using it a hundred times, so each zone's is kept. */
function momentForm(timeZone: string): Intl.DateTimeFormat {
  const known = momentForms.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  momentForms.set(timeZone, made);
  return made;
}

/** How long something takes or took, roughly. */
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

/** How long ago something was, roughly. */
export function agoText(ms: number): string {
  return ms < minuteMs ? 'just now' : `${durationText(ms)} ago`;
}
