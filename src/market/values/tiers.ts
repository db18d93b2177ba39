/** The rules for data tiers, and the tier of each of an item's values. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { dayMs } from '../../kernel/time.ts';
import {
  type ConditionEvidence,
  type DataTier,
  type Evidence,
  leadCondition,
} from '../evidence/evidence.ts';
import type { Condition } from '../source-rows/source-rows.ts';

/** The least effective sales in a number of days, and the most uncertainty (log scale). */
export const tierRules = {
  high: { sales: 10, days: 90, spread: 0.06 },
  medium: { sales: 3, days: 180, spread: 0.12 },
  low: { spread: 0.35 },
} as const;

/** A tier is lost after its requirements were not met for this long. */
export const tierGraceMs = 7 * dayMs;

export interface UnitTiers {
  readonly newTier: DataTier | null;
  readonly usedTier: DataTier | null;
}

/** The published tier is that of the leading condition; the other one depends on its own sales. */
export function unitTiers(kind: ItemKind, evidence: Evidence): UnitTiers {
  return leadCondition(kind, evidence) === 'sealed'
    ? { newTier: evidence.tier, usedTier: conditionTier(evidence.used) }
    : { newTier: conditionTier(evidence.sealed), usedTier: evidence.tier };
}

/**
 * The value of a condition without sales is derived from the other condition: `modeled`. Evidence
 * that is shared has the tier of sealed bags, which says nothing about used minifigs.
 */
export function tierIn(evidence: Evidence, condition: Condition): DataTier {
  const found = evidence[condition];
  if (!found?.sales.ever) return 'modeled';
  return evidence.sharedWith && condition === 'used' ? conditionTier(found) : evidence.tier;
}

function conditionTier(evidence: ConditionEvidence | null): DataTier {
  if (evidence === null) return 'modeled';
  const { valueSpread, sales, effectiveSales = sales } = evidence;
  const { high, medium, low } = tierRules;
  if (valueSpread <= high.spread && effectiveSales.days90 >= high.sales) return 'high';
  if (valueSpread <= medium.spread && effectiveSales.days180 >= medium.sales) return 'medium';
  return valueSpread <= low.spread && sales.ever > 0 ? 'low' : 'modeled';
}
