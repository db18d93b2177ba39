/** What of a catalog record matters for the value of a set. */
import type { Box, SetFacts } from '../catalog/catalog.ts';
import { lifetimeOf } from '../catalog/status.ts';
import { parseDay } from '../kernel/time.ts';
import type { ValuationFacts } from './estimator.ts';

/** What the estimator needs to know of a set. */
export function setValuationFacts(facts: SetFacts): ValuationFacts {
  const { releaseDate } = facts;
  return {
    msrpCents: facts.msrpCents,
    pieces: facts.pieces,
    minifigs: facts.minifigsCount ?? facts.minifigs?.length ?? null,
    theme: facts.theme,
    subtheme: facts.subtheme,
    // The start of the year when only that is known.
    releasedAt: releaseDate === null ? yearStart(facts.year) : parseDay(releaseDate),
    retiredAt: retirementOf(facts),
    weightLbs: facts.box?.weightLbs ?? null,
    cubicInches: volumeOf(facts.box),
    itemClass: facts.itemClass,
  };
}

/**
 * The last day on sale. What a shop still has retires when that is no longer believed, so that its
 * value does not rise yet; of others nobody knows, and the estimator guesses from the release.
 */
function retirementOf(facts: SetFacts): number | null {
  if (facts.retireDate !== null) return parseDay(facts.retireDate);
  return facts.isOnSale === true ? lifetimeOf(facts, null).retiredAt : null;
}

/** The volume of a box in cubic inches; null unless all of its sides are known. */
function volumeOf(box: Box | null): number | null {
  if (box === null) return null;
  const { widthIn, heightIn, depthIn } = box;
  if (widthIn === null || heightIn === null || depthIn === null) return null;
  return widthIn * heightIn * depthIn;
}

/** The first instant of a year; null when it is not known. */
export function yearStart(year: number | null): number | null {
  return year === null ? null : Date.UTC(year, 0, 1);
}
