/** Value and cost of an account's holdings over time. */
import type { ItemKind, ItemRef } from '../domain/catalog/numbers.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { dayOf } from '../domain/kernel/time.ts';
import type { UnitHistory } from '../domain/market/daily-values.ts';
import type { ListedItem } from '../domain/market/published-records.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import { unitsLeft } from '../domain/portfolio/breakdown.ts';
import {
  extremesOf,
  type HoldingsTotal,
  type ItemGain,
  totalOf,
  unitValueCents,
  type ValuedStake,
} from '../domain/portfolio/holdings.ts';
import { type Period, pointDays } from '../domain/portfolio/periods.ts';
import { type DaySum, type Position, sumDays } from '../domain/portfolio/value-history.ts';
import type { PortfolioData } from './portfolio-data.ts';

export interface Analytics {
  readonly total: HoldingsTotal;
  readonly gainer: ItemGain | null;
  readonly loser: ItemGain | null;
  /** The last one is today and equals the total. */
  readonly points: readonly DaySum[];
  /** The top gainers and losers, by lookup key. */
  readonly sets: ReadonlyMap<string, ListedItem>;
}

/** Of sets, for a period that ends at `at`. */
export async function readAnalytics(
  portfolio: PortfolioData,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  return analyticsOf(portfolio, await readPositions(portfolio, accountId, ['set']), when);
}

/** From lots of sets that were already read. */
export async function analyticsOf(
  { market }: PortfolioData,
  groups: readonly PositionGroup[],
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  const stakes = stakesOf(groups);
  const extremes = extremesOf(stakes);
  const named = [extremes.gainer, extremes.loser].flatMap((gain) => gain?.key ?? []);
  return {
    total: totalOf(stakes),
    ...extremes,
    points: sumDays(groups, pointDays(when.period, dayOf(when.at))),
    sets: await market.findListedItems('set', named),
  };
}

/** The lots of one item in one condition, which have the same value over time. */
export interface PositionGroup extends ItemRef {
  readonly condition: Condition;
  readonly history: UnitHistory;
  readonly positions: readonly Position[];
}

/** Lots per read, approximately; other requests are answered in between. */
const lotsAtOnce = 10_000;

/** All lots of an account of some kinds, by item and condition, with their values. */
export async function readPositions(
  portfolio: PortfolioData,
  accountId: number,
  kinds: readonly ItemKind[],
): Promise<PositionGroup[]> {
  const groups: PositionGroup[] = [];
  for (const kind of kinds) await addPositions(portfolio, accountId, { kind, groups });
  return groups;
}

async function addPositions(
  { accounts, market }: PortfolioData,
  accountId: number,
  { kind, groups }: { readonly kind: ItemKind; readonly groups: PositionGroup[] },
): Promise<void> {
  for (let after = ''; ; ) {
    const part = await accounts.listPositions(accountId, { kind, after, limit: lotsAtOnce });
    for (const group of await groupPositions(market, kind, part)) groups.push(group);
    await yieldToEventLoop();
    if (part.length < lotsAtOnce) return;
    after = groups.at(-1)?.key ?? '';
  }
}

/** The lots must be sorted by item and condition. */
async function groupPositions(
  market: PortfolioData['market'],
  kind: ItemKind,
  positions: readonly Position[],
): Promise<PositionGroup[]> {
  const groups: (ItemRef & { condition: Condition; positions: Position[] })[] = [];
  for (const position of positions) {
    const { key, condition } = position;
    const last = groups.at(-1);
    if (last?.key === key && last.condition === condition) last.positions.push(position);
    else groups.push({ kind, key, condition, positions: [position] });
  }
  const values = await market.findItemValues(
    kind,
    groups.map(({ key }) => key),
  );
  return groups.map((group, index) => ({
    ...group,
    history: {
      early: values[index]?.early[group.condition] ?? [],
      months: values[index]?.months[group.condition] ?? null,
      liveCents: unitValueCents(values[index], group.condition),
    },
  }));
}

/** The units left of the lots, by item and condition. */
export function stakesOf(groups: readonly PositionGroup[]): ValuedStake[] {
  return groups.flatMap(stakeOf);
}

/** Empty if they are sold out. */
function stakeOf({ kind, key, condition, history, positions }: PositionGroup): ValuedStake[] {
  let units = 0;
  let costCents = 0;
  for (const position of positions) {
    const left = unitsLeft(position);
    units += left;
    costCents += left * position.priceCents;
  }
  if (units === 0) return [];
  return [{ kind, key, condition, units, costCents, unitCents: history.liveCents }];
}
