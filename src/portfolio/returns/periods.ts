/** The periods of analytics, and the days of their points. */
import { dayMs, dayOf } from '../../kernel/time.ts';

/** Names as in the contract. */
export const periods = ['30d', '90d', '1y'] as const;
export type Period = (typeof periods)[number];

/** The length of a period and the distance of its points, in days. */
const shapes: Readonly<Record<Period, { readonly length: number; readonly step: number }>> = {
  '30d': { length: 30, step: 1 },
  '90d': { length: 90, step: 1 },
  '1y': { length: 364, step: 7 },
};

export const pointsMax = Math.max(...Object.values(shapes).map(pointCount));

function pointCount({ length, step }: { readonly length: number; readonly step: number }) {
  return length / step + 1;
}

/** Oldest first; the last one is today. */
export function pointDays(period: Period, today: number): number[] {
  const { length, step } = shapes[period];
  const points = { length: pointCount(shapes[period]) };
  return Array.from(points, (_, index) => today - length + index * step);
}

/** The periods, shorter ones, the calendar year, and everything since the first purchase. */
export const ranges = ['1d', '7d', '30d', '90d', 'ytd', '1y', 'all'] as const;
export type Range = (typeof ranges)[number];

/** The days computed for a range, and how many of them there are per chart point. */
export interface Span {
  /** Oldest first, equally spaced; the last one is today. */
  readonly days: readonly number[];
  readonly pointStep: number;
}

/** Maximum numbers of computed days and of chart points. */
const spanDaysMax = 364;
const spanPointsMax = 104;

/**
 * Every day of a range, or equally spaced days if it is longer than a year. `firstDay` is infinite
 * without purchases; `all` is then the longest period.
 */
export function spanOf(range: Range, today: number, firstDay: number): Span {
  if (range === '1d' || range === '7d') return daysBack(today, range === '1d' ? 1 : 7);
  // From the last day of the year before.
  if (range === 'ytd') return daysBack(today, today - dayOf(Date.UTC(yearOf(today), 0, 1)) + 1);
  if (range !== 'all' || firstDay === Number.POSITIVE_INFINITY) {
    const { length, step } = shapes[range === 'all' ? '1y' : range];
    return { days: daysUntil(today, { count: length, gap: 1 }), pointStep: step };
  }
  // Starts the day before the first purchase, when nothing was held yet.
  const length = Math.max(1, today - firstDay + 1);
  const gap = Math.ceil(length / spanDaysMax);
  const least = Math.ceil(length / gap);
  const pointStep = Math.ceil(least / spanPointsMax);
  // Rounded up, so that the first day is a chart point and the chart shows the first purchase.
  const count = Math.ceil(least / pointStep) * pointStep;
  return { days: daysUntil(today, { count, gap }), pointStep };
}

/** Every day since some days ago. */
function daysBack(today: number, length: number): Span {
  const pointStep = Math.ceil(length / spanPointsMax);
  return { days: daysUntil(today, { count: length, gap: 1 }), pointStep };
}

function yearOf(day: number): number {
  return new Date(day * dayMs).getUTCFullYear();
}

function daysUntil(today: number, { count, gap }: { count: number; gap: number }): number[] {
  return Array.from({ length: count + 1 }, (_, index) => today - (count - index) * gap);
}

/** Selects the chart points, with the first day and today, from a list with an entry per day. */
export function atPoints<T>({ pointStep }: Span, each: readonly T[]): T[] {
  const last = each.length - 1;
  return each.filter((_, index) => index === 0 || (last - index) % pointStep === 0);
}
