/** Seasons of sales: in quiet months, a sale takes longer. */
import { at } from '../../kernel/at.ts';
import { dayMs, type Month, monthOf, monthStart } from '../../kernel/time.ts';
import type { Season } from '../evidence/evidence.ts';

const monthsPerYear = 12;
const daysPerYear = 365.25;

/** Days between two instants, each counted by how busy its month is. */
export function seasonalDays(season: Season, from: number, to: number): number {
  let days = 0;
  for (let start = from; start < to; ) {
    const month = monthOf(start);
    const end = Math.min(to, monthStart(month + 1));
    days += ((end - start) / dayMs) * indexIn(season, month);
    start = end;
  }
  return days;
}

/** The calendar days after an instant in which as much is sold as in `days` average ones. */
export function calendarDays(season: Season, from: number, days: number): number {
  // The season repeats, so whole years need no walk.
  const yearDays = Math.floor(days / daysPerYear) * daysPerYear;
  let left = days - yearDays;
  let start = from;
  while (true) {
    const month = monthOf(start);
    const end = monthStart(month + 1);
    const index = indexIn(season, month);
    const inMonth = ((end - start) / dayMs) * index;
    if (inMonth >= left) return yearDays + (start - from) / dayMs + left / index;
    left -= inMonth;
    start = end;
  }
}

function indexIn(season: Season, month: Month): number {
  return at(season, month % monthsPerYear);
}
