/** Value and cost of an account's holdings over time. */
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { dayOf } from '../domain/kernel/time.ts';
import type { UnitHistory } from '../domain/market/daily-values.ts';
import type { ListedSet } from '../domain/market/published-records.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import { unitsLeft } from '../domain/portfolio/breakdown.ts';
import {
  extremesOf,
  type HoldingsTotal,
  type SetGain,
  totalOf,
  unitValueCents,
  type ValuedStake,
} from '../domain/portfolio/holdings.ts';
import { type Period, pointDays } from '../domain/portfolio/periods.ts';
import { type DaySum, type Position, sumDays } from '../domain/portfolio/value-history.ts';
import type { PortfolioData } from './portfolio-data.ts';

export interface Analytics {
  readonly total: HoldingsTotal;
  readonly gainer: SetGain | null;
  readonly loser: SetGain | null;
  /** The last one is today and equals the total. */
  readonly points: readonly DaySum[];
  /** The top gainers and losers, by lookup key. */
  readonly sets: ReadonlyMap<string, ListedSet>;
}

/** For a period that ends at `at`. */
export async function readAnalytics(
  portfolio: PortfolioData,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  return analyticsOf(portfolio, await readPositions(portfolio, accountId), when);
}

/** From lots that were already read. */
export async function analyticsOf(
  { market }: PortfolioData,
  groups: readonly PositionGroup[],
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  const stakes = stakesOf(groups);
  const extremes = extremesOf(stakes);
  const named = [extremes.gainer, extremes.loser].flatMap((gain) => gain?.setKey ?? []);
  return {
    total: totalOf(stakes),
    ...extremes,
    points: sumDays(groups, pointDays(when.period, dayOf(when.at))),
    sets: await market.findListedSets(named),
  };
}

/** The lots of one set in one condition, which have the same value over time. */
export interface PositionGroup {
  readonly setKey: string;
  readonly condition: Condition;
  readonly history: UnitHistory;
  readonly positions: readonly Position[];
}

/** Lots per read, approximately; other requests are answered in between. */
const lotsAtOnce = 10_000;

/** All lots of an account by set and condition, with their values. */
export async function readPositions(
  { accounts, market }: PortfolioData,
  accountId: number,
): Promise<PositionGroup[]> {
  const groups: PositionGroup[] = [];
  for (;;) {
    const after = groups.at(-1)?.setKey ?? '';
    const part = await accounts.listPositions(accountId, { after, limit: lotsAtOnce });
    for (const group of await groupPositions(market, part)) groups.push(group);
    await yieldToEventLoop();
    if (part.length < lotsAtOnce) return groups;
  }
}

/** The lots must be sorted by set and condition. */
async function groupPositions(
  market: PortfolioData['market'],
  positions: readonly Position[],
): Promise<PositionGroup[]> {
  const groups: { setKey: string; condition: Condition; positions: Position[] }[] = [];
  for (const position of positions) {
    const { setKey, condition } = position;
    const last = groups.at(-1);
    if (last?.setKey === setKey && last.condition === condition) last.positions.push(position);
    else groups.push({ setKey, condition, positions: [position] });
  }
  const values = await market.findSetValues(groups.map(({ setKey }) => setKey));
  return groups.map((group, index) => ({
    ...group,
    history: {
      early: values[index]?.early[group.condition] ?? [],
      months: values[index]?.months[group.condition] ?? null,
      liveCents: unitValueCents(values[index], group.condition),
    },
  }));
}

/** The units left of the lots, by set and condition. */
export function stakesOf(groups: readonly PositionGroup[]): ValuedStake[] {
  return groups.flatMap(stakeOf);
}

/** Empty if they are sold out. */
function stakeOf({ setKey, condition, history, positions }: PositionGroup): ValuedStake[] {
  let units = 0;
  let costCents = 0;
  for (const position of positions) {
    const left = unitsLeft(position);
    units += left;
    costCents += left * position.priceCents;
  }
  return units === 0 ? [] : [{ setKey, condition, units, costCents, unitCents: history.liveCents }];
}
