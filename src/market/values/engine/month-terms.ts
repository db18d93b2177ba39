/** Drift of an item in a month, which follows from the frozen parameters. */
import { dayMs, type Month, monthStart } from '../../../kernel/time.ts';
import type { NamedParameters } from './parameter-timeline.ts';
import type { Subject } from './subject.ts';

export interface MonthTerms {
  readonly month: Month;
  readonly end: number;
  /** Drift of value and ratio (log per millisecond). */
  readonly drift: number;
  readonly ratioDrift: number;
}

const driftMax = 0.0015 / dayMs;

/** The value drifts as the item's prior changes over the month, within bounds. */
export function monthTerms(
  subject: Subject,
  { parameters }: NamedParameters,
  month: Month,
): MonthTerms {
  const [start, end] = [monthStart(month), monthStart(month + 1)];
  const prior = subject.prior(parameters, start);
  const later = subject.prior(parameters, end);
  const drift = prior && later ? (later.log - prior.log) / (end - start) : 0;
  const ratio = (at: number) => subject.ratio(parameters, at).log;
  return {
    month,
    end,
    drift: Math.max(-driftMax, Math.min(driftMax, drift)),
    ratioDrift: (ratio(end) - ratio(start)) / (end - start),
  };
}
