/** Value and cost of an account's holdings over time. */
import {
  extremesOf,
  type HoldingsTotal,
  type SetGain,
  type Stake,
  totalOf,
  unitValueCents,
} from '../domain/holdings.ts';
import { type Condition, conditions } from '../domain/market.ts';
import type { ListedSet } from '../domain/market-store.ts';
import { type Period, pointDays } from '../domain/periods.ts';
import type { SetValues } from '../domain/set-values.ts';
import { dayOf } from '../domain/time.ts';
import { type DaySum, type Position, sumDays, type ValueLine } from '../domain/value-history.ts';
import { keysOf, type Sources } from './collection.ts';

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
  { accounts, market }: Sources,
  accountId: number,
  when: { readonly period: Period; readonly at: number },
): Promise<Analytics> {
  const positions = await accounts.listPositions(accountId);
  const values = await market.findSetValues(keysOf(positions));
  const lines = valueLines(positions, values);
  const stakes = lines.flatMap(stakeOf);
  const extremes = extremesOf(stakes, values);
  const named = [extremes.gainer, extremes.loser].flatMap((gain) => gain?.setKey ?? []);
  return {
    total: totalOf(stakes, values),
    ...extremes,
    points: sumDays(lines, pointDays(when.period, dayOf(when.at))),
    sets: await market.findListedSets(named),
  };
}

/** The lots of one set in one condition: their value over time is the same. */
export interface LineHoldings {
  readonly setKey: string;
  readonly condition: Condition;
  readonly line: ValueLine;
  readonly positions: readonly Position[];
}

/** Lots by set and condition, each with what is known of its value. */
export function valueLines(
  positions: readonly Position[],
  values: ReadonlyMap<string, SetValues>,
): LineHoldings[] {
  const lines: LineHoldings[] = [];
  for (const condition of conditions) {
    const inCondition = positions.filter((position) => position.condition === condition);
    for (const [setKey, group] of Map.groupBy(inCondition, (position) => position.setKey)) {
      const set = values.get(setKey);
      const line = {
        months: set?.months[condition] ?? null,
        liveCents: unitValueCents(set, condition),
      };
      lines.push({ setKey, condition, line, positions: group });
    }
  }
  return lines;
}

/** What is left of a line's lots; nothing when they are sold out. */
function stakeOf({ setKey, condition, positions }: LineHoldings): Stake[] {
  let units = 0;
  let costCents = 0;
  for (const position of positions) {
    const left = position.exits.reduce((sum, exit) => sum - exit.quantity, position.quantity);
    units += left;
    costCents += left * position.priceCents;
  }
  return units === 0 ? [] : [{ setKey, condition, units, costCents }];
}
