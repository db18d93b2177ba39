/** The composition of a portfolio by theme, gaps in its data, and its largest movers. */

import { compareText, type ItemRef, refText } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import { percentOf } from '../../kernel/money.ts';
import { sumOf } from '../../kernel/sum.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import {
  fillDailyValues,
  firstValueDay,
  type UnitHistory,
} from '../../market/history/daily-values.ts';
import { type Gain, gainOf, heldValueCents } from '../lots/holdings.ts';
import type { Position } from './value-history.ts';

/** The lots of an item in one condition, with facts of the item. */
export interface NamedGroup extends ItemRef {
  readonly theme: string;
  readonly history: UnitHistory;
  /** How well sales support the value; null if there is none. */
  readonly tier: DataTier | null;
  readonly positions: readonly Position[];
}

export function unitsLeft({ quantity, exits }: Position): number {
  let left = quantity;
  for (const exit of exits) left -= exit.quantity;
  return left;
}

export interface ThemeShare extends Gain {
  readonly theme: string;
}

/** Held units by theme, largest value first. Units without a value count at cost. */
export function themeShares(groups: readonly NamedGroup[]): ThemeShare[] {
  const sums = new Map<string, { costCents: number; valueCents: number }>();
  for (const { theme, history, positions } of groups) {
    const sum = sums.get(theme) ?? { costCents: 0, valueCents: 0 };
    for (const position of positions) {
      const units = unitsLeft(position);
      const costCents = units * position.priceCents;
      sum.costCents += costCents;
      sum.valueCents += heldValueCents({ unitCents: history.liveCents, units, costCents });
    }
    sums.set(theme, sum);
  }
  return [...sums]
    .map(([theme, sum]) => ({ theme, ...gainOf(sum.costCents, sum.valueCents) }))
    .filter(({ valueCents }) => valueCents > 0)
    .sort((a, b) => b.valueCents - a.valueCents || compareText(a.theme, b.theme));
}

export function sumOfShares(shares: readonly ThemeShare[]): Gain {
  const costCents = sumOf(shares, (share) => share.costCents);
  const valueCents = sumOf(shares, (share) => share.valueCents);
  return gainOf(costCents, valueCents);
}

/** The number of held lots with missing or estimated data. */
export function countGaps(groups: readonly NamedGroup[]): {
  readonly notValued: number;
  readonly estimatedValue: number;
  readonly estimatedCost: number;
} {
  const gaps = { notValued: 0, estimatedValue: 0, estimatedCost: 0 };
  for (const { tier, positions } of groups) {
    const lots = positions.filter((position) => unitsLeft(position) > 0);
    if (tier === null) gaps.notValued += lots.length;
    if (tier === 'modeled') gaps.estimatedValue += lots.length;
    gaps.estimatedCost += lots.filter(({ isEstimated }) => isEstimated).length;
  }
  return gaps;
}

/** The shares of the held value and of its cost that are estimates, from 0 to 1. */
export function estimatedShares(groups: readonly NamedGroup[]): {
  readonly value: number;
  readonly cost: number;
} {
  const sums = { value: 0, cost: 0, estimatedValue: 0, estimatedCost: 0 };
  for (const { tier, history, positions } of groups) {
    for (const position of positions) {
      const units = unitsLeft(position);
      const costCents = units * position.priceCents;
      const valueCents = history.liveCents === null ? costCents : units * history.liveCents;
      sums.value += valueCents;
      sums.cost += costCents;
      if (tier === null || tier === 'modeled') sums.estimatedValue += valueCents;
      if (position.isEstimated) sums.estimatedCost += costCents;
    }
  }
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  return {
    value: share(sums.estimatedValue, sums.value),
    cost: share(sums.estimatedCost, sums.cost),
  };
}

/** The change in value of an item's held units. */
export interface Mover extends ItemRef {
  readonly units: number;
  readonly valueCents: number;
  readonly changeCents: number;
  /** In percent of the earlier value. */
  readonly changePct: number;
}

/**
 * The items with the largest gains and losses in dollars since a day. Units bought since then count
 * from their day of purchase at their value on that day, not at cost. Modeled values are excluded.
 */
export function moversOf(
  groups: readonly NamedGroup[],
  {
    since,
    today,
    count,
  }: { readonly since: number; readonly today: number; readonly count: number },
): { readonly best: readonly Mover[]; readonly worst: readonly Mover[] } {
  const sums = new Map<
    string,
    ItemRef & { units: number; valueCents: number; beforeCents: number }
  >();
  const grid = Int32Array.of(since, today);
  const unit = new Float64Array(2);
  for (const { kind, key, tier, history, positions } of groups) {
    if (tier === null || tier === 'modeled' || history.liveCents === null) continue;
    const name = refText({ kind, key });
    const sum = sums.get(name) ?? { kind, key, units: 0, valueCents: 0, beforeCents: 0 };
    const valuedFrom = firstValueDay(history, today);
    let filledFor: number | null = null;
    for (const position of positions) {
      const units = unitsLeft(position);
      const from = Math.min(Math.max(since, position.boughtOn, valuedFrom), today);
      // Most lots were bought earlier and share the same starting value.
      if (filledFor !== from) {
        grid[0] = from;
        fillDailyValues(unit, history, grid);
        filledFor = from;
      }
      sum.units += units;
      sum.valueCents += units * history.liveCents;
      sum.beforeCents += units * at(unit, 0);
    }
    sums.set(name, sum);
  }
  const movers = [...sums.values()].map(({ beforeCents, ...sum }): Mover => {
    const changeCents = sum.valueCents - beforeCents;
    const changePct = percentOf(changeCents, beforeCents);
    return { ...sum, changeCents, changePct };
  });
  movers.sort((a, b) => b.changeCents - a.changeCents || compareText(a.key, b.key));
  return {
    best: movers.filter(({ changeCents }) => changeCents > 0).slice(0, count),
    worst: movers
      .filter(({ changeCents }) => changeCents < 0)
      .slice(-count)
      .reverse(),
  };
}
