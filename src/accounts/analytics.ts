/** Value and cost of an account's holdings over time, and the returns that follow from them. */
import {
  extremesOf,
  type HoldingsTotal,
  type ListedSets,
  type SetGain,
  totalOf,
  unitValueCents,
} from '../domain/holdings.ts';
import type { MarketReading } from '../domain/market-store.ts';
import { everyDay, type Period, pointDays } from '../domain/periods.ts';
import { moneyWeightedReturn, timeWeightedReturn } from '../domain/returns.ts';
import { dayOf } from '../domain/time.ts';
import { type DaySum, type Position, sumDays, type ValueLine } from '../domain/value-history.ts';
import { listedSets, type Sources } from './collection.ts';

/** Months that a year of points needs: its own, the one before it, and two not final yet. */
const monthsNeeded = 14;

/** What is held now, and the way there. */
export interface Analytics {
  readonly total: HoldingsTotal;
  readonly gainer: SetGain | null;
  readonly loser: SetGain | null;
  /** The last one is today and equals the total. */
  readonly points: readonly DaySum[];
  readonly sets: ListedSets;
}

/** Analytics of a period that ends at an instant. */
export async function readAnalytics(
  { accounts, market }: Sources,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  const { stakes, positions } = await accounts.findLotHistory(accountId);
  const sets = await listedSets(market, positions);
  const holdings = await valueLines(market, positions, sets);
  return {
    total: totalOf(stakes, sets),
    ...extremesOf(stakes, sets),
    points: sumDays(holdings, pointDays(when.period, dayOf(when.at))),
    sets,
  };
}

interface LineHoldings {
  readonly line: ValueLine;
  readonly positions: readonly Position[];
}

/** Positions of one set and condition share their values over time. */
async function valueLines(
  market: MarketReading,
  positions: readonly Position[],
  sets: ListedSets,
): Promise<LineHoldings[]> {
  const groups = [...Map.groupBy(positions, (p) => `${p.condition} ${p.setKey}`).values()];
  const wanted = groups.flatMap((group) => group.slice(0, 1));
  const months = await market.listRecentMonths(wanted, monthsNeeded);
  return wanted.map(({ setKey, condition }, index) => ({
    line: {
      months: months[index] ?? null,
      liveCents: unitValueCents(sets.get(setKey), condition),
    },
    positions: groups[index] ?? [],
  }));
}

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
  { accounts, market }: Sources,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Performance> {
  const { positions } = await accounts.findLotHistory(accountId);
  const sales = await accounts.listSaleResults(accountId);
  const sets = await listedSets(market, positions);
  const days = everyDay(when.period, dayOf(when.at));
  const sums = sumDays(await valueLines(market, positions, sets), days);
  const bought = positions.map(({ boughtOn, quantity, priceCents }) => ({
    day: boughtOn,
    cents: quantity * priceCents,
  }));
  const sold = sales
    .filter((sale) => sale.isFromLots)
    .map(({ day, netCents }) => ({ day, cents: -netCents }));
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
