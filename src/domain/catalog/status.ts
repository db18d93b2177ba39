/**
 * Where a set stands between announcement and retirement, on a given day. Sources often do not know
 * when a set retired; then its age, and what retailers themselves sell, tell whether it did. The
 * numbers were measured on real catalogs (docs/decisions/catalog.md).
 */
import { dayMs, formatDay, parseDay } from '../kernel/time.ts';

/** A set within this time of its retirement is retiring soon. */
const retiringSoonMs = 90 * dayMs;

/** So long after a retailer itself had a set in stock, the set is taken to be on sale. */
const onSaleMs = 180 * dayMs;

/** A set of unknown retirement, and not on sale, has retired this long after its release. */
const shelfMaxMs = 730 * dayMs;

/** A shop that still has a set is believed for this long: what it has for longer, it forgot. */
const shopShelfMaxMs = 3650 * dayMs;

/** A retirement within this time of the release gives way to whoever says later. */
const earlyRetirementMs = 730 * dayMs;

/** The dates that sources give; all may be unknown, and retirement may lie ahead. */
export interface SetDates {
  readonly releaseDate: string | null;
  readonly retireDate: string | null;
  readonly year: number | null;
  /** Whether a shop is said to have it still; older records do not say it. */
  readonly isOnSale?: true | null;
}

/** When the status of a set changes. */
export interface Lifetime {
  /** The start of the year when only that is known. */
  readonly releasedAt: number | null;
  readonly retiringSoonAt: number | null;
  /** When the last day has passed. */
  readonly retiredAt: number | null;
  /** The last day on sale; null when it is not known. */
  readonly lastDay: string | null;
}

/** What statuses are called, in their order. */
export const statusNames = ['Announced', 'Available', 'Retiring soon', 'Retired'] as const;

/** What a status is called; null when there is no such status. */
export function statusName(statusId: number): string | null {
  return statusNames[statusId - 1] ?? null;
}

/** 1 announced, 2 available, 3 retiring soon, 4 retired. */
export type StatusId = 1 | 2 | 3 | 4;

/** When a set comes and goes; `ownOfferAt`: when a retailer itself last had it in stock. */
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

/** Whether a set is said to have retired so soon after its release that others are asked. */
export function isEarlyRetirement(dates: SetDates): boolean {
  const releasedAt = releaseOf(dates);
  const lastDay = dates.retireDate === null ? null : parseDay(dates.retireDate);
  return releasedAt !== null && lastDay !== null && lastDay <= releasedAt + earlyRetirementMs;
}

/** The status at an instant. */
export function statusAt(lifetime: Lifetime, at: number): StatusId {
  const { releasedAt, retiringSoonAt, retiredAt } = lifetime;
  if (retiredAt !== null && at >= retiredAt) return 4;
  if (releasedAt !== null && at < releasedAt) return 1;
  return retiringSoonAt !== null && at >= retiringSoonAt ? 3 : 2;
}

/** The instants at which the status changes by itself. */
export function statusChanges({ releasedAt, retiringSoonAt, retiredAt }: Lifetime): number[] {
  return [releasedAt, retiringSoonAt, retiredAt].filter((at) => at !== null);
}

function releaseOf({ releaseDate, year }: SetDates): number | null {
  if (releaseDate !== null) return parseDay(releaseDate);
  return year === null ? null : Date.UTC(year, 0, 1);
}
