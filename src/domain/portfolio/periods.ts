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

/** Every day of a period, oldest first; the last one is today. */
export function everyDay(period: Period, today: number): number[] {
  const { length } = shapes[period];
  return Array.from({ length: length + 1 }, (_, index) => today - length + index);
}
