/** Values indexed to 100 at a common start: of an item, and of the sets of a theme. */
import { median } from '../../kernel/median.ts';
import { lastDayOf } from '../../kernel/time.ts';
import { indexSetsMin } from '../lists/market-list.ts';
import type { EarlyValue, RecentMonths } from '../values/set-values.ts';

/** An index of 100 on the first day. Days are counted from 1970. */
export interface IndexPoint {
  readonly day: number;
  readonly index: number;
}

/** The published values of an item in one condition; null where there is none. */
export interface ValueHistory {
  readonly months: RecentMonths | null;
  /** Values without a finalized month. */
  readonly early: readonly EarlyValue[];
  readonly liveCents: number | null;
}

/** An item or a theme to compare with: its first day, and its index from a later day on. */
export interface Comparable {
  /** Null if it has no values. */
  readonly firstDay: number | null;
  indexFrom(day: number): IndexPoint[];
}

export function comparableItem(history: ValueHistory, today: number): Comparable {
  const values = valuesOf(history, today);
  return {
    firstDay: values[0]?.day ?? null,
    indexFrom: (start) => {
      const base = values.findLast(({ day }) => day <= start)?.cents ?? 0;
      const later = values.filter(({ day }) => day > start);
      if (base === 0) return [];
      return [
        { day: start, index: 100 },
        ...later.map(({ day, cents }) => ({ day, index: (100 * cents) / base })),
      ];
    },
  };
}

/** Oldest first. */
function valuesOf({ months, early, liveCents }: ValueHistory, today: number): EarlyValue[] {
  const ends = (months?.valueCents ?? []).flatMap((cents, index) =>
    cents === null ? [] : [{ day: lastDayOf((months?.firstMonth ?? 0) + index), cents }],
  );
  const past = (ends.length > 0 ? ends : early).filter(({ day }) => day < today);
  return liveCents === null ? past : [...past, { day: today, cents: liveCents }];
}

/** The median change of sets with a value on the first day, if a few, as for a theme's index. */
export function comparableTheme(sets: readonly ValueHistory[], today: number): Comparable {
  const monthly = sets.flatMap(({ months, liveCents }) => (months ? [{ months, liveCents }] : []));
  const ends = Math.max(
    0,
    ...monthly.map(({ months }) => months.firstMonth + months.valueCents.length),
  );
  const starts = monthly.flatMap(({ months }) => firstValued(months) ?? []).sort((a, b) => a - b);
  const first = starts[indexSetsMin - 1];
  return {
    firstDay: first === undefined ? null : lastDayOf(first),
    indexFrom: (start) => {
      if (first === undefined) return [];
      let base = first;
      while (base + 1 < ends && lastDayOf(base + 1) <= start) base++;
      const basket = monthly.flatMap((set) => {
        const cents = valueIn(set.months, base);
        return cents ? [{ ...set, cents }] : [];
      });
      const points = [{ day: start, index: 100 }];
      const add = (day: number, ratios: readonly number[]) => {
        if (day > start && ratios.length >= indexSetsMin) {
          points.push({ day, index: 100 * median(ratios) });
        }
      };
      for (let month = base + 1; month < ends && lastDayOf(month) < today; month++) {
        const ratios = basket.flatMap(({ months, cents }) => {
          const value = valueIn(months, month);
          return value === null ? [] : value / cents;
        });
        add(lastDayOf(month), ratios);
      }
      add(
        today,
        basket.flatMap(({ liveCents, cents }) => (liveCents === null ? [] : liveCents / cents)),
      );
      return points;
    },
  };
}

function firstValued({ firstMonth, valueCents }: RecentMonths): number | null {
  const index = valueCents.findIndex((cents) => cents !== null);
  return index < 0 ? null : firstMonth + index;
}

function valueIn({ firstMonth, valueCents }: RecentMonths, month: number): number | null {
  return valueCents[month - firstMonth] ?? null;
}
