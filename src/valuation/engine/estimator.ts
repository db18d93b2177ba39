/** The engine as an estimator: sets and minifigs opened once, then valued at any instant. */

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
import { Fold } from './fold.ts';
import type { TestedSale } from './fold-options.ts';
import { emptyMonths, MonthWalk } from './months.ts';
import { ParameterBook } from './parameters.ts';
import { minifigSubject, type Subject, setSubject } from './subject.ts';
import { supportFrom, TierWatch } from './tier.ts';
import { type Valued, valuesOf } from './values.ts';

/** The estimator with the parameters learned so far. */
export function makeEstimator(stored: readonly StoredParameters[]): Estimator {
  const book = new ParameterBook(stored);
  return {
    version: engineVersion,
    prepareSet: (set) => prepareSet(set, book),
    prepareMinifig: (minifig) => openMinifig(minifig, book),
  };
}

function prepareSet(set: SetToValue, book: ParameterBook): PreparedSet {
  const subject = setSubject(set);
  // One walk makes every month of both conditions that were known at the same time.
  const walks = new Map<number | null, MonthWalk>();
  const emptyMonth = emptyMonths(subject, book);
  const walk = (knownBefore: number | null, until: Month) => {
    const made = walks.get(knownBefore) ?? new MonthWalk(subject, book, knownBefore);
    walks.set(knownBefore, made);
    return made.monthsUntil(until);
  };
  return {
    valueAt: (at) => {
      const { fold, values, ...tier } = valueAt(at, subject, book, walks.get(null));
      return {
        sealed: values.sealed?.value ?? null,
        used: values.used?.value ?? null,
        ...tier,
        evidence: evidenceOf(fold, { values, tier: tier.tier, engine: engineVersion }),
      };
    },
    months: (condition, questions) => {
      const last = new Map(questions.map(({ month, knownBefore }) => [knownBefore, month]));
      return questions.map(({ month, knownBefore }) => {
        const answers = walk(knownBefore, last.get(knownBefore) ?? month).get(month);
        return answers?.[condition] ?? emptyMonth(month);
      });
    },
    firstSaleAt: (condition, knownBefore) => firstSaleAt(subject, condition, knownBefore),
    salesSince: (since) => salesSince(subject, book, since),
  };
}

function openMinifig(minifig: MinifigToValue, book: ParameterBook): PreparedMinifig {
  const subject = minifigSubject(minifig);
  return {
    valueAt: (at) => {
      const { fold, values, ...tier } = valueAt(at, subject, book);
      const hasSale = fold.tracks.sealed.times.length + fold.tracks.used.times.length > 0;
      const shown = hasSale ? values : noValues;
      return {
        value: shown.used?.value ?? null,
        ...tier,
        evidence: evidenceOf(fold, { values: shown, tier: tier.tier, engine: engineVersion }),
      };
    },
    salesSince: (since) => salesSince(subject, book, since),
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
function valueAt(at: number, subject: Subject, book: ParameterBook, walk?: MonthWalk): ValuedAt {
  const watch = new TierWatch(at);
  const fold = walk?.takeFold(watch.from) ?? new Fold(subject, book);
  const look = () => watch.see(supportFrom(fold, subject.lead), fold.at);
  fold.runTo(watch.from);
  look();
  fold.onRow = look;
  fold.runTo(at);
  const { spreadAt } = supportFrom(fold, subject.lead);
  return { fold, values: valuesOf(fold), ...watch.result(spreadAt(at)) };
}

/** Sales since two instants that can be compared, as values are compared with them. */
function salesSince(subject: Subject, book: ParameterBook, since: SalesSince): ComparableSale[] {
  const isMeant = ({ sale, at }: Row) =>
    sale.ingestedAt > since.learnedAfter && at > since.soldAfter;
  const last = subject.rows.findLast(isMeant);
  if (!last) return [];
  const sales: ComparableSale[] = [];
  const onSale = ({ row }: TestedSale) => {
    if (!isMeant(row)) return;
    const { offsets } = book.at(monthOf(row.at)).parameters;
    const log = row.log - offsets[subject.kind][row.channel];
    sales.push({ condition: row.condition, soldAt: row.at, log });
  };
  new Fold(subject, book, { knownBefore: null, isUnnamed: true, onSale }).runTo(last.at);
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
