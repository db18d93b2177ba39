/** The change of an account's collection since a day. */
import type { PositionGroup } from './analytics.work.ts';
import { performanceOf, withMonths } from './performance.work.ts';
import type { PortfolioData } from './portfolio-data.work.ts';

export interface DayChange {
  readonly since: number;
  /** The gain from the market while the units were held; null without purchase dates. */
  readonly marketCents: number | null;
  /** The time-weighted return, so that later purchases do not count; null if nothing was held. */
  readonly marketPercent: number | null;
  /** Gains of purchases below value and of sales above it. */
  readonly tradeCents: number;
  /** What the first values of units differ by from cost. */
  readonly beforeValuesCents: number;
}

/** Purchases within this many days count at the value of their day, earlier ones at today's. */
const dailyMax = 90;

function daysSince(since: number, today: number): number[] {
  const count = today - since;
  if (count > dailyMax) return [since, today];
  return Array.from({ length: count + 1 }, (_, index) => since + index);
}

/** From lots that were already read. The day is before today. */
export async function changeSince(
  portfolio: PortfolioData,
  groups: readonly PositionGroup[],
  { since, today }: { readonly since: number; readonly today: number },
): Promise<DayChange> {
  const span = { days: daysSince(since, today), pointStep: 1 };
  const lines = await withMonths(portfolio, groups, span);
  // The range matters only for realized gains, which come from sales.
  const { gains, timeWeightedReturn } = await performanceOf(lines, [], { range: 'all', span });
  if (gains === null) {
    return { since, marketCents: null, marketPercent: null, tradeCents: 0, beforeValuesCents: 0 };
  }
  return {
    since,
    marketCents: gains.marketCents,
    marketPercent: timeWeightedReturn === null ? null : 100 * timeWeightedReturn,
    tradeCents: gains.buyingCents + gains.sellingCents,
    beforeValuesCents: gains.beforeValuesCents,
  };
}
