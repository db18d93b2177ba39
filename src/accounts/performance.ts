/** How an account's holdings did over a range: value day by day, returns, realized gain. */

import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { dayOf } from '../domain/kernel/time.ts';
import { unitsLeft } from '../domain/portfolio/breakdown.ts';
import type { SaleResult } from '../domain/portfolio/ledger-store.ts';
import { type Range, type Span, spanOf } from '../domain/portfolio/periods.ts';
import {
  type Flow,
  moneyWeightedReturn,
  timeWeightedReturns,
} from '../domain/portfolio/returns.ts';
import { type DaySum, type Position, sumDays } from '../domain/portfolio/value-history.ts';
import { type PositionGroup, readPositions } from './analytics.ts';
import type { PortfolioData } from './portfolio-data.ts';

/** How the holdings did over a range. */
export interface Performance {
  readonly span: Span;
  /** What everything was worth and had cost on each day of the span. */
  readonly sums: readonly DaySum[];
  /**
   * What a dollar that was there all along made up to each day, as a ratio; null while nothing was
   * at stake. Here and in what follows, lots whose day of purchase is not known are left out.
   */
  readonly returns: readonly (number | null)[];
  /** The same over the whole range. */
  readonly timeWeightedReturn: number | null;
  /** The yearly rate that explains the money put in and taken out (XIRR), as a ratio. */
  readonly moneyWeightedReturn: number | null;
  /** How much of the unrealized gain came about in the range; null where that is not known. */
  readonly unrealizedChangeCents: number | null;
  /** Profit of the sales recorded in the range, also of those whose cost was given. */
  readonly realizedGainCents: number;
  /** Value less cost of what is held now. */
  readonly unrealizedGainCents: number;
  /** Lots that are left out of returns and still have units. */
  readonly undatedLots: number;
}

/** The performance over a range that ends at an instant. */
export async function readPerformance(
  portfolio: PortfolioData,
  accountId: number,
  when: { readonly range: Range; readonly at: number },
): Promise<Performance> {
  const read = await readPositions(portfolio, accountId);
  const span = spanOf(when.range, dayOf(when.at), firstPurchase(read));
  const groups = await withMonths(portfolio, read, span);
  const sales = await portfolio.accounts.listSaleResults(accountId);
  return performanceOf(groups, sales, { range: when.range, span });
}

/** The day of the first purchase whose day is known; infinite where there is none. */
export function firstPurchase(groups: readonly PositionGroup[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { positions } of groups) {
    for (const { boughtOn, isDated } of positions) {
      if (isDated && boughtOn < first) first = boughtOn;
    }
  }
  return first;
}

/** The longest span that the months at hand are enough for. */
const recentDays = 366;

/** The same groups with all of their months, where a span goes back further than those at hand. */
export async function withMonths(
  { market }: PortfolioData,
  groups: readonly PositionGroup[],
  { days }: Span,
): Promise<readonly PositionGroup[]> {
  const length = (days.at(-1) ?? 0) - (days[0] ?? 0);
  if (length <= recentDays) return groups;
  const months = await market.findMonthValues(groups);
  await yieldToEventLoop();
  return groups.map((group, index) => ({
    ...group,
    history: { ...group.history, months: months[index] ?? group.history.months },
  }));
}

/** The performance of lots and sales that were read before. */
export async function performanceOf(
  groups: readonly PositionGroup[],
  sales: readonly SaleResult[],
  { range, span }: { readonly range: Range; readonly span: Span },
): Promise<Performance> {
  const { days } = span;
  const datedGroups = groupsWhere(groups, ({ isDated }) => isDated);
  const dated = await sumAll(datedGroups, days);
  const undated = groupsWhere(groups, ({ isDated }) => !isDated);
  const flows = flowsOf(groups);
  await yieldToEventLoop();
  const returns = timeWeightedReturns(dated, flows);
  await yieldToEventLoop();
  const sums = addSums(dated, await sumAll(undated, days));
  // What was sold may have been bought before the first lot that is known.
  const salesAfter = range === 'all' ? Number.NEGATIVE_INFINITY : (days[0] ?? 0);
  return {
    span,
    sums,
    returns,
    timeWeightedReturn: returns.at(-1) ?? null,
    moneyWeightedReturn: moneyWeightedReturn(dated, flows),
    unrealizedChangeCents:
      datedGroups.length === 0 && undated.length > 0 ? null : gain(dated.at(-1)) - gain(dated[0]),
    realizedGainCents: sales
      .filter((sale) => sale.day > salesAfter)
      .reduce((sum, sale) => sum + sale.profitCents, 0),
    unrealizedGainCents: gain(sums.at(-1)),
    undatedLots: undated.flatMap(({ positions }) => positions).filter((lot) => unitsLeft(lot) > 0)
      .length,
  };
}

function gain(sum: DaySum | undefined): number {
  return sum ? sum.valueCents - sum.costCents : 0;
}

/** The groups with those of their lots that are such. */
function groupsWhere(
  groups: readonly PositionGroup[],
  isSuch: (position: Position) => boolean,
): PositionGroup[] {
  return groups.flatMap((group) => {
    const positions = group.positions.filter(isSuch);
    return positions.length === 0 ? [] : { ...group, positions };
  });
}

/** Sets that are added up at once; others have their turn before the next. */
const groupsAtOnce = 500;

async function sumAll(
  groups: readonly PositionGroup[],
  days: readonly number[],
): Promise<DaySum[]> {
  let sums = sumDays([], days);
  for (let from = 0; from < groups.length; from += groupsAtOnce) {
    sums = addSums(sums, sumDays(groups.slice(from, from + groupsAtOnce), days));
    await yieldToEventLoop();
  }
  return sums;
}

function addSums(sums: readonly DaySum[], others: readonly DaySum[]): DaySum[] {
  return sums.map(({ day, valueCents, costCents }, index) => ({
    day,
    valueCents: valueCents + (others[index]?.valueCents ?? 0),
    costCents: costCents + (others[index]?.costCents ?? 0),
  }));
}

/**
 * Money that went into lots and came out of them. Units whose sale is dated before the purchase
 * came and went then.
 */
function flowsOf(groups: readonly PositionGroup[]): Flow[] {
  const flows: Flow[] = [];
  for (const { positions } of groups) {
    for (const { isDated, boughtOn, quantity, priceCents, exits } of positions) {
      if (!isDated) continue;
      let units = quantity;
      for (const exit of exits) {
        flows.push({ day: exit.day, cents: -exit.netCents });
        if (exit.day >= boughtOn) continue;
        flows.push({ day: exit.day, cents: exit.quantity * priceCents });
        units -= exit.quantity;
      }
      flows.push({ day: boughtOn, cents: units * priceCents });
    }
  }
  return flows;
}
