/** What holds for an item in one month: the frozen parameters, and what follows from them. */
import { dayMs, type Month, monthStart } from '../../domain/kernel/time.ts';
import type { Estimate } from '../prior/prior.ts';
import type { NamedParameters } from './parameter-timeline.ts';
import type { Subject } from './subject.ts';

/** The terms of a month. */
export interface MonthTerms {
  readonly month: Month;
  readonly end: number;
  /** What the item would be worth without any sale, at the beginning; null: nobody knows. */
  readonly prior: Estimate | null;
  /** How fast the value and the ratio drift (logarithms per millisecond). */
  readonly drift: number;
  readonly ratioDrift: number;
}

/** Drift stays within this. */
const driftMax = 0.0015 / dayMs;

/** The terms of an item in a month. Values drift as those of items of its age do. */
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
    prior,
    drift: Math.max(-driftMax, Math.min(driftMax, drift)),
    ratioDrift: (ratio(end) - ratio(start)) / (end - start),
  };
}
