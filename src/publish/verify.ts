/** Computes a published value and its months again, and compares. Pure. */

import type { Month } from '../domain/kernel/time.ts';
import type { Estimator, MonthValuation, PreparedSet, Value } from '../domain/market/estimator.ts';
import type { ConditionEvidence, Evidence } from '../domain/market/evidence.ts';
import type { MonthPoint, Series } from '../domain/market/history.ts';
import type { HistoryState } from '../domain/market/history-store.ts';
import type { ItemInputs } from '../domain/market/publishing-store.ts';
import { type Condition, conditions } from '../domain/market/source-rows.ts';
import { knownBeforeOf } from './months.ts';
import { minifigFacts, minifigToValue, setFacts, setToValue } from './valuation-inputs.ts';

/**
 * How a second computation compares: the same; another value because rows or facts were corrected
 * or came in; or another value from the same inputs, which is a bug.
 */
export type VerifyOutcome = 'matches' | 'inputs_changed' | 'differs';

/** Months that an engine of before made from the same inputs: they stay as it made them. */
export interface OlderMonths {
  readonly engine: string;
  readonly months: number;
}

/** A month of which it is not the same any more. */
export interface VerifiedMonth {
  readonly condition: Condition;
  readonly month: Month;
}

/** The outcome for an item. Months of which nobody wrote down their inputs are not checked. */
export interface Verification {
  readonly value: VerifyOutcome;
  readonly months: {
    readonly checked: number;
    readonly unchecked: number;
    readonly matches: number;
    readonly inputsChanged: readonly VerifiedMonth[];
    readonly differs: readonly VerifiedMonth[];
    readonly older: readonly OlderMonths[];
  };
}

/** Verifies an item from the rows at the moment that its evidence speaks of. */
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
  const older = Map.groupBy(months, ({ madeBy }) => madeBy);
  older.delete(null);
  const monthsWith = (outcome: VerifyOutcome) =>
    months
      .filter((month) => month.outcome === outcome)
      .map(({ condition, month }) => ({ condition, month }));
  return {
    value: compareValues(evidence, prepared.valueAt(evidence.at).evidence),
    months: {
      checked: months.filter(({ outcome }) => outcome !== null).length,
      unchecked: months.filter((month) => month.outcome === null && month.madeBy === null).length,
      matches: monthsWith('matches').length,
      inputsChanged: monthsWith('inputs_changed'),
      differs: monthsWith('differs'),
      older: [...older].map(([engine, made]) => ({ engine: engine ?? '', months: made.length })),
    },
  };
}

const noMonths = {
  checked: 0,
  unchecked: 0,
  matches: 0,
  inputsChanged: [],
  differs: [],
  older: [],
};

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
  /** Null where nobody wrote down what the month was made from, or an engine of before made it. */
  readonly outcome: VerifyOutcome | null;
  /** The engine of before that made it from the same inputs; null for none. */
  readonly madeBy: string | null;
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
  const isOther = (valuation: MonthValuation, index: number) => {
    const made = series.provenance[index] ?? null;
    if (made === 'unsold') return !valuation.isUnsold;
    return made?.inputHash !== valuation.provenance.inputHash;
  };
  const makers = valuations.some(isOther) ? olderMakers() : [];
  return valuations.map((valuation, index) => {
    const point = series.points[index];
    const named = { condition, month: series.firstMonth + index, madeBy: null };
    if (point === undefined || !series.provenance[index]) return { ...named, outcome: null };
    const isChanged = isOther(valuation, index);
    const madeBy = isChanged ? (makers[index] ?? null) : null;
    if (madeBy !== null) return { ...named, madeBy, outcome: null };
    const outcome = isSameMonth(point, valuation) ? 'matches' : 'differs';
    return { ...named, outcome: isChanged ? 'inputs_changed' : outcome };
  });

  function olderMakers(): readonly (string | null)[] {
    const stored = queries.map((query, index) => {
      const made = series?.provenance[index] ?? null;
      const inputHash = made === null || made === 'unsold' ? Number.NaN : made.inputHash;
      return { ...query, inputHash };
    });
    return set.olderMakers(stored);
  }
}

/** History as it was when the series was made: later restatements are still to come. */
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
