/** The periods that analytics look back over. */

/** The periods, by the names that the contract gives them. */
export const periods = ['30d', '90d', '1y'] as const;
export type Period = (typeof periods)[number];

/** How far back a period goes, and how far its points lie apart, in days. */
const shapes: Readonly<Record<Period, { readonly length: number; readonly step: number }>> = {
  '30d': { length: 30, step: 1 },
  '90d': { length: 90, step: 1 },
  '1y': { length: 364, step: 7 },
};

/** How many points a period has at most. */
export const pointsMax = Math.max(...Object.values(shapes).map(pointCount));

function pointCount({ length, step }: { readonly length: number; readonly step: number }) {
  return length / step + 1;
}

/** The days of a period's points, oldest first; the last one is today. */
export function pointDays(period: Period, today: number): number[] {
  const { length, step } = shapes[period];
  const points = { length: pointCount(shapes[period]) };
  return Array.from(points, (_, index) => today - length + index * step);
}

/** The periods, and everything since the first purchase. */
export const ranges = [...periods, 'all'] as const;
export type Range = (typeof ranges)[number];

/** The days that a range is worked out for, and every how many of them a chart has a point. */
export interface Span {
  /** Oldest first, equally far apart; the last one is today. */
  readonly days: readonly number[];
  readonly pointStep: number;
}

/** Days that a range is worked out for, and points of a chart, at most. */
const spanDaysMax = 364;
const spanPointsMax = 104;

/**
 * Every day of a range; of one longer than a year, days so far apart that there are no more. Where
 * no first day is known (it is infinite), everything is the longest period.
 */
export function spanOf(range: Range, today: number, firstDay: number): Span {
  if (range !== 'all' || firstDay === Number.POSITIVE_INFINITY) {
    const { length, step } = shapes[range === 'all' ? '1y' : range];
    return { days: daysUntil(today, { count: length, gap: 1 }), pointStep: step };
  }
  // It begins on the day before, when there was nothing yet.
  const length = Math.max(1, today - firstDay + 1);
  const gap = Math.ceil(length / spanDaysMax);
  const least = Math.ceil(length / gap);
  const pointStep = Math.ceil(least / spanPointsMax);
  // The first of its days is a point, too: else the chart would begin after the first purchase.
  const count = Math.ceil(least / pointStep) * pointStep;
  return { days: daysUntil(today, { count, gap }), pointStep };
}

function daysUntil(today: number, { count, gap }: { count: number; gap: number }): number[] {
  return Array.from({ length: count + 1 }, (_, index) => today - (count - index) * gap);
}

/** What is at the points of a span, of what there is for each of its days. */
export function atPoints<T>({ days, pointStep }: Span, each: readonly T[]): T[] {
  return each.filter((_, index) => (days.length - 1 - index) % pointStep === 0);
}
