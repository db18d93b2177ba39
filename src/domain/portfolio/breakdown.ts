/** What a portfolio is made of: by theme, by how well it is valued, and what moved most. */

import { compareText } from '../catalog/numbers.ts';
import { percentOf } from '../kernel/money.ts';
import { fillDailyValues, type UnitHistory } from '../market/daily-values.ts';
import type { DataTier } from '../market/evidence.ts';
import { type Gain, gainOf } from './holdings.ts';
import type { Position } from './value-history.ts';

/** The lots of a set in one condition, with what is said of the set. */
export interface NamedGroup {
  readonly setKey: string;
  readonly theme: string;
  readonly history: UnitHistory;
  /** How well sales support the value; null when there is none. */
  readonly tier: DataTier | null;
  readonly positions: readonly Position[];
}

/** The units that are left of a lot. */
export function unitsLeft({ quantity, exits }: Position): number {
  let left = quantity;
  for (const exit of exits) left -= exit.quantity;
  return left;
}

/** A theme with what is held of it. */
export interface ThemeShare extends Gain {
  readonly theme: string;
}

/** What is held by theme, the largest value first. Where no value is known, the cost counts. */
export function themeShares(groups: readonly NamedGroup[]): ThemeShare[] {
  const sums = new Map<string, { costCents: number; valueCents: number }>();
  for (const { theme, history, positions } of groups) {
    const sum = sums.get(theme) ?? { costCents: 0, valueCents: 0 };
    for (const position of positions) {
      const units = unitsLeft(position);
      sum.costCents += units * position.priceCents;
      sum.valueCents += units * (history.liveCents ?? position.priceCents);
    }
    sums.set(theme, sum);
  }
  return [...sums]
    .map(([theme, sum]) => ({ theme, ...gainOf(sum.costCents, sum.valueCents) }))
    .filter(({ valueCents }) => valueCents > 0)
    .sort((a, b) => b.valueCents - a.valueCents || compareText(a.theme, b.theme));
}

/** What several themes add up to. */
export function sumOfShares(shares: readonly ThemeShare[]): Gain {
  const add = (pick: (share: ThemeShare) => number) =>
    shares.reduce((sum, share) => sum + pick(share), 0);
  return gainOf(
    add(({ costCents }) => costCents),
    add(({ valueCents }) => valueCents),
  );
}

/** Lots with units left of which something is not known, or is an estimate. */
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

/** A set with how the value of the units held moved. */
export interface Mover {
  readonly setKey: string;
  readonly units: number;
  readonly valueCents: number;
  readonly changeCents: number;
  /** Of what they were worth before. */
  readonly changePct: number;
}

/**
 * The sets that gained and lost most since a day, in dollars of the units that are held: those
 * bought since from the day of their purchase on, so that those bought today have not moved.
 * Estimates say nothing of what moved; what a lot cost does not matter.
 */
export function moversOf(
  groups: readonly NamedGroup[],
  {
    since,
    today,
    count,
  }: { readonly since: number; readonly today: number; readonly count: number },
): { readonly best: readonly Mover[]; readonly worst: readonly Mover[] } {
  const sums = new Map<string, { units: number; valueCents: number; beforeCents: number }>();
  const grid = Int32Array.of(since, today);
  const unit = new Float64Array(2);
  for (const { setKey, tier, history, positions } of groups) {
    if (tier === null || tier === 'modeled' || history.liveCents === null) continue;
    const sum = sums.get(setKey) ?? { units: 0, valueCents: 0, beforeCents: 0 };
    let filledFor: number | null = null;
    for (const position of positions) {
      const units = unitsLeft(position);
      const from = Math.min(Math.max(since, position.boughtOn), today);
      // Most lots were bought before, and have the same value then.
      if (filledFor !== from) {
        grid[0] = from;
        fillDailyValues(unit, history, grid);
        filledFor = from;
      }
      sum.units += units;
      sum.valueCents += units * history.liveCents;
      sum.beforeCents += units * (unit[0] ?? 0);
    }
    sums.set(setKey, sum);
  }
  const movers = [...sums].map(([setKey, { units, valueCents, beforeCents }]): Mover => {
    const changeCents = valueCents - beforeCents;
    const changePct = percentOf(changeCents, beforeCents);
    return { setKey, units, valueCents, changeCents, changePct };
  });
  movers.sort((a, b) => b.changeCents - a.changeCents || compareText(a.setKey, b.setKey));
  return {
    best: movers.filter(({ changeCents }) => changeCents > 0).slice(0, count),
    worst: movers
      .filter(({ changeCents }) => changeCents < 0)
      .slice(-count)
      .reverse(),
  };
}
