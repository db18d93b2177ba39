/**
 * The value of a set without sales: its retail price, moved along the path that sets of its age
 * have taken. The figures are medians over public snapshots of real prices; expect to be a quarter
 * off, and see the range.
 */
import type { ValuationFacts, Value } from '../domain/estimator.ts';
import { dayMs, yearsBetween } from '../domain/time.ts';
import { toValue } from './time-weighted-median.ts';

/** What a piece costs when the retail price is not known. */
const centsPerPiece = 11;

/** New sets sell below their retail price while they are in production. */
const inProduction = { ratio: 0.88, spread: 0.17 };

/** Value over retail price by years since retirement, with its spread (logarithm). */
const afterRetirement = [
  { years: 0, ratio: 0.95, spread: 0.17 },
  { years: 0.75, ratio: 1.03, spread: 0.17 },
  { years: 1.5, ratio: 1.16, spread: 0.26 },
  { years: 2.5, ratio: 1.22, spread: 0.34 },
  { years: 4, ratio: 1.52, spread: 0.37 },
  { years: 6.5, ratio: 1.83, spread: 0.49 },
  { years: 10, ratio: 2.95, spread: 0.49 },
  { years: 15, ratio: 5.42, spread: 0.49 },
] as const;

/** How long sets usually stay in production, when the day of retirement is not known. */
const usualShelfLifeMs = 2 * 365 * dayMs;

/** An estimated retail price adds to the uncertainty. */
const estimatedPriceSpread = 0.3;

const eightyPercent = 1.2816;

/** The value in new condition from facts alone; null when price and pieces are unknown. */
export function modeledValue(facts: ValuationFacts, at: number): Value | null {
  const base = facts.msrpCents ?? (facts.pieces ? facts.pieces * centsPerPiece : null);
  if (!base) return null;
  const { ratio, spread } = ageEffect(facts, at);
  const total = facts.msrpCents ? spread : Math.hypot(spread, estimatedPriceSpread);
  const median = Math.log(base * ratio);
  return toValue(median, median - eightyPercent * total, median + eightyPercent * total);
}

function ageEffect(facts: ValuationFacts, at: number): { ratio: number; spread: number } {
  const { releasedAt } = facts;
  const retiredAt = facts.retiredAt ?? (releasedAt === null ? null : releasedAt + usualShelfLifeMs);
  if (retiredAt === null || retiredAt > at) return inProduction;
  const years = yearsBetween(retiredAt, at);
  const next = afterRetirement.findIndex((row) => row.years > years);
  const to = afterRetirement[next];
  const from = afterRetirement[next - 1];
  if (!from || !to) return afterRetirement[afterRetirement.length - 1] ?? inProduction;
  const share = (years - from.years) / (to.years - from.years);
  return {
    ratio: Math.exp(Math.log(from.ratio) * (1 - share) + Math.log(to.ratio) * share),
    spread: from.spread * (1 - share) + to.spread * share,
  };
}

/** The logarithm of used over new value, by the age of the set. */
export function usedOverNew(facts: ValuationFacts, at: number): number {
  const years = facts.releasedAt === null ? 5 : Math.max(0, yearsBetween(facts.releasedAt, at));
  return -0.23 - 0.04 * years;
}

/** How far that ratio scatters. */
export const usedOverNewSpread = 0.25;
