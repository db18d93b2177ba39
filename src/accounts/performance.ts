/** How an account's holdings did over a period: returns, realised and unrealised gain. */

import { dayOf } from '../domain/kernel/time.ts';
import type { SaleResult } from '../domain/portfolio/ledger-store.ts';
import { everyDay, type Period } from '../domain/portfolio/periods.ts';
import { type Flow, moneyWeightedReturn, timeWeightedReturn } from '../domain/portfolio/returns.ts';
import { type DaySum, type Position, sumDays } from '../domain/portfolio/value-history.ts';
import { type PositionGroup, readPositions } from './analytics.ts';
import type { PortfolioData } from './portfolio-data.ts';

/** How the holdings did over a period. */
export interface Performance {
  readonly period: Period;
  /** What a dollar that was there all along made, as a ratio; null when nothing was at stake. */
  readonly timeWeightedReturn: number | null;
  /** The yearly rate that explains the money put in and taken out (XIRR), as a ratio. */
  readonly moneyWeightedReturn: number | null;
  /** Profit of the sales recorded in the period, also of those whose cost was given. */
  readonly realizedGainCents: number;
  /** Value less cost of what is held now, and how much of it came about in the period. */
  readonly unrealizedGainCents: number;
  readonly unrealizedChangeCents: number;
}

/** The performance over a period that ends at an instant. */
export async function readPerformance(
  portfolio: PortfolioData,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Performance> {
  const groups = await readPositions(portfolio, accountId);
  return performanceOf(groups, await portfolio.accounts.listSaleResults(accountId), when);
}

/** The performance of lots and sales that were read before. */
export function performanceOf(
  groups: readonly PositionGroup[],
  sales: readonly SaleResult[],
  when: { readonly period: Period; readonly at: number },
): Performance {
  const days = everyDay(when.period, dayOf(when.at));
  const sums = sumDays(groups.map(withoutCliff), days);
  const sold = sales
    .filter((sale) => sale.isFromLots)
    .map(({ day, netCents }) => ({ day, cents: -netCents }));
  const bought = groups.flatMap(({ positions }) => positions.flatMap(purchasesOf));
  const flows = [...bought, ...sold];
  const gain = (sum: DaySum | undefined) => (sum ? sum.valueCents - sum.costCents : 0);
  const start = days[0] ?? 0;
  return {
    period: when.period,
    timeWeightedReturn: timeWeightedReturn(sums, flows),
    moneyWeightedReturn: moneyWeightedReturn(sums, flows),
    realizedGainCents: sales
      .filter((sale) => sale.day > start)
      .reduce((sum, sale) => sum + sale.profitCents, 0),
    unrealizedGainCents: gain(sums.at(-1)),
    unrealizedChangeCents: gain(sums.at(-1)) - gain(sums[0]),
  };
}

/**
 * A set would seem to have gained all it is worth on the day on which it was first valued. Nothing
 * is known of it before, so no return is claimed for that time: it counts as worth the same.
 */
function withoutCliff(holdings: PositionGroup): PositionGroup {
  const { early = [], months, liveCents } = holdings.history;
  const firstMonth = months?.valueCents.find((cents) => cents !== null);
  const cents = early[0]?.cents ?? firstMonth ?? liveCents;
  if (cents === null) return holdings;
  return { ...holdings, history: { early: [{ day: 0, cents }, ...early], months, liveCents } };
}

/** Money that went into a lot. Units whose sale is dated before the purchase came and went then. */
function purchasesOf({ boughtOn, quantity, priceCents, exits }: Position): Flow[] {
  const early = exits.filter((exit) => exit.day < boughtOn);
  const later = early.reduce((left, exit) => left - exit.quantity, quantity);
  return [
    ...early.map((exit) => ({ day: exit.day, cents: exit.quantity * priceCents })),
    { day: boughtOn, cents: later * priceCents },
  ];
}
