/** Reads the value of an item from its published record. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import type { SetRecord } from '../../contract/set.ts';
import { toCents, toCentsOrNull } from '../../kernel/money.ts';
import type { DataTier, Evidence } from '../../market/evidence/evidence.ts';
import {
  type Condition,
  conditions,
  usualCondition,
} from '../../market/source-rows/source-rows.ts';
import { tierIn } from '../../market/values/tiers.ts';

export interface Worth {
  readonly kind: ItemKind;
  readonly condition: Condition;
  /** Null if there is none yet. */
  readonly valueCents: number | null;
  readonly range: { readonly lowCents: number; readonly highCents: number } | null;
  readonly tier: DataTier;
}

export function conditionOf(kind: ItemKind, query: URLSearchParams): Condition {
  return conditions.find((each) => each === query.get('condition')) ?? usualCondition(kind);
}

/** The value of a set. The range of used sets is only in the evidence. */
export function setWorth(set: SetRecord, condition: Condition, evidence: Evidence | null): Worth {
  const isSealed = condition === 'sealed';
  return {
    kind: 'set',
    condition,
    valueCents: toCentsOrNull(isSealed ? set.new_value_usd : set.used_value_usd),
    range: isSealed ? rangeOf(set.value_range) : (evidence?.used ?? null),
    tier: evidence ? tierIn(evidence, condition) : set.data_tier,
  };
}

/** The value of a minifig. Value and range of new ones are only in the evidence. */
export function minifigWorth(
  minifig: MinifigRecord,
  condition: Condition,
  evidence: Evidence | null,
): Worth {
  const isUsed = condition === 'used';
  const sealed = evidence?.sealed ?? null;
  return {
    kind: 'minifig',
    condition,
    valueCents: isUsed ? toCentsOrNull(minifig.current_value_usd) : (sealed?.valueCents ?? null),
    range: isUsed ? rangeOf(minifig.value_range) : sealed,
    tier: evidence ? tierIn(evidence, condition) : 'modeled',
  };
}

function rangeOf(range: { readonly low: number; readonly high: number } | null): Worth['range'] {
  const [low, high] = [range && toCents(range.low), range && toCents(range.high)];
  return low === null || high === null ? null : { lowCents: low, highCents: high };
}
