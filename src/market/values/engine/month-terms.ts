/** Drift of an item in a month, which follows from the frozen parameters. */
import { dayMs, type Month, monthStart } from '../../../kernel/time.ts';
import type { NamedParameters } from './parameter-timeline.ts';
import type { Subject } from './subject.ts';

export interface MonthTerms {
  readonly month: Month;
  readonly end: number;
  /** Drift of value and ratio (log per millisecond); computed once, when it is needed. */
  drift(): Drift;
}

export interface Drift {
  readonly value: number;
  readonly ratio: number;
}

const driftMax = 0.0015 / dayMs;

/** The value drifts as the item's prior changes over the month, within bounds. */
export function monthTerms(subject: Subject, named: NamedParameters, month: Month): MonthTerms {
  const end = monthStart(month + 1);
  let drift: Drift | null = null;
  return {
    month,
    end,
    drift: () => {
      drift ??= driftBetween(subject, named, { start: monthStart(month), end });
      return drift;
    },
  };
}

function driftBetween(
  subject: Subject,
  { parameters }: NamedParameters,
  { start, end }: { readonly start: number; readonly end: number },
): Drift {
  const drift = subject.priorChange(parameters, start, end) / (end - start);
  const ratio = (at: number) => subject.ratio(parameters, at).log;
  return {
    value: Math.max(-driftMax, Math.min(driftMax, drift)),
    ratio: (ratio(end) - ratio(start)) / (end - start),
  };
}
