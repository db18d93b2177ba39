/** Value and cost of an account's holdings over time. */
import type { ItemKind, ItemRef } from '../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { dayOf } from '../../kernel/time.ts';
import { type Grade, type GradeShare, gradeShare } from '../../market/grades/grades.ts';
import { gradedHistory, type UnitHistory } from '../../market/history/daily-values.ts';
import type { ListedItem } from '../../market/published/published-records.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import {
  extremesOf,
  type HoldingsTotal,
  type ItemGain,
  totalOf,
  unitValueCents,
  type ValuedStake,
} from '../lots/holdings.ts';
import { unitsLeft } from './breakdown.ts';
import { readEffects } from './grade-effects.work.ts';
import { type Period, pointDays } from './periods.ts';
import type { PortfolioData } from './portfolio-data.work.ts';
import { type DaySum, type GradedPosition, type Position, sumDays } from './value-history.ts';

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

interface GroupName extends ItemRef {
  readonly condition: Condition;
  readonly grade: Grade | null;
}

/** The lots of one set in one condition and grade, which have the same value over time. */
export interface PositionGroup extends GroupName {
  readonly share: GradeShare;
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

/** The lots must be sorted by item, condition and grade. */
async function groupPositions(
  market: PortfolioData['market'],
  kind: ItemKind,
  positions: readonly GradedPosition[],
): Promise<PositionGroup[]> {
  const groups: (GroupName & { positions: Position[] })[] = [];
  for (const position of positions) {
    const { key, condition, grade } = position;
    const last = groups.at(-1);
    const isSame = last?.key === key && last.condition === condition && last.grade === grade;
    if (isSame) last.positions.push(position);
    else groups.push({ kind, key, condition, grade, positions: [position] });
  }
  const effects = await readEffects(market, groups);
  const values = await market.findItemValues(
    kind,
    groups.map(({ key }) => key),
  );
  return groups.map((group, index) => {
    const share = gradeShare(group.grade, effects);
    const history = {
      early: values[index]?.early[group.condition] ?? [],
      months: values[index]?.months[group.condition] ?? null,
      liveCents: null,
    };
    const liveCents = unitValueCents(values[index], group.condition, share);
    return { ...group, share, history: { ...gradedHistory(history, share), liveCents } };
  });
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
