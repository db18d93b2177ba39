/** Age features of a set: time since retirement, and era. */

import { yearsBetween } from '../../../kernel/time.ts';
import type { ValuationFacts } from '../estimator.ts';

export interface SetAge {
  /** Share of the price rise at retirement, from 0 to 1. */
  readonly rise: number;
  /** Years since retirement, and the settled share of slow effects. */
  readonly years: number;
  readonly settled: number;
}

/** Membership in earlier eras, from 0 to 1. */
export interface SetEra {
  /** Before about 2000, when values aged differently. */
  readonly isOld: number;
  /** Before about 1990. */
  readonly isOlder: number;
}

type Dates = Pick<ValuationFacts, 'releasedAt' | 'retiredAt'>;

/** Assumed time in production if the retirement date is unknown. */
const usualShelfYears = 2;

/** Assumed years since retirement without any date. */
const undatedYears = 1;

/** The midpoint of the rise is two months after retirement; with assumed dates, it is slower. */
const riseDelayYears = 1 / 6;
const risePerYear = { known: 12, guessed: 3 };

/** Time constant of slow effects and theme effects. */
const settlingYears = 2.5;

export function setAgeAt({ releasedAt, retiredAt }: Dates, at: number): SetAge {
  const since =
    retiredAt !== null
      ? yearsBetween(retiredAt, at)
      : releasedAt !== null
        ? yearsBetween(releasedAt, at) - usualShelfYears
        : undatedYears;
  const perYear = retiredAt === null ? risePerYear.guessed : risePerYear.known;
  const years = Math.max(0, since);
  return {
    rise: 1 / (1 + Math.exp(-perYear * (since - riseDelayYears))),
    years,
    settled: 1 - Math.exp(-years / settlingYears),
  };
}

/** Eras change gradually, from the first year to the last. */
const oldYears = { none: 2004, all: 1998 };
const olderYears = { none: 1992, all: 1984 };

/** Sets without dates belong to the present. */
export function setEraOf({ releasedAt }: Dates): SetEra {
  if (releasedAt === null) return { isOld: 0, isOlder: 0 };
  const year = yearOf(releasedAt);
  return { isOld: shareOf(year, oldYears), isOlder: shareOf(year, olderYears) };
}

/** With the part that has passed. */
export function yearOf(at: number): number {
  return 1970 + yearsBetween(0, at);
}

/** From 0 in the year of `none` to 1 in the year of `all`, whichever is first. */
export function shareOf(year: number, { none, all }: { none: number; all: number }): number {
  return Math.min(1, Math.max(0, (none - year) / (none - all)));
}
