/** How well sales have to support a value for each tier, and the tier of one condition's value. */

import type { ItemKind } from '../catalog/numbers.ts';
import type { ConditionEvidence, DataTier, Evidence } from './evidence.ts';

/** So many sales in so many days, and a value no more uncertain than this (logarithm). */
export const tierRules = {
  high: { sales: 10, days: 90, spread: 0.06 },
  medium: { sales: 3, days: 180, spread: 0.12 },
  low: { spread: 0.35 },
} as const;

/** The tiers of an item's two values. */
export interface UnitTiers {
  readonly newTier: DataTier | null;
  readonly usedTier: DataTier | null;
}

/**
 * The tiers of both values of an item. The published tier is that of the condition in which its
 * kind is mostly sold; the other value is judged by its own sales.
 */
export function unitTiers(kind: ItemKind, evidence: Evidence): UnitTiers {
  return kind === 'set'
    ? { newTier: evidence.tier, usedTier: conditionTier(evidence.used) }
    : { newTier: conditionTier(evidence.sealed), usedTier: evidence.tier };
}

function conditionTier(evidence: ConditionEvidence | null): DataTier {
  if (evidence === null) return 'modeled';
  const { valueSpread, sales } = evidence;
  const { high, medium, low } = tierRules;
  if (valueSpread <= high.spread && sales.days90 >= high.sales) return 'high';
  if (valueSpread <= medium.spread && sales.days180 >= medium.sales) return 'medium';
  return valueSpread <= low.spread && sales.ever > 0 ? 'low' : 'modeled';
}
