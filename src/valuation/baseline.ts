/** The baseline method: time-weighted medians, and the modeled value where there are no sales. */
import type {
  Estimator,
  MonthAnswer,
  MonthQuestion,
  SetValuation,
  ValuationFacts,
  Value,
} from '../domain/estimator.ts';
import type { Condition, StoredSale } from '../domain/market.ts';
import { type Month, monthStart } from '../domain/time.ts';
import { modeledValue, usedOverNew, usedOverNewSpread } from './modeled.ts';
import { normalise, type Observation } from './normalise.ts';
import { tierAt } from './tier.ts';
import { type Median, timeWeightedMedian, toValue } from './time-weighted-median.ts';

/** New minifigs sell above used ones by this much (logarithm); their value is for used ones. */
const newMinifigLog = 0.25;

/** The estimator that this version of Brickmark values with. */
export const baselineEstimator: Estimator = {
  version: 'baseline-1',
  valueSet,
  valueMinifig,
  valueMonths,
  firstSaleAt: (sales, condition, knownBefore) =>
    observe(sales, condition).find((o) => isKnown(o, knownBefore))?.at ?? null,
};

function valueSet(facts: ValuationFacts, sales: readonly StoredSale[], at: number): SetValuation {
  const observed = (condition: Condition) => observe(sales, condition).filter((o) => counts(o, at));
  const sealedSales = observed('sealed');
  const sealed = timeWeightedMedian(sealedSales, 'sealed');
  const used = timeWeightedMedian(observed('used'), 'used');
  const ratio = usedOverNew(facts, at);
  const bySales = sealed ?? (used && scale(used, { log: -ratio, spread: usedOverNewSpread }));
  const newValue = bySales ?? modeledValue(facts, at);
  const usedValue =
    used ?? (newValue && scale(newValue, { log: ratio, spread: usedOverNewSpread }));
  const tier = tierAt(acceptedTimes(sealedSales, sealed), { anySale: bySales !== null, at });
  return { sealed: plain(newValue), used: plain(usedValue), ...tier };
}

function valueMinifig(sales: readonly StoredSale[], at: number): Value | null {
  const observed = sales
    .flatMap((sale) => {
      const observation = normalise(sale);
      if (!observation) return [];
      const log = observation.log - (sale.condition === 'sealed' ? newMinifigLog : 0);
      return [{ ...observation, log }];
    })
    .filter((o) => counts(o, at));
  return plain(timeWeightedMedian(observed, 'used'));
}

/** Months are asked for in order; a month without news repeats the median of the one before. */
function valueMonths(
  sales: readonly StoredSale[],
  condition: Condition,
  questions: readonly MonthQuestion[],
): MonthAnswer[] {
  const observed = observe(sales, condition);
  const all = observed.filter((o) => isKnown(o, null));
  let count = 0;
  let latest: Judged = { median: null, times: [] };
  return questions.map(({ month, knownBefore }) => {
    const end = monthStart(month + 1);
    if (knownBefore !== null) {
      const known = observed.filter((o) => o.at < end && isKnown(o, knownBefore));
      return monthAnswer(judge(known, condition), month, end);
    }
    const before = count;
    while ((all[count]?.at ?? Number.POSITIVE_INFINITY) < end) count++;
    if (count === 0) return beforeFirstSale;
    if (count > before) {
      const from = Math.max(0, Math.min(before, count - latestSales));
      latest = judge(all.slice(from, count), condition);
    }
    return monthAnswer(latest, month, end);
  });
}

/** A median, and the times of the sales that it accepts. */
interface Judged {
  readonly median: Median | null;
  readonly times: readonly number[];
}

function judge(known: readonly Observation[], condition: Condition): Judged {
  const median = timeWeightedMedian(known, condition);
  return { median, times: acceptedTimes(known, median) };
}

/** More sales than a median or a tier looks at. */
const latestSales = 128;

const beforeFirstSale: MonthAnswer = { value: null, salesCount: 0, wellSupported: false };

function monthAnswer({ median, times }: Judged, month: Month, end: number): MonthAnswer {
  const { tier } = tierAt(times, { anySale: times.length > 0, at: end - 1 });
  const start = monthStart(month);
  let salesCount = 0;
  while ((times[times.length - 1 - salesCount] ?? 0) >= start) salesCount++;
  return {
    value: plain(median),
    salesCount,
    wellSupported: tier === 'high' || tier === 'medium',
  };
}

function observe(sales: readonly StoredSale[], condition: Condition): Observation[] {
  return sales.flatMap((sale) => {
    const observation = sale.condition === condition ? normalise(sale) : null;
    return observation ? [observation] : [];
  });
}

/** Whether a sale counts for a value at an instant. */
function counts(observation: Observation, at: number): boolean {
  return observation.retractedAt === null && observation.at <= at;
}

/** Whether a sale was known, and not yet retracted, before an instant; null: whatever is known. */
function isKnown(observation: Observation, before: number | null): boolean {
  const { knownAt, retractedAt } = observation;
  if (before === null) return retractedAt === null;
  return knownAt < before && (retractedAt === null || retractedAt >= before);
}

function acceptedTimes(observed: readonly Observation[], median: Median | null): number[] {
  return observed.filter((o) => !median?.rejected.has(o)).map((o) => o.at);
}

/** A value moved by a ratio that scatters: its range widens. */
function scale(value: Value, by: { log: number; spread: number }): Value {
  return toValue(
    Math.log(value.valueCents) + by.log,
    Math.log(value.lowCents) + by.log - by.spread,
    Math.log(value.highCents) + by.log + by.spread,
  );
}

function plain(value: Value | null): Value | null {
  return (
    value && {
      valueCents: value.valueCents,
      lowCents: value.lowCents,
      highCents: value.highCents,
    }
  );
}
