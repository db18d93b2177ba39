/** Extracts the facts that a set's value depends on from its catalog record. */

import type { Box, SetFacts } from '../../catalog/items/catalog.ts';
import { lifetimeOf } from '../../catalog/items/status.ts';
import { parseDay } from '../../kernel/time.ts';
import type { ValuationFacts } from './estimator.ts';

export function setValuationFacts(facts: SetFacts): ValuationFacts {
  const { releaseDate } = facts;
  return {
    msrpCents: facts.msrpCents,
    pieces: facts.pieces,
    minifigs: facts.minifigsCount ?? facts.minifigs?.length ?? null,
    theme: facts.theme,
    subtheme: facts.subtheme,
    // If only the year is known, its first day.
    releasedAt: releaseDate === null ? yearStart(facts.year) : parseDay(releaseDate),
    retiredAt: retirementOf(facts),
    weightLbs: facts.box?.weightLbs ?? null,
    cubicInches: volumeOf(facts.box),
    itemClass: facts.itemClass,
  };
}

/**
 * The last day on sale. A set without a retirement date that a shop still sells retires at the end
 * of its assumed lifetime, so that its value does not rise yet; for other sets the estimator
 * assumes one.
 */
function retirementOf(facts: SetFacts): number | null {
  if (facts.retireDate !== null) return parseDay(facts.retireDate);
  return facts.isOnSale === true ? lifetimeOf(facts, null).retiredAt : null;
}

/** In cubic inches; null unless all sides are known. */
function volumeOf(box: Box | null): number | null {
  if (box === null) return null;
  const { widthIn, heightIn, depthIn } = box;
  if (widthIn === null || heightIn === null || depthIn === null) return null;
  return widthIn * heightIn * depthIn;
}

export function yearStart(year: number | null): number | null {
  return year === null ? null : Date.UTC(year, 0, 1);
}
