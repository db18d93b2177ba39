/** Performance of an account's holdings over a range: daily value, returns, realized gain. */

import { at } from '../../kernel/at.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { gradedMonths } from '../../market/history/daily-values.ts';
import type { SaleResult } from '../sales/ledger.ts';
import type { PositionGroup } from './analytics.work.ts';
import { unitsLeft } from './breakdown.ts';
import type { Range, Span } from './periods.ts';
import type { PortfolioData } from './portfolio-data.work.ts';
import { type Flow, moneyWeightedReturn, timeWeightedReturns } from './returns.ts';
import { sumTrades, type Trades } from './trades.ts';
import { type DaySum, DaySums, type Position } from './value-history.ts';

export interface Performance {
  readonly span: Span;
  /** Value and cost on each day of the range. */
  readonly sums: readonly DaySum[];
  /**
   * Cumulative time-weighted return up to each day, as a ratio; null while nothing was held at a
   * value. Lots without a purchase date are excluded here and below.
   */
  readonly returns: readonly (number | null)[];
  /** Over the whole range. */
  readonly timeWeightedReturn: number | null;
  /**
   * The yearly money-weighted return (XIRR), as a ratio. Null if first values in the range changed
   * the value of what was bought before it: they would count as gains of the range alone.
   */
  readonly moneyWeightedReturn: number | null;
  /** The gain in the range by origin; null: unknown. */
  readonly gains: Gains | null;
  /** Profit of sales in the range that is not in `gains`: their units have no purchase date. */
  readonly undatedSalesCents: number;
  /** The part of the unrealized gain that arose in the range; null: unknown. */
  readonly unrealizedChangeCents: number | null;
  /** Profit of the sales in the range, including those with an entered cost. */
  readonly realizedGainCents: number;
  /** Value minus cost of the current holdings. */
  readonly unrealizedGainCents: number;
  /** Lots excluded from returns that still have units. */
  readonly undatedLots: number;
}

/** Gains in a range; the parts add up to the total. */
export interface Gains {
  /** Value on the day of purchase less what was paid. */
  readonly buyingCents: number;
  /** The first value of units, if they were bought before it, less what was paid. */
  readonly beforeValuesCents: number;
  /** Changes in value while held. */
  readonly marketCents: number;
  /** Net proceeds of sales less the value on the day before. */
  readonly sellingCents: number;
  readonly totalCents: number;
}

/** The first known purchase date; infinite if there is none. */
export function firstPurchase(groups: readonly PositionGroup[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { positions } of groups) {
    for (const { boughtOn, isDated } of positions) {
      if (isDated && boughtOn < first) first = boughtOn;
    }
  }
  return first;
}

/** The longest range that the recent months cover. */
const recentDays = 366;

/** The same groups with all months, if the range needs them. */
export async function withMonths(
  { market }: PortfolioData,
  groups: readonly PositionGroup[],
  { days }: Span,
): Promise<readonly PositionGroup[]> {
  const length = at(days, days.length - 1) - at(days, 0);
  if (length <= recentDays) return groups;
  const months = await market.findMonthValues(groups);
  await yieldToEventLoop();
  return groups.map((group, index) => ({
    ...group,
    history: {
      ...group.history,
      months: gradedMonths(months[index] ?? null, group.share) ?? group.history.months,
    },
  }));
}

/** From lots and sales that were already read. */
export async function performanceOf(
  groups: readonly PositionGroup[],
  sales: readonly SaleResult[],
  { range, span }: { readonly range: Range; readonly span: Span },
): Promise<Performance> {
  const { days } = span;
  const datedGroups = groupsWhere(groups, ({ isDated }) => isDated);
  const dated = await sumAll(datedGroups, days);
  const undated = groupsWhere(groups, ({ isDated }) => !isDated);
  const isUndated = datedGroups.length === 0 && undated.length > 0;
  const flows = flowsOf(datedGroups, at(days, 0));
  await yieldToEventLoop();
  const trades = sumTrades(datedGroups, days);
  await yieldToEventLoop();
  const returns = timeWeightedReturns(dated, trades);
  await yieldToEventLoop();
  const sums = addSums(dated, await sumAll(undated, days));
  // Sold units may have been bought before the first known lot.
  const salesAfter = range === 'all' ? Number.NEGATIVE_INFINITY : at(days, 0);
  const realizedGainCents = sales
    .filter((sale) => sale.day > salesAfter)
    .reduce((sum, sale) => sum + sale.profitCents, 0);
  const gains = isUndated ? null : gainsOf(dated, flows, trades);
  const unrealizedChangeCents = isUndated ? null : gain(dated.at(-1)) - gain(dated[0]);
  const datedSalesCents = (gains?.totalCents ?? 0) - (unrealizedChangeCents ?? 0);
  return {
    span,
    sums,
    returns,
    timeWeightedReturn: returns.at(-1) ?? null,
    moneyWeightedReturn: isRevalued(dated, trades) ? null : moneyWeightedReturn(dated, flows),
    gains,
    undatedSalesCents: realizedGainCents - datedSalesCents,
    unrealizedChangeCents,
    realizedGainCents,
    unrealizedGainCents: gain(sums.at(-1)),
    undatedLots: undated.flatMap(({ positions }) => positions).filter((lot) => unitsLeft(lot) > 0)
      .length,
  };
}

/** The share of the value up to which first values do not matter. */
const firstValuesMax = 0.01;

function isRevalued(sums: readonly DaySum[], { olderBeforeValuesCents }: Trades): boolean {
  const { valueCents } = at(sums, sums.length - 1);
  return Math.abs(olderBeforeValuesCents) > firstValuesMax * valueCents;
}

function gainsOf(sums: readonly DaySum[], flows: readonly Flow[], trades: Trades): Gains {
  const [start, end] = [at(sums, 0), at(sums, sums.length - 1)];
  // A purchase or sale in the future counts as today's.
  const inCents = flows.reduce((sum, { cents }) => sum + cents, 0);
  const totalCents = Math.round(end.valueCents - start.valueCents - inCents);
  const { buyingGainCents: buyingCents, beforeValuesCents } = trades;
  const sellingCents = Math.round(trades.sellingGainCents);
  const marketCents = totalCents - buyingCents - beforeValuesCents - sellingCents;
  return { buyingCents, beforeValuesCents, marketCents, sellingCents, totalCents };
}

function gain(sum: DaySum | undefined): number {
  return sum ? sum.valueCents - sum.costCents : 0;
}

/** Groups with only the lots that match. */
function groupsWhere(
  groups: readonly PositionGroup[],
  isMatch: (position: Position) => boolean,
): PositionGroup[] {
  const found: PositionGroup[] = [];
  for (const group of groups) {
    // Usually all or none match, which needs no copy.
    if (group.positions.every(isMatch)) found.push(group);
    else if (group.positions.some(isMatch)) {
      found.push({ ...group, positions: group.positions.filter(isMatch) });
    }
  }
  return found;
}

/** Groups summed before yielding to the event loop. */
const groupsAtOnce = 500;

async function sumAll(
  groups: readonly PositionGroup[],
  days: readonly number[],
): Promise<DaySum[]> {
  const sums = new DaySums(days);
  for (const [index, group] of groups.entries()) {
    sums.add(group);
    if (index % groupsAtOnce === groupsAtOnce - 1) await yieldToEventLoop();
  }
  return sums.list();
}

function addSums(sums: readonly DaySum[], others: readonly DaySum[]): DaySum[] {
  return sums.map(({ day, valueCents, costCents, atCostCents }, index) => ({
    day,
    valueCents: valueCents + (others[index]?.valueCents ?? 0),
    costCents: costCents + (others[index]?.costCents ?? 0),
    atCostCents: atCostCents + (others[index]?.atCostCents ?? 0),
  }));
}

/** Cash flows after a day. Units sold before their purchase date come and go on the day of sale. */
function flowsOf(groups: readonly PositionGroup[], after: number): Flow[] {
  const flows: Flow[] = [];
  const add = (day: number, cents: number) => {
    if (day > after) flows.push({ day, cents });
  };
  for (const { positions } of groups) {
    for (const { boughtOn, quantity, priceCents, exits } of positions) {
      let units = quantity;
      for (const exit of exits) {
        add(exit.day, -exit.netCents);
        if (exit.day >= boughtOn) continue;
        add(exit.day, exit.quantity * priceCents);
        units -= exit.quantity;
      }
      add(boughtOn, units * priceCents);
    }
  }
  return flows;
}
