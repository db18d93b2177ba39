/** Current holdings: their cost, value and gain. All amounts in cents. */

import { compareText } from '../catalog/numbers.ts';
import { percentOf } from '../kernel/money.ts';
import type { DataTier } from '../market/evidence.ts';
import type { UnitValues } from '../market/set-values.ts';
import type { Condition } from '../market/source-rows.ts';
import type { UnitTiers } from '../market/tiers.ts';
import type { LotFacts } from './lots.ts';

/** The unsold units of a lot. */
export interface HeldLot extends Omit<LotFacts, 'sourceId' | 'brickfolio' | 'quantity'> {
  readonly id: number;
  readonly brickfolioId: number;
  readonly setKey: string;
  readonly units: number;
}

/** All held units of one set in one condition. */
export interface Stake {
  readonly setKey: string;
  readonly condition: Condition;
  readonly units: number;
  readonly costCents: number;
}

/** A stake with the value of one unit; null if unknown. */
export interface ValuedStake extends Stake {
  readonly unitCents: number | null;
}

export interface Gain {
  readonly costCents: number;
  readonly valueCents: number;
  readonly gainCents: number;
  /** In percent of the cost; 0 if the cost is 0. */
  readonly gainPct: number;
}

export function gainOf(costCents: number, valueCents: number): Gain {
  const gainCents = valueCents - costCents;
  return { costCents, valueCents, gainCents, gainPct: percentOf(gainCents, costCents) };
}

/** Null if unknown. */
export function unitValueCents(
  set: UnitValues | null | undefined,
  condition: Condition,
): number | null {
  return (condition === 'sealed' ? set?.newCents : set?.usedCents) ?? null;
}

/** Null if there is no value. A value without a tier counts as modeled. */
export function valueTier(
  set: (UnitValues & UnitTiers) | null | undefined,
  condition: Condition,
): DataTier | null {
  if (unitValueCents(set, condition) === null) return null;
  return (condition === 'sealed' ? set?.newTier : set?.usedTier) ?? 'modeled';
}

/** Stakes without a value count at cost. */
function stakeValueCents({ unitCents, units, costCents }: ValuedStake): number {
  return unitCents === null ? costCents : unitCents * units;
}

export interface HoldingsTotal extends Gain {
  /** Distinct sets. */
  readonly setCount: number;
  /** Units. */
  readonly itemCount: number;
}

export function totalOf(stakes: readonly ValuedStake[]): HoldingsTotal {
  let costCents = 0;
  let valueCents = 0;
  let itemCount = 0;
  for (const stake of stakes) {
    costCents += stake.costCents;
    valueCents += stakeValueCents(stake);
    itemCount += stake.units;
  }
  const setCount = new Set(stakes.map((stake) => stake.setKey)).size;
  return { setCount, itemCount, ...gainOf(costCents, valueCents) };
}

/** The gain of a set since purchase. */
export interface SetGain {
  readonly setKey: string;
  readonly gain: Gain;
}

/** The largest gain and loss in percent; null if there is none. */
export function extremesOf(stakes: readonly ValuedStake[]): {
  readonly gainer: SetGain | null;
  readonly loser: SetGain | null;
} {
  let gainer: SetGain | null = null;
  let loser: SetGain | null = null;
  for (const gain of gainsBySet(stakes)) {
    const { gainPct } = gain.gain;
    if (gainPct > 0 && (!gainer || outranks(gain, gainer))) gainer = gain;
    if (gainPct < 0 && (!loser || outranks(gain, loser))) loser = gain;
  }
  return { gainer, loser };
}

function gainsBySet(stakes: readonly ValuedStake[]): SetGain[] {
  const sums = new Map<string, { costCents: number; valueCents: number }>();
  for (const stake of stakes) {
    const sum = sums.get(stake.setKey) ?? { costCents: 0, valueCents: 0 };
    sum.costCents += stake.costCents;
    sum.valueCents += stakeValueCents(stake);
    sums.set(stake.setKey, sum);
  }
  return [...sums].map(([setKey, sum]) => ({
    setKey,
    gain: gainOf(sum.costCents, sum.valueCents),
  }));
}

/** Whether a gain or loss is larger: in percent, then in amount, then by set key. */
function outranks(a: SetGain, b: SetGain): boolean {
  const percent = ({ gain }: SetGain) => Math.abs(gain.gainCents / gain.costCents);
  const amount = ({ gain }: SetGain) => Math.abs(gain.gainCents);
  const order = percent(a) - percent(b) || amount(a) - amount(b) || compareText(b.setKey, a.setKey);
  return order > 0;
}

/** Rounded to cents. */
export function averageCostCents(held: { readonly units: number; readonly costCents: number }) {
  return Math.round(held.costCents / held.units);
}
