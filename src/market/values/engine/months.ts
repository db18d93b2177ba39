/** Values at the end of months. */

import { type Month, monthStart } from '../../../kernel/time.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import type { MonthValuation } from '../estimator.ts';
import { engineVersion } from './engine-version.ts';
import { Fold, type FoldOptions } from './fold.ts';
import { InputHash } from './input-hash.ts';
import type { ParameterTimeline } from './parameter-timeline.ts';
import type { Subject } from './subject.ts';
import { plainTier, supportFrom } from './tier.ts';
import { actionable, valuesOf } from './values.ts';

export type MonthValuations = Readonly<Record<Condition, MonthValuation>>;

/** Values all months in a single fold, which later values can continue. */
export class MonthWalk {
  readonly #months = new Map<Month, MonthValuations>();
  readonly #start: () => Fold;
  #fold: Fold | null = null;
  #until: Month = 0;

  constructor(
    subject: Subject,
    timeline: ParameterTimeline,
    options: Pick<FoldOptions, 'knownBefore' | 'keeper'>,
  ) {
    this.#start = () => {
      const onMonthEnd = (month: Month) => this.#months.set(month, valuationsOf(fold, month));
      const fold: Fold = new Fold(subject, timeline, { ...options, onMonthEnd });
      return fold;
    };
  }

  /** From the month of the first row to at least `until`. */
  monthsUntil(until: Month): ReadonlyMap<Month, MonthValuations> {
    if (until > this.#until) {
      this.#fold ??= this.#start();
      this.#fold.runTo(monthStart(until + 1));
      this.#until = until;
    }
    return this.#months;
  }

  /** Hands over the fold once, if it has not passed `from`; null otherwise. */
  takeFold(from: number): Fold | null {
    const fold = this.#fold;
    if (fold === null || fold.at > from) return null;
    this.#fold = null;
    return fold;
  }
}

/** Months before the first row; their hash covers facts and parameters only. */
export function emptyMonths(
  subject: Subject,
  timeline: ParameterTimeline,
): (month: Month) => MonthValuation {
  const facts = new InputHash();
  facts.addText(engineVersion);
  subject.addFacts(facts);
  const known = new Map<string, MonthValuation>();
  const made = (version: string) => {
    const hash = facts.copy();
    hash.addText(version);
    return { ...nothingSold, provenance: { inputHash: hash.value(), parameters: version } };
  };
  return (month) => {
    const { version } = timeline.at(month);
    return known.get(version) ?? known.getOrInsert(version, made(version));
  };
}

const nothingSold = {
  value: null,
  salesCount: 0,
  wellSupported: false,
  hasShifted: false,
  isUnsold: true,
};

function valuationsOf(fold: Fold, month: Month): MonthValuations {
  const tierOf = (condition: Condition) => plainTier(supportFrom(fold, condition), fold.at);
  const tiers = { sealed: tierOf('sealed'), used: tierOf('used') };
  const isSold = (condition: Condition) => fold.tracks[condition].count > 0;
  const values = actionable(valuesOf(fold, isSold), tiers[fold.subject.lead]);
  const provenance = { inputHash: fold.inputHash(), parameters: fold.inForce.version };
  const valuation = (condition: Condition): MonthValuation => {
    const track = fold.tracks[condition];
    const tier = tiers[condition];
    return {
      value: values[condition]?.value ?? null,
      salesCount: track.countSince(monthStart(month) - 1),
      wellSupported: isSold(condition) && (tier === 'high' || tier === 'medium'),
      hasShifted: track.hasShifted,
      isUnsold: !fold.hasSales,
      provenance,
    };
  };
  return { sealed: valuation('sealed'), used: valuation('used') };
}
