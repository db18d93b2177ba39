/** From what is believed to values and ranges in cents. */
import type { Value } from '../../domain/market/estimator.ts';
import type { DataTier } from '../../domain/market/evidence.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import type { Fold } from './fold.ts';
import { groupNames, type Quantiles, quantilesOf, supportOf } from './range.ts';

/** A value with the spreads that its range is made from (logarithms). */
export interface ValuedCondition {
  readonly value: Value;
  readonly valueSpread: number;
  readonly saleSpread: number;
  /** Those of past errors, in spreads of both. */
  readonly quantiles: Quantiles;
}

/** Both conditions; null where nothing is known. */
export type Valued = Readonly<Record<Condition, ValuedCondition | null>>;

/** Used ones are hardly ever worth more than new ones; few sales do not prove that they are. */
const usedOverNewMax = Math.log(1.05);
const provenSales = 3;

/** The values at the moment that the fold has reached. */
export function valuesOf(fold: Fold): Valued {
  const lead = fold.estimate(fold.subject.lead);
  if (lead === null) return { sealed: null, used: null };
  const sealed = fold.estimate('sealed');
  const used = fold.estimate('used');
  const isProven = fold.tracks.used.supportAt(fold.at) >= provenSales;
  const top = sealed && fold.subject.kind === 'set' && !isProven ? sealed.log + usedOverNewMax : 99;
  return {
    sealed: sealed && valueCondition(fold, 'sealed', sealed),
    used: used && valueCondition(fold, 'used', { ...used, log: Math.min(used.log, top) }),
  };
}

/**
 * A modeled value whose range is wider than this factor, high over low, is no value: nobody could
 * act on it. Real prices decided it (docs/valuation.md).
 */
export const actionableFactor = 6;

/** The values that are shown: modeled ones only where somebody could act on them. */
export function actionable(values: Valued, tier: DataTier): Valued {
  if (tier !== 'modeled') return values;
  return { sealed: orNothing(values.sealed), used: orNothing(values.used) };
}

function orNothing(valued: ValuedCondition | null): ValuedCondition | null {
  if (valued === null) return null;
  const { lowCents, highCents } = valued.value;
  return highCents > actionableFactor * lowCents ? null : valued;
}

function valueCondition(
  fold: Fold,
  condition: Condition,
  estimate: { readonly log: number; readonly variance: number },
): ValuedCondition {
  const track = fold.tracks[condition];
  const group = fold.wasSold ? supportOf(track.supportAt(fold.at)) : 'never';
  const names = groupNames(fold.subject.kind, condition, group);
  const quantiles = quantilesOf(fold.inForce.parameters.ranges, names);
  const { low, high } = quantiles;
  const spread = Math.sqrt(estimate.variance + track.variance);
  return {
    value: toValue(estimate.log, estimate.log + low * spread, estimate.log + high * spread),
    valueSpread: Math.sqrt(estimate.variance),
    saleSpread: Math.sqrt(track.variance),
    quantiles,
  };
}

/** More than any item was ever worth, and what a stored month can hold. */
const valueCentsMax = 2_000_000_000;

/** Cents from logarithms, rounded so that low ≤ value ≤ high holds whatever the rounding does. */
export function toValue(log: number, low: number, high: number): Value {
  const cents = (of: number) => Math.min(valueCentsMax, Math.max(1, Math.round(Math.exp(of))));
  const valueCents = cents(log);
  return {
    valueCents,
    lowCents: Math.min(valueCents, cents(low)),
    highCents: Math.max(valueCents, cents(high)),
  };
}
