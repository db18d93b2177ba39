/** The estimator: prepares sets and minifigs once, and values them at any instant. */

import { type Month, monthOf } from '../../../kernel/time.ts';
import type { DataTier } from '../../evidence/evidence.ts';
import { conditions } from '../../source-rows/source-rows.ts';
import { type CheckpointUse, EarlierRowsNeeded } from '../checkpoint.ts';
import type {
  ComparableSale,
  Estimator,
  MinifigToValue,
  PreparedMinifig,
  PreparedSet,
  SalesSince,
  SetToValue,
  StoredParameters,
} from '../estimator.ts';
import { firstSaleIn, type Row } from './admit.ts';
import { CheckpointKeeper, startOf } from './checkpoint.ts';
import { engineVersion } from './engine-version.ts';
import { evidenceOf } from './evidence.ts';
import { Fold } from './fold.ts';
import { emptyMonths, MonthWalk } from './months.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { Sellers } from './sellers.ts';
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
  const { subject, keeper } = withCheckpoints(setSubject(set), set.checkpoints, timeline);
  const months = monthsOf(subject, timeline, keeper);
  return {
    valueAt: (at) => {
      const { fold, values, ...tier } = valueAt(at, subject, {
        timeline,
        keeper,
        walk: months.latestWalk(),
      });
      return {
        sealed: values.sealed?.value ?? null,
        used: values.used?.value ?? null,
        ...tier,
        evidence: evidenceOf(fold, { values, tier: tier.tier, engine: engineVersion }),
      };
    },
    months: months.values,
    firstSaleAt: (condition, knownBefore) =>
      firstSaleIn(subject.rows, condition, { start: subject.start, knownBefore }),
    startMonth: subject.start?.month ?? null,
    salesSince: (since) => salesSince(subject, timeline, since),
    checkpoints: () => keeper?.list() ?? [],
  };
}

/** The subject with its start, and what makes the next checkpoints. */
function withCheckpoints(
  subject: Subject,
  use: CheckpointUse | undefined,
  timeline: ParameterTimeline,
): { readonly subject: Subject; readonly keeper: CheckpointKeeper | undefined } {
  if (!use) return { subject, keeper: undefined };
  const context = { timeline, addFacts: subject.addFacts };
  const start = startOf(use, context);
  const hasEnough = (start?.rows ?? 0) + subject.rows.length >= use.rowsMin;
  return {
    subject: { ...subject, start },
    keeper: hasEnough ? new CheckpointKeeper(use, context) : undefined,
  };
}

function monthsOf(
  subject: Subject,
  timeline: ParameterTimeline,
  keeper: CheckpointKeeper | undefined,
) {
  // One walk computes all months with the same cutoff, for both conditions.
  const walks = new Map<number | null, MonthWalk>();
  const emptyMonth = emptyMonths(subject, timeline);
  const walk = (knownBefore: number | null, until: Month) => {
    const options = knownBefore === null && keeper ? { knownBefore, keeper } : { knownBefore };
    return walks
      .getOrInsertComputed(knownBefore, () => new MonthWalk(subject, timeline, options))
      .monthsUntil(until);
  };
  const values: PreparedSet['months'] = (condition, queries) => {
    const [first] = queries;
    if (first && subject.start && first.month < subject.start.month) throw new EarlierRowsNeeded();
    const last = new Map<number | null, Month>();
    for (const { month, knownBefore } of queries) last.set(knownBefore, month);
    const made = new Map(
      Array.from(last, ([knownBefore, until]) => [knownBefore, walk(knownBefore, until)]),
    );
    return queries.map(
      ({ month, knownBefore }) =>
        made.get(knownBefore)?.get(month)?.[condition] ?? emptyMonth(month),
    );
  };
  return { values, latestWalk: () => walks.get(null) };
}

function prepareMinifig(minifig: MinifigToValue, timeline: ParameterTimeline): PreparedMinifig {
  const own = minifigSubject(minifig);
  const { subject, keeper } = withCheckpoints(own, minifig.checkpoints, timeline);
  return {
    valueAt: (at) => {
      const { fold, values, ...tier } = valueAt(at, subject, { timeline, keeper });
      const shown = fold.wasSold ? values : noValues;
      return {
        value: shown.used?.value ?? null,
        ...tier,
        evidence: evidenceOf(fold, { values: shown, tier: tier.tier, engine: engineVersion }),
      };
    },
    salesSince: (since) => salesSince(subject, timeline, since),
    checkpoints: () => keeper?.list() ?? [],
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
  given: {
    readonly timeline: ParameterTimeline;
    readonly keeper: CheckpointKeeper | undefined;
    readonly walk?: MonthWalk | undefined;
  },
): ValuedAt {
  const { timeline, keeper, walk } = given;
  const tracker = new TierTracker(at);
  if (subject.start && subject.start.at > tracker.from) throw new EarlierRowsNeeded();
  const options = keeper ? { knownBefore: null, keeper } : { knownBefore: null };
  const fold = walk?.takeFold(tracker.from) ?? new Fold(subject, timeline, options);
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
  const { start } = subject;
  if (start && start.learnedUntil > since.learnedAfter && start.at > since.soldAfter) {
    throw new EarlierRowsNeeded();
  }
  if (!subject.rows.some(isIncluded)) return [];
  const sales: ComparableSale[] = [];
  const sellers = new Sellers();
  for (const row of subject.rows) {
    // Duplicates are of the same instant, so earlier rows do not matter.
    if (row.at <= since.soldAfter || sellers.rejectionOf(row, null) || !isIncluded(row)) continue;
    const { offsets } = timeline.at(monthOf(row.at)).parameters;
    const log = row.log - offsets[subject.kind][row.channel];
    sales.push({ condition: row.condition, soldAt: row.at, log });
  }
  return sales;
}
