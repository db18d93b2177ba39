/** Recomputes a published value and its months, and compares them. Pure. */

import type { Month } from '../../kernel/time.ts';
import type { ConditionEvidence, Evidence } from '../evidence/evidence.ts';
import type { HistoryState, MonthOrigin, MonthPoint, Series } from '../history/history.ts';
import { knownBeforeOf } from '../history/months.ts';
import type { ItemInputs } from '../published/publishing.ts';
import { type Condition, conditions } from '../source-rows/source-rows.ts';
import type { Estimator, MonthValuation, PreparedSet, Value } from './estimator.ts';
import { minifigFacts, minifigToValue, setFacts, setToValue } from './valuation-inputs.ts';

/**
 * `inputs_changed`: rows or facts were corrected or added since. `differs`: another value from the
 * same inputs, which is a bug.
 */
export type VerifyOutcome = 'matches' | 'inputs_changed' | 'differs';

export interface VerifiedMonth {
  readonly condition: Condition;
  readonly month: Month;
}

export interface Verification {
  readonly value: VerifyOutcome;
  readonly months: {
    readonly checked: number;
    readonly matches: number;
    readonly inputsChanged: readonly VerifiedMonth[];
    readonly differs: readonly VerifiedMonth[];
  };
}

/** The inputs must be those at the time of the evidence; null: not published. */
export function verifyItem(
  inputs: ItemInputs,
  estimator: Estimator,
  history: HistoryState,
): Verification | null {
  const { evidence } = inputs;
  if (evidence === null) return null;
  if (inputs.kind === 'minifig') {
    const prepared = estimator.prepareMinifig(minifigToValue(inputs, minifigFacts(inputs)));
    return {
      value: compareValues(evidence, prepared.valueAt(evidence.at).evidence),
      months: noMonths,
    };
  }
  const prepared = estimator.prepareSet(setToValue(inputs, setFacts(inputs)));
  const months = conditions.flatMap((condition) =>
    verifyMonths(prepared, condition, { series: inputs.series[condition], history }),
  );
  const monthsWith = (outcome: VerifyOutcome) =>
    months
      .filter((month) => month.outcome === outcome)
      .map(({ condition, month }) => ({ condition, month }));
  return {
    value: compareValues(evidence, prepared.valueAt(evidence.at).evidence),
    months: {
      checked: months.length,
      matches: monthsWith('matches').length,
      inputsChanged: monthsWith('inputs_changed'),
      differs: monthsWith('differs'),
    },
  };
}

const noMonths = { checked: 0, matches: 0, inputsChanged: [], differs: [] };

function compareValues(before: Evidence, now: Evidence): VerifyOutcome {
  if (before.inputHash !== now.inputHash) return 'inputs_changed';
  const isSame =
    before.tier === now.tier &&
    isSameValue(before.sealed, now.sealed) &&
    isSameValue(before.used, now.used);
  return isSame ? 'matches' : 'differs';
}

function isSameValue(a: ConditionEvidence | null, b: ConditionEvidence | null): boolean {
  return (
    a?.valueCents === b?.valueCents && a?.lowCents === b?.lowCents && a?.highCents === b?.highCents
  );
}

interface MonthOutcome extends VerifiedMonth {
  readonly outcome: VerifyOutcome;
}

function verifyMonths(
  set: PreparedSet,
  condition: Condition,
  stored: { readonly series: Series | null; readonly history: HistoryState },
): MonthOutcome[] {
  const { series } = stored;
  if (series === null) return [];
  const history = historyOf(series, stored.history);
  const queries = series.points.map((_, index) => {
    const month = series.firstMonth + index;
    return { month, knownBefore: knownBeforeOf(history, month) };
  });
  const valuations = set.months(condition, queries);
  return series.points.flatMap((point, index) => {
    const [valuation, made] = [valuations[index], series.provenance[index]];
    if (!valuation || !made) return [];
    const compared = isSameMonth(point, valuation) ? 'matches' : 'differs';
    const outcome = hasOtherInputs(made, valuation) ? 'inputs_changed' : compared;
    return [{ condition, month: series.firstMonth + index, outcome }];
  });
}

function hasOtherInputs(made: MonthOrigin, { isUnsold, provenance }: MonthValuation): boolean {
  return made === 'unsold' ? !isUnsold : made.inputHash !== provenance.inputHash;
}

/** History when the series was made, without later restatements. */
function historyOf(series: Series, history: HistoryState): HistoryState {
  const restatements = history.restatements.filter(({ id }) => id <= series.revision);
  return { ...history, restatements };
}

function isSameMonth(point: MonthPoint, { value, salesCount }: MonthValuation): boolean {
  const cents = (of: keyof Value) => value?.[of] ?? null;
  return (
    point.valueCents === cents('valueCents') &&
    point.lowCents === cents('lowCents') &&
    point.highCents === cents('highCents') &&
    point.salesCount === salesCount
  );
}
