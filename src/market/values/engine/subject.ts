/** Sets and minifigs as input of the fold: rows, priors, volatility and dates. */

import { isModeled } from '../../../catalog/items/item-class.ts';
import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import type {
  MinifigToValue,
  MinifigValuationFacts,
  RetailWeek,
  SetToValue,
  ValuationFacts,
} from '../estimator.ts';
import { minifigChange, minifigPrior } from '../prior/minifig-prior.ts';
import type { Estimate } from '../prior/prior.ts';
import { setEstimates } from '../prior/set-estimate.ts';
import { usedRatioAt } from '../prior/used-ratio.ts';
import { admitSales, type Row } from './admit.ts';
import type { Start } from './checkpoint.ts';
import type { InputHash } from './input-hash.ts';
import type { Parameters } from './parameters.ts';

export interface Subject {
  readonly kind: ItemKind;
  /** The leading condition; the other one is modeled by a ratio. */
  readonly lead: Condition;
  /** In order; those from `start` on, if there is one. */
  readonly rows: readonly Row[];
  /** Null: folds start from the first row. */
  readonly start: Start | null;
  readonly weeks: readonly RetailWeek[];
  /** Initial standard deviation of ordinary sales around the value (log). */
  readonly saleSpread: Readonly<Record<Condition, number>>;
  /** Variance per day of the value's random walk, and of the ratio's. */
  readonly volatility: number;
  readonly ratioVolatility: number;
  /** Null if unknown. */
  readonly releasedAt: number | null;
  /** Known or expected retirement; null if unknown. */
  readonly retiredAt: number | null;
  /** The prior in the leading condition; null if unknown. */
  prior(parameters: Parameters, at: number): Estimate | null;
  /** How the prior changes between two instants (log). */
  priorChange(parameters: Parameters, from: number, to: number): number;
  /** The other condition over the leading one. */
  ratio(parameters: Parameters, at: number): Estimate;
  /** Days between two instants, where days of volatile periods count several times. */
  volatileDays(from: number, to: number): number;
  addFacts(hash: InputHash): void;
}

/** Standard deviation of the random walk per month (log). */
const setVolatilityPerMonth = 0.04;
const minifigVolatilityPerMonth = 0.05;
const ratioVolatilityPerMonth = 0.015;
const monthDays = 30.4;

/** Variance factor of volatile periods. */
const volatileFactor = 4;
const newMs = 180 * dayMs;
const yearMs = 365.25 * dayMs;
const aroundRetirement = { before: 0.15 * yearMs, after: yearMs };

export function setSubject({ facts, sales, retailWeeks }: SetToValue): Subject {
  const volatile = volatilePeriods(facts);
  const estimates = setEstimates(facts);
  return {
    kind: 'set',
    lead: 'sealed',
    rows: admitSales(sales),
    start: null,
    // Items that are not modeled are valued from their sales alone.
    weeks: isModeled(facts.itemClass) ? retailWeeks : [],
    saleSpread: { sealed: 0.15, used: 0.22 },
    volatility: setVolatilityPerMonth ** 2 / monthDays,
    ratioVolatility: ratioVolatilityPerMonth ** 2 / monthDays,
    releasedAt: facts.releasedAt,
    retiredAt: facts.retiredAt,
    prior: ({ prior }, at) => estimates?.at(prior, at) ?? null,
    priorChange: ({ prior }, from, to) => estimates?.change(prior, from, to) ?? 0,
    ratio: ({ usedRatio: { set } }, at) => ({
      log: usedRatioAt(set, facts.releasedAt, at),
      spread: set.spread,
    }),
    volatileDays: (from, to) => {
      let ms = to - from;
      for (const period of volatile) {
        const overlap = Math.min(to, period.to) - Math.max(from, period.from);
        if (overlap > 0) ms += (volatileFactor - 1) * overlap;
      }
      return ms / dayMs;
    },
    addFacts: (hash) => addSetFacts(hash, facts),
  };
}

/** After release and around retirement; they do not overlap. */
function volatilePeriods({
  releasedAt,
  retiredAt,
}: ValuationFacts): { from: number; to: number }[] {
  const times: { from: number; to: number }[] = [];
  if (releasedAt !== null) times.push({ from: releasedAt, to: releasedAt + newMs });
  if (retiredAt !== null) {
    const from = Math.max(retiredAt - aroundRetirement.before, times[0]?.to ?? 0);
    times.push({ from, to: retiredAt + aroundRetirement.after });
  }
  return times;
}

function addSetFacts(hash: InputHash, facts: ValuationFacts): void {
  for (const value of [facts.msrpCents, facts.pieces, facts.minifigs]) hash.add(value ?? -1);
  for (const value of [facts.releasedAt, facts.retiredAt]) hash.add(value ?? Number.MIN_VALUE);
  hash.addText(facts.theme);
  hash.addText(facts.subtheme);
  for (const value of [facts.weightLbs, facts.cubicInches]) hash.add(value ?? -1);
  hash.addText(facts.itemClass);
}

/** The leading condition of minifigs is used. */
export function minifigSubject({ facts, sales }: MinifigToValue): Subject {
  return {
    kind: 'minifig',
    lead: 'used',
    rows: admitSales(sales).map(withoutCompleteness),
    start: null,
    weeks: [],
    saleSpread: { sealed: 0.25, used: 0.25 },
    volatility: minifigVolatilityPerMonth ** 2 / monthDays,
    ratioVolatility: 0,
    releasedAt: facts.releasedAt,
    retiredAt: null,
    prior: ({ prior }, at) => minifigPrior(prior.minifig, facts, at),
    priorChange: ({ prior }, from, to) => minifigChange(prior.minifig, facts, { from, to }),
    // The ratio of new to used depends on age only.
    ratio: ({ usedRatio: { minifig } }, at) => ({
      log: -usedRatioAt(minifig, facts.releasedAt, at),
      spread: 0,
    }),
    volatileDays: (from, to) => (to - from) / dayMs,
    addFacts: (hash) => addMinifigFacts(hash, facts),
  };
}

/** Unknown completeness adds no noise, because minifigs have no box or instructions. */
function withoutCompleteness(row: Row): Row {
  return row.caution === 'completeness_unknown'
    ? { ...row, noise: row.noise / 2, caution: null }
    : row;
}

function addMinifigFacts(hash: InputHash, facts: MinifigValuationFacts): void {
  hash.addText(facts.category);
  hash.add(facts.releasedAt ?? Number.MIN_VALUE);
  hash.add(facts.sets);
}
