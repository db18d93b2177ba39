/** The estimator: prepares sets and minifigs once, and values them at any instant. */

import { type Month, monthOf } from '../../domain/kernel/time.ts';
import type {
  ComparableSale,
  Estimator,
  MinifigToValue,
  PreparedMinifig,
  PreparedSet,
  SalesSince,
  SetToValue,
  StoredParameters,
} from '../../domain/market/estimator.ts';
import type { DataTier } from '../../domain/market/evidence.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import { type Row, wasLearned, wasTakenBack } from './admit.ts';
import { engineVersion } from './engine-version.ts';
import { evidenceOf } from './evidence.ts';
import { Fold, type TestedSale } from './fold.ts';
import { emptyMonths, MonthWalk } from './months.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { minifigSubject, type Subject, setSubject } from './subject.ts';
import { supportFrom, TierTracker } from './tier.ts';
import { actionable, type Valued, valuesOf } from './values.ts';

export function makeEstimator(stored: readonly StoredParameters[]): Estimator {
  const timeline = new ParameterTimeline(stored);
  return {
    version: engineVersion,
    prepareSet: (set) => prepareSet(set, timeline),
    prepareMinifig: (minifig) => prepareMinifig(minifig, timeline),
  };
}

function prepareSet(set: SetToValue, timeline: ParameterTimeline): PreparedSet {
  const subject = setSubject(set);
  const months = monthsOf(subject, timeline);
  return {
    valueAt: (at) => {
      const { fold, values, ...tier } = valueAt(at, subject, timeline, months.latestWalk());
      return {
        sealed: values.sealed?.value ?? null,
        used: values.used?.value ?? null,
        ...tier,
        evidence: evidenceOf(fold, { values, tier: tier.tier, engine: engineVersion }),
      };
    },
    months: months.values,
    firstSaleAt: (condition, knownBefore) => firstSaleAt(subject, condition, knownBefore),
    salesSince: (since) => salesSince(subject, timeline, since),
  };
}

function monthsOf(subject: Subject, timeline: ParameterTimeline) {
  // One walk computes all months with the same cutoff, for both conditions.
  const walks = new Map<number | null, MonthWalk>();
  const emptyMonth = emptyMonths(subject, timeline);
  const walk = (knownBefore: number | null, until: Month) => {
    const cached = walks.get(knownBefore) ?? new MonthWalk(subject, timeline, { knownBefore });
    walks.set(knownBefore, cached);
    return cached.monthsUntil(until);
  };
  const values: PreparedSet['months'] = (condition, queries) => {
    const last = new Map(queries.map(({ month, knownBefore }) => [knownBefore, month]));
    return queries.map(({ month, knownBefore }) => {
      const valuations = walk(knownBefore, last.get(knownBefore) ?? month).get(month);
      return valuations?.[condition] ?? emptyMonth(month);
    });
  };
  return { values, latestWalk: () => walks.get(null) };
}

function prepareMinifig(minifig: MinifigToValue, timeline: ParameterTimeline): PreparedMinifig {
  const subject = minifigSubject(minifig);
  return {
    valueAt: (at) => {
      const { fold, values, ...tier } = valueAt(at, subject, timeline);
      const shown = fold.wasSold ? values : noValues;
      return {
        value: shown.used?.value ?? null,
        ...tier,
        evidence: evidenceOf(fold, { values: shown, tier: tier.tier, engine: engineVersion }),
      };
    },
    salesSince: (since) => salesSince(subject, timeline, since),
  };
}

const noValues: Valued = { sealed: null, used: null };

interface ValuedAt {
  readonly fold: Fold;
  readonly values: Valued;
  readonly tier: DataTier;
  readonly changesAt: number | null;
}

/** Continues the fold of a month walk that has not passed the start of the grace period. */
function valueAt(
  at: number,
  subject: Subject,
  timeline: ParameterTimeline,
  walk?: MonthWalk,
): ValuedAt {
  const tracker = new TierTracker(at);
  const fold = walk?.takeFold(tracker.from) ?? new Fold(subject, timeline);
  const record = () => tracker.record(supportFrom(fold, subject.lead), fold.at);
  fold.runTo(tracker.from);
  record();
  fold.onRow = record;
  fold.runTo(at);
  const { spreadAt } = supportFrom(fold, subject.lead);
  const { tier, changesAt } = tracker.result(spreadAt(at));
  const doubts = conditions.map((condition) => fold.tracks[condition].doubtAt(at));
  const isDoubted = fold.tracks[subject.lead].doubtAt(at) !== null;
  const times = [changesAt, ...doubts.map((doubt) => doubt?.until ?? null)];
  return {
    fold,
    values: actionable(valuesOf(fold), tier),
    tier: isDoubted ? doubtedTier(tier) : tier,
    changesAt: earliest(times),
  };
}

function doubtedTier(tier: DataTier): DataTier {
  return tier === 'high' || tier === 'medium' ? 'low' : tier;
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Comparable prices of sales that were ingested and sold after given instants, for scoring. */
function salesSince(
  subject: Subject,
  timeline: ParameterTimeline,
  since: SalesSince,
): ComparableSale[] {
  const isIncluded = ({ sale, at }: Row) =>
    sale.ingestedAt > since.learnedAfter && at > since.soldAfter;
  const last = subject.rows.findLast(isIncluded);
  if (!last) return [];
  const sales: ComparableSale[] = [];
  const onSale = ({ row }: TestedSale) => {
    if (!isIncluded(row)) return;
    const { offsets } = timeline.at(monthOf(row.at)).parameters;
    const log = row.log - offsets[subject.kind][row.channel];
    sales.push({ condition: row.condition, soldAt: row.at, log });
  };
  new Fold(subject, timeline, { knownBefore: null, skipsHash: true, onSale }).runTo(last.at);
  return sales;
}

/** The first sale that is not rejected. */
function firstSaleAt(
  { rows }: Subject,
  condition: Condition,
  knownBefore: number | null,
): number | null {
  const counts = rows.find(
    (row) =>
      row.condition === condition &&
      row.rejection === null &&
      wasLearned(row, knownBefore) &&
      !wasTakenBack(row, knownBefore),
  );
  return counts?.at ?? null;
}
