/** Value and cost of an account's holdings over time. */

import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { dayOf } from '../domain/kernel/time.ts';
import type { UnitHistory } from '../domain/market/daily-values.ts';
import type { ListedSet } from '../domain/market/market-reading.ts';
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

/** What is held now, and the way there. */
export interface Analytics {
  readonly total: HoldingsTotal;
  readonly gainer: SetGain | null;
  readonly loser: SetGain | null;
  /** The last one is today and equals the total. */
  readonly points: readonly DaySum[];
  /** The sets that gained and lost most, by lookup key. */
  readonly sets: ReadonlyMap<string, ListedSet>;
}

/** Analytics of a period that ends at an instant. */
export async function readAnalytics(
  portfolio: PortfolioData,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  return analyticsOf(portfolio, await readPositions(portfolio, accountId), when);
}

/** Analytics of lots that were read before. */
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

/** The lots of one set in one condition: their value over time is the same. */
export interface PositionGroup {
  readonly setKey: string;
  readonly condition: Condition;
  readonly history: UnitHistory;
  readonly positions: readonly Position[];
}

/** Lots that are read at once, more or less: others have their turn in between. */
const lotsAtOnce = 10_000;

/** All lots of an account by set and condition, each with what is known of its value. */
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

/** Groups lots, which come in order of set and condition. */
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

/** What is left of lots, by set and condition. */
export function stakesOf(groups: readonly PositionGroup[]): ValuedStake[] {
  return groups.flatMap(stakeOf);
}

/** What is left of the lots of a group; nothing when they are sold out. */
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
