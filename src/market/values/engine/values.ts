/** Converts the state of a fold to values and ranges in cents. */

import type { DataTier } from '../../evidence/evidence.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import type { Value } from '../estimator.ts';
import type { Fold } from './fold.ts';
import { groupNames, type Quantiles, quantilesOf, supportOf } from './range.ts';
import type { Doubt } from './sale-track.ts';

/** A value with the components of its range (log). */
export interface ValuedCondition {
  readonly value: Value;
  readonly valueSpread: number;
  readonly saleSpread: number;
  /** In units of the total standard deviation. */
  readonly quantiles: Quantiles;
  readonly doubt: Doubt | null;
}

/** Null if unknown. */
export type Valued = Readonly<Record<Condition, ValuedCondition | null>>;

/** Limit of used over new sets, unless this many recent sales of used ones support more. */
const usedOverNewMax = Math.log(1.05);
const provenSales = 3;

/** At the current instant of the fold, of the conditions that are needed. */
export function valuesOf(fold: Fold, isNeeded = (_: Condition) => true): Valued {
  const sealed = fold.estimate('sealed');
  const used = fold.estimate('used');
  const isProven = fold.tracks.used.supportAt(fold.at) >= provenSales;
  const top = sealed && fold.subject.kind === 'set' && !isProven ? sealed.log + usedOverNewMax : 99;
  const limited = used && { log: Math.min(used.log, top), variance: used.variance };
  return {
    sealed: sealed && isNeeded('sealed') ? valueCondition(fold, 'sealed', sealed) : null,
    used: limited && isNeeded('used') ? valueCondition(fold, 'used', limited) : null,
  };
}

/**
 * Modeled values with a larger expected error are not shown, because they are too uncertain to act
 * on. Chosen on real prices (docs/valuation.md).
 */
export const modeledErrorMax = 0.4;

/**
 * Log of the median error per spread, measured on real prices. A normal distribution has 0.67, but
 * errors have longer tails, and those of a new value and of its ratio partly cancel in used ones.
 */
const medianDeviations: Readonly<Record<Condition, number>> = { sealed: 0.58, used: 0.5 };

/**
 * The median error of values with such a spread, which priors learn from their own errors. If
 * sellers agree on another level, at least half of the way to it.
 */
export function expectedError(
  condition: Condition,
  { valueSpread, value, doubt }: Pick<ValuedCondition, 'valueSpread' | 'value' | 'doubt'>,
): number {
  const halfWay = doubt ? Math.abs(doubt.log - Math.log(value.valueCents)) / 2 : 0;
  return Math.expm1(Math.max(medianDeviations[condition] * valueSpread, halfWay));
}

export function actionable(values: Valued, tier: DataTier): Valued {
  if (tier !== 'modeled') return values;
  const orNothing = (condition: Condition) => {
    const valued = values[condition];
    return valued && expectedError(condition, valued) <= modeledErrorMax ? valued : null;
  };
  return { sealed: orNothing('sealed'), used: orNothing('used') };
}

function valueCondition(
  fold: Fold,
  condition: Condition,
  estimate: { readonly log: number; readonly variance: number },
): ValuedCondition {
  const track = fold.tracks[condition];
  const group = fold.wasSold ? supportOf(track.supportAt(fold.at)) : 'never';
  const motion = fold.motionOf(condition);
  const names = groupNames(fold.subject.kind, condition, { group, motion });
  const quantiles = quantilesOf(fold.inForce.parameters.ranges, names, group);
  const doubt = track.doubtAt(fold.at);
  const spread = Math.sqrt(estimate.variance + track.variance);
  // While another level is doubted, the range covers both.
  const otherLog = doubt?.log ?? estimate.log;
  const low = Math.min(estimate.log, otherLog) + quantiles.low * spread;
  const high = Math.max(estimate.log, otherLog) + quantiles.high * spread;
  return {
    value: toValue(estimate.log, low, high),
    valueSpread: Math.sqrt(estimate.variance),
    saleSpread: Math.sqrt(track.variance),
    quantiles,
    doubt,
  };
}

/** The largest value that a stored month can have. */
const valueCentsMax = 2_000_000_000;

/** Rounds so that low ≤ value ≤ high. */
export function toValue(log: number, low: number, high: number): Value {
  const cents = (of: number) => Math.min(valueCentsMax, Math.max(1, Math.round(Math.exp(of))));
  const valueCents = cents(log);
  return {
    valueCents,
    lowCents: Math.min(valueCents, cents(low)),
    highCents: Math.max(valueCents, cents(high)),
  };
}
