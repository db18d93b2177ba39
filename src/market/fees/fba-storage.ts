/** Computes Amazon's storage fees for a box until it is sold. */

import type { Box } from '../../catalog/items/catalog.ts';
import { dayMs, dayOf, monthOf, monthStart } from '../../kernel/time.ts';
import { type StoredBox, scheduleAt, storedBox } from './fba.ts';
import { type StorageSchedule, storageSchedules } from './fba-storage-fees.ts';

const cubicInchesPerFoot = 12 ** 3;

/** Counted from 0. */
const october = 9;

/** The day of the month on which the age of stock is assessed. */
const agedDay = 15;

/** A limit of ten years. */
const daysMax = 3_650;

/**
 * The storage fees for a box from its arrival until it is sold; null if its size or weight is
 * unknown. Partial months are charged by day.
 */
export function storageCents(
  box: Box,
  { at, days }: { readonly at: number; readonly days: number },
): number | null {
  const stored = storedBox(box, at);
  if (stored === null) return null;
  const firstDay = dayOf(at);
  const endDay = firstDay + Math.min(Math.round(days), daysMax);
  let sum = 0;
  for (let day = firstDay; day < endDay; ) {
    const month = monthAt(day);
    const until = Math.min(month.endDay, endDay);
    const schedule = scheduleAt(storageSchedules, day * dayMs);
    sum += (rateOf(schedule, month, stored) * (until - day)) / (month.endDay - month.firstDay);
    const assessedDay = month.firstDay + agedDay - 1;
    if (assessedDay >= day && assessedDay < until) {
      sum += agedCents(schedule, assessedDay - firstDay, stored);
    }
    day = until;
  }
  return Math.round(sum);
}

/** Days are counted from 1970. */
interface Month {
  readonly firstDay: number;
  readonly endDay: number;
  readonly isPeak: boolean;
}

function monthAt(day: number): Month {
  const month = monthOf(day * dayMs);
  return {
    firstDay: dayOf(monthStart(month)),
    endDay: dayOf(monthStart(month + 1)),
    isPeak: month % 12 >= october,
  };
}

/** The fee for a whole month, in fractional cents. */
function rateOf({ usual, peak }: StorageSchedule, month: Month, stored: StoredBox): number {
  const rates = month.isPeak ? peak : usual;
  const perFoot = stored.isStandardSize ? rates.standardSize : rates.larger;
  return (perFoot * stored.cubicInches) / cubicInchesPerFoot;
}

function agedCents({ aged }: StorageSchedule, ageDays: number, stored: StoredBox): number {
  const rate = aged.findLast(({ fromDay }) => fromDay <= ageDays);
  if (!rate) return 0;
  return Math.max((rate.perCubicFoot * stored.cubicInches) / cubicInchesPerFoot, rate.minCents);
}
