/** Current holdings: their cost, value and gain. All amounts in cents. */

import {
  compareText,
  distinctKeys,
  type ItemKind,
  type ItemRef,
  refText,
} from '../../catalog/items/numbers.ts';
import { percentOf } from '../../kernel/money.ts';
import type { DaySpan } from '../../kernel/page.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import { type GradeShare, gradedCents } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { UnitValues } from '../../market/values/set-values.ts';
import type { UnitTiers } from '../../market/values/tiers.ts';
import type { HoldingStatus, LotFacts } from './lots.ts';

/** The unsold units of a lot. */
export interface HeldLot extends Omit<LotFacts, 'sourceId' | 'brickfolio' | 'quantity'> {
  readonly id: number;
  readonly brickfolioId: number;
  readonly key: string;
  readonly units: number;
}

/** A held lot with the units that were bought. */
export interface ListedHolding extends HeldLot {
  readonly quantity: number;
}

/** Filters of held lots; null does not filter. */
export interface HoldingFilter {
  readonly kind: ItemKind | null;
  /** Only these items. */
  readonly items: readonly ItemRef[] | null;
  readonly brickfolioId: number | null;
  readonly condition: Condition | null;
  readonly status: HoldingStatus | null;
  /** Of the purchase. */
  readonly span: DaySpan;
}

/** All held units of one item in one condition. */
export interface Stake extends ItemRef {
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

export function unitValueCents(
  set: UnitValues | null | undefined,
  condition: Condition,
  share: GradeShare,
): number | null {
  return gradedCents((condition === 'sealed' ? set?.newCents : set?.usedCents) ?? null, share);
}

/** Null if there is no value. A value without a tier counts as modeled. */
export function valueTier(
  set: (UnitValues & UnitTiers) | null | undefined,
  condition: Condition,
  share: GradeShare,
): DataTier | null {
  if (unitValueCents(set, condition, share) === null) return null;
  if (share.isModeled) return 'modeled';
  return (condition === 'sealed' ? set?.newTier : set?.usedTier) ?? 'modeled';
}

/** The amount of units in every total of their owner. Without a value, it is their cost. */
export function heldValueCents({
  unitCents,
  units,
  costCents,
}: Pick<ValuedStake, 'unitCents' | 'units' | 'costCents'>): number {
  return unitCents === null ? costCents : unitCents * units;
}

export interface HoldingsTotal extends Gain {
  /** Distinct items. */
  readonly distinctCount: number;
  /** Units. */
  readonly itemCount: number;
}

export function totalOf(stakes: readonly ValuedStake[]): HoldingsTotal {
  let costCents = 0;
  let valueCents = 0;
  let itemCount = 0;
  for (const stake of stakes) {
    costCents += stake.costCents;
    valueCents += heldValueCents(stake);
    itemCount += stake.units;
  }
  const { set, minifig } = distinctKeys(stakes);
  const distinctCount = set.size + minifig.size;
  return { distinctCount, itemCount, ...gainOf(costCents, valueCents) };
}

/** The gain of an item since purchase. */
export interface ItemGain extends ItemRef {
  readonly gain: Gain;
}

/** The largest gain and loss in percent; null if there is none. */
export function extremesOf(stakes: readonly ValuedStake[]): {
  readonly gainer: ItemGain | null;
  readonly loser: ItemGain | null;
} {
  let gainer: ItemGain | null = null;
  let loser: ItemGain | null = null;
  for (const gain of gainsByItem(stakes)) {
    const { gainPct } = gain.gain;
    if (gainPct > 0 && (!gainer || outranks(gain, gainer))) gainer = gain;
    if (gainPct < 0 && (!loser || outranks(gain, loser))) loser = gain;
  }
  return { gainer, loser };
}

function gainsByItem(stakes: readonly ValuedStake[]): ItemGain[] {
  const sums = new Map<string, ItemRef & { costCents: number; valueCents: number }>();
  for (const stake of stakes) {
    const { kind, key } = stake;
    const name = refText(stake);
    const sum = sums.get(name) ?? { kind, key, costCents: 0, valueCents: 0 };
    sum.costCents += stake.costCents;
    sum.valueCents += heldValueCents(stake);
    sums.set(name, sum);
  }
  return [...sums.values()].map(({ kind, key, costCents, valueCents }) => ({
    kind,
    key,
    gain: gainOf(costCents, valueCents),
  }));
}

/** Whether a gain or loss is larger: in percent, then in amount, then by key. */
function outranks(a: ItemGain, b: ItemGain): boolean {
  const percent = ({ gain }: ItemGain) => Math.abs(gain.gainCents / gain.costCents);
  const amount = ({ gain }: ItemGain) => Math.abs(gain.gainCents);
  const order = percent(a) - percent(b) || amount(a) - amount(b) || compareText(b.key, a.key);
  return order > 0;
}

/** Rounded to cents. */
export function averageCostCents(held: { readonly units: number; readonly costCents: number }) {
  return Math.round(held.costCents / held.units);
}
