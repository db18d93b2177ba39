/** What of a catalog record matters for the value of a set. */
import type { SetFacts } from '../catalog/catalog.ts';
import { parseDay } from '../kernel/time.ts';
import type { ValuationFacts } from './estimator.ts';

/** What the estimator needs to know of a set. */
export function setValuationFacts(facts: SetFacts): ValuationFacts {
  const { releaseDate, retireDate } = facts;
  return {
    msrpCents: facts.msrpCents,
    pieces: facts.pieces,
    minifigs: facts.minifigsCount ?? facts.minifigs?.length ?? null,
    theme: facts.theme,
    subtheme: facts.subtheme,
    // The start of the year when only that is known.
    releasedAt: releaseDate === null ? yearStart(facts.year) : parseDay(releaseDate),
    retiredAt: retireDate === null ? null : parseDay(retireDate),
  };
}

/** The first instant of a year; null when it is not known. */
export function yearStart(year: number | null): number | null {
  return year === null ? null : Date.UTC(year, 0, 1);
}
