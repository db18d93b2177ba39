/** The past values of an item: the end of each month, and today. */

import { dayMs, dayOf, lastDayOf, type Month, monthOf } from '../../kernel/time.ts';
import type { HistoryEvent, Restatement, Series } from '../../market/history/history.ts';
import { type Condition, conditions } from '../../market/source-rows/source-rows.ts';
import type { EarlyValue } from '../../market/values/set-values.ts';
import type { Worth } from './item-worth.ts';

export interface History {
  /** The finalized months; null if there are none. Minifigs have none. */
  readonly series: Readonly<Record<Condition, Series | null>>;
  /** Published values without a finalized month. */
  readonly early: Readonly<Record<Condition, readonly EarlyValue[]>>;
  readonly restatements: readonly Restatement[];
  readonly now: Readonly<Record<Condition, Worth>>;
}

/** A value from an instant on, and its range. */
export interface PastValue {
  readonly at: number;
  readonly valueCents: number | null;
  readonly lowCents: number | null;
  readonly highCents: number | null;
}

/** The values of one condition up to now, oldest first, from the first one on. */
export function pastValues({ series, early, now }: History, condition: Condition, at: number) {
  const months = pastMonths(series[condition]);
  const first = early[condition]
    .filter(({ day }) => day < dayOf(at))
    .map(({ day, cents }) => ({
      at: day * dayMs,
      valueCents: cents,
      lowCents: null,
      highCents: null,
    }));
  const { valueCents, range } = now[condition];
  const today = { at, valueCents, lowCents: null, highCents: null, ...range };
  return [...(months.length > 0 ? months : first), ...(valueCents === null ? [] : [today])];
}

function pastMonths(series: Series | null): PastValue[] {
  const first = series?.points.findIndex(({ valueCents }) => valueCents !== null) ?? -1;
  if (series === null || first < 0) return [];
  return series.points.slice(first).map(({ valueCents, lowCents, highCents }, index) => ({
    at: monthEnd(series.firstMonth + first + index),
    valueCents,
    lowCents,
    highCents,
  }));
}

/** The start of the last day of a month. */
function monthEnd(month: Month): number {
  return lastDayOf(month) * dayMs;
}

/** Events that are marked, by instant. Price jumps are visible anyway. */
export function historyNotes({ series, restatements }: History): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  const revision = Math.max(series.sealed?.revision ?? 0, series.used?.revision ?? 0);
  for (const { id, at } of restatements) {
    if (id <= revision) notes.set(monthEnd(monthOf(at)), 'Restated');
  }
  for (const condition of conditions) {
    const { firstMonth = 0, points = [] } = series[condition] ?? {};
    for (const [index, { event }] of points.entries()) {
      const name = event && eventNames[event];
      if (name) notes.set(monthEnd(firstMonth + index), name);
    }
  }
  return notes;
}

const eventNames: Readonly<Partial<Record<HistoryEvent, string>>> = {
  released: 'Released',
  retired: 'Retired',
};
