/**
 * The status of a set between announcement and retirement. If sources do not know the retirement,
 * it is inferred from the age of the set and from retailers' own offers. The constants were
 * measured on real catalogs (docs/decisions/catalog.md).
 */

import { dayMs, formatDay, parseDay } from '../../kernel/time.ts';
import type { SetDescription } from './catalog.ts';

/** A set is retiring soon within this time before its retirement. */
const retiringSoonMs = 90 * dayMs;

/** A set counts as on sale for this long after a retailer's own offer in stock. */
const onSaleMs = 180 * dayMs;

/** Without a known retirement or offer, a set counts as retired this long after its release. */
const shelfMaxMs = 730 * dayMs;

/** A shop's claim that a set is on sale is trusted for this long after the release. */
const shopShelfMaxMs = 3650 * dayMs;

/** A retirement this soon after the release yields to a source with a later one. */
const earlyRetirementMs = 730 * dayMs;

/** Dates from sources; any may be unknown, and the retirement may be in the future. */
export interface SetDates extends Pick<SetDescription, 'releaseDate' | 'retireDate' | 'year'> {
  /** Whether a source says that a shop still has it; absent in older records. */
  readonly isOnSale?: true | null;
}

/** When the status of a set changes. */
export interface Lifetime {
  /** If only the year is known, its start. */
  readonly releasedAt: number | null;
  readonly retiringSoonAt: number | null;
  /** The end of the last day. */
  readonly retiredAt: number | null;
  /** The last day on sale; null if unknown. */
  readonly lastDay: string | null;
}

/** In order of status ID. */
export const statusNames = ['Announced', 'Available', 'Retiring soon', 'Retired'] as const;

export function statusName(statusId: number): string | null {
  return statusNames[statusId - 1] ?? null;
}

/** 1 announced, 2 available, 3 retiring soon, 4 retired. */
export type StatusId = 1 | 2 | 3 | 4;

/** `ownOfferAt` is when a retailer's own offer was last observed in stock. */
export function lifetimeOf(dates: SetDates, ownOfferAt: number | null): Lifetime {
  const { retireDate } = dates;
  const releasedAt = releaseOf(dates);
  const notBefore = ownOfferAt === null ? Number.NEGATIVE_INFINITY : ownOfferAt + onSaleMs;
  if (retireDate === null) {
    const shelfMs = dates.isOnSale === true ? shopShelfMaxMs : shelfMaxMs;
    const retiredAt = releasedAt === null ? null : Math.max(releasedAt + shelfMs, notBefore);
    return { releasedAt, retiringSoonAt: null, retiredAt, lastDay: null };
  }
  const retiredAt = (parseDay(retireDate) ?? 0) + dayMs;
  if (ownOfferAt !== null && ownOfferAt >= retiredAt && isEarlyRetirement(dates)) {
    const lastDay = formatDay(ownOfferAt);
    return { releasedAt, retiringSoonAt: null, retiredAt: notBefore, lastDay };
  }
  return {
    releasedAt,
    retiringSoonAt: retiredAt - retiringSoonMs,
    retiredAt,
    lastDay: retireDate,
  };
}

/** Whether the retirement is so soon after the release that other sources may override it. */
export function isEarlyRetirement(dates: SetDates): boolean {
  const releasedAt = releaseOf(dates);
  const lastDay = dates.retireDate === null ? null : parseDay(dates.retireDate);
  return releasedAt !== null && lastDay !== null && lastDay <= releasedAt + earlyRetirementMs;
}

export function statusAt(lifetime: Lifetime, at: number): StatusId {
  const { releasedAt, retiringSoonAt, retiredAt } = lifetime;
  if (retiredAt !== null && at >= retiredAt) return 4;
  if (releasedAt !== null && at < releasedAt) return 1;
  return retiringSoonAt !== null && at >= retiringSoonAt ? 3 : 2;
}

/** The instants at which the status changes by the passage of time. */
export function statusChanges({ releasedAt, retiringSoonAt, retiredAt }: Lifetime): number[] {
  return [releasedAt, retiringSoonAt, retiredAt].filter((at) => at !== null);
}

function releaseOf({ releaseDate, year }: SetDates): number | null {
  if (releaseDate !== null) return parseDay(releaseDate);
  return year === null ? null : Date.UTC(year, 0, 1);
}
