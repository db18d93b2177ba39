/** How old a set is, as values feel it: how long it has been retired, and what era it is of. */
import { yearsBetween } from '../../domain/kernel/time.ts';
import type { ValuationFacts } from '../../domain/market/estimator.ts';

/** The age of a set at an instant. */
export interface SetAge {
  /** How far retirement has raised the price, of 1. */
  readonly rise: number;
  /** Years since retirement, and how much of what settles within years has settled. */
  readonly years: number;
  readonly settled: number;
}

/** How far a set belongs to earlier eras, from 0 to 1. */
export interface SetEra {
  /** Before about 2000: what newer sets gain by age is not what these did. */
  readonly isOld: number;
  /** Before about 1990. */
  readonly isOlder: number;
}

type Dates = Pick<ValuationFacts, 'releasedAt' | 'retiredAt'>;

/** How long sets usually stay in production, when the day of retirement is not known. */
const usualShelfYears = 2;

/** A set of which no date is known is taken for one that retired this long ago. */
const undatedYears = 1;

/** The rise at retirement: its middle comes two months after it. A guess rises slower. */
const riseDelayYears = 1 / 6;
const risePerYear = { known: 12, guessed: 3 };

/** What settles, and the effects of themes, come to bear with this time constant. */
const settlingYears = 2.5;

/** The age of a set at an instant. */
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

/** Eras do not begin in one night: from the first year to the last a set belongs more to them. */
const oldYears = { none: 2004, all: 1998 };
const olderYears = { none: 1992, all: 1984 };

/** The era of a set; one that nobody dated is of today's. */
export function setEraOf({ releasedAt }: Dates): SetEra {
  if (releasedAt === null) return { isOld: 0, isOlder: 0 };
  const year = 1970 + yearsBetween(0, releasedAt);
  return { isOld: shareOf(year, oldYears), isOlder: shareOf(year, olderYears) };
}

function shareOf(year: number, { none, all }: { none: number; all: number }): number {
  return Math.min(1, Math.max(0, (none - year) / (none - all)));
}
