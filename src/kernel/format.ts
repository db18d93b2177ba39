/** Formats amounts, percentages, counts and times for people, on pages and in terminals. */
import { Formats } from './formats.ts';
import { toCentsOrNull } from './money.ts';
import { dayMs, hourMs, minuteMs } from './time.ts';

/** US formats, in dollars: terminals and messages. Those of pages are in `web/kit/format.ts`. */
export const usFormats = new Formats();

export const {
  moneyText,
  usdText,
  rangeText,
  gainText,
  percentText,
  waitText,
  countText,
  nounText,
  dayText,
  monthText,
  momentText,
  timeText,
  durationText,
  agoText,
} = textsIn(() => usFormats);

/** The functions that format, in the formats that are in use when they are called. */
export function textsIn(formats: () => Formats) {
  /** An amount in cents; a dash for null. */
  const moneyText = (cents: number | null) => (cents === null ? '–' : formats().money(cents));
  /** The same for an amount in dollars. */
  const usdText = (usd: number | null) => moneyText(toCentsOrNull(usd));
  const countText = (count: number) => formats().count(count);
  /** A count with its noun, such as 1 day or 2 days. */
  const nounText = (count: number, noun: string) =>
    `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
  /** A duration in its largest unit, rounded down. */
  const durationText = (ms: number) => {
    for (const [length, name] of durationUnits) {
      const count = Math.floor(ms / length);
      if (count > 0) return nounText(count, name);
    }
    return 'less than a minute';
  };
  return {
    moneyText,
    usdText,
    /** An amount range; empty for null. */
    rangeText: (range: { readonly low: number; readonly high: number } | null) =>
      range === null ? '' : `${usdText(range.low)} to ${usdText(range.high)}`,
    gainText: (cents: number) => formats().gain(cents),
    /** A signed percentage with one decimal; a dash for null. */
    percentText: (percent: number | null) => (percent === null ? '–' : formats().percent(percent)),
    /** A time to sale in days or months; not distinguished beyond five years. */
    waitText: (days: number | null) => {
      if (days === null) return '–';
      if (days > 5 * 365) return 'over 5 years';
      if (days > 90) return nounText(Math.round(days / 30.44), 'month');
      return nounText(Math.max(1, Math.round(days)), 'day');
    },
    /** With thousands separators. */
    countText,
    nounText,
    /** Formats YYYY-MM-DD as Nov 16, 2026. */
    dayText: (day: string) => formats().day(day),
    /** Formats YYYY-MM as Nov 2026. */
    monthText: (month: string) => formats().month(month),
    /** Formats an instant as Nov 16, 2026, 15:11 UTC. */
    momentText: (at: number, timeZone = 'UTC') => formats().moment(at, timeZone),
    /** Formats the time of day as 15:11. */
    timeText: (at: number, timeZone: string) => formats().timeOfDay(at, timeZone),
    durationText,
    agoText: (ms: number) => (ms < minuteMs ? 'just now' : `${durationText(ms)} ago`),
  };
}

const durationUnits = [
  [dayMs, 'day'],
  [hourMs, 'hour'],
  [minuteMs, 'minute'],
] as const;
