/** The engine as an estimator: sets and minifigs prepared once, then valued at any instant. */

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
import type { Condition } from '../../domain/market/source-rows.ts';
import { type Row, wasLearned, wasTakenBack } from './admit.ts';
import { engineVersion } from './engine-version.ts';
import { evidenceOf } from './evidence.ts';
import { Fold, type TestedSale } from './fold.ts';
import { emptyMonths, MonthWalk } from './months.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { minifigSubject, type Subject, setSubject } from './subject.ts';
import { supportFrom, TierTracker } from './tier.ts';
import { actionable, type Valued, valuesOf } from './values.ts';

/** The estimator with the parameters learned so far. */
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

/** The months of a set. */
function monthsOf(subject: Subject, timeline: ParameterTimeline) {
  // One walk makes every month of both conditions that were known at the same time.
  const walks = new Map<number | null, MonthWalk>();
  const emptyMonth = emptyMonths(subject, timeline);
  const walk = (knownBefore: number | null, until: Month) => {
    const made = walks.get(knownBefore) ?? new MonthWalk(subject, timeline, { knownBefore });
    walks.set(knownBefore, made);
    return made.monthsUntil(until);
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

/** The value at an instant; goes on from where a walk over all rows has ended. */
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
  const tier = tracker.result(spreadAt(at));
  return { fold, values: actionable(valuesOf(fold), tier.tier), ...tier };
}

/** Sales since two instants that can be compared, as values are compared with them. */
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

/** The first sale that is not rejected for what it is. */
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
