/** The values of a set now and at recent month ends, packed so that thousands can be read fast. */

import { lastDayOf, type Month } from '../../kernel/time.ts';
import type { Series } from '../history/history.ts';
import { type Condition, conditions } from '../source-rows/source-rows.ts';

/** A year of points, the month before it, and one spare. */
const recentMonths = 14;

export interface UnitValues {
  readonly newCents: number | null;
  readonly usedCents: number | null;
}

/** The values of consecutive finalized months; null before the first sale. */
export interface RecentMonths {
  readonly firstMonth: Month;
  readonly valueCents: readonly (number | null)[];
}

/**
 * A value published on a day (counted from 1970) before the first month with a value was final.
 * Without these, a recently valued or unsold set would appear to gain its whole value today, every
 * day.
 */
export interface EarlyValue {
  readonly day: number;
  readonly cents: number;
}

export interface SetValues extends UnitValues {
  readonly months: Readonly<Record<Condition, RecentMonths | null>>;
  /** Values published before the first month with a value was final, oldest first. */
  readonly early: Readonly<Record<Condition, readonly EarlyValue[]>>;
}

/** Updates the values with what is published on a day. */
export function nextSetValues(
  before: SetValues | null,
  published: UnitValues & {
    readonly day: number;
    readonly series: Readonly<Record<Condition, Series | null>>;
  },
): SetValues {
  const { day, series, newCents, usedCents } = published;
  const early = (condition: Condition, cents: number | null) =>
    nextEarlyValues(before?.early[condition] ?? [], {
      day,
      cents,
      monthsFrom: firstValuedDay(series[condition]),
    });
  return {
    newCents,
    usedCents,
    months: { sealed: latestMonths(series.sealed), used: latestMonths(series.used) },
    early: { sealed: early('sealed', newCents), used: early('used', usedCents) },
  };
}

/** Enough for a value that changes every month. */
const earlyMax = 16;

/** Appends a published value if it differs from the last one. */
export function nextEarlyValues(
  known: readonly EarlyValue[],
  published: {
    readonly day: number;
    readonly cents: number | null;
    /** The last day of the first month with a value; from then on the months contain it. */
    readonly monthsFrom: number | null;
  },
): readonly EarlyValue[] {
  const { day, cents, monthsFrom } = published;
  if (monthsFrom !== null) return known.filter((value) => value.day < monthsFrom);
  const last = known.at(-1);
  // A publication for an earlier day does not change later values.
  if (cents === null || last?.cents === cents || (last && last.day > day)) return known;
  const values = [...known.filter((value) => value.day < day), { day, cents }];
  // The first value is kept, because it shows since when there is one.
  return values.length > earlyMax ? values.toSpliced(1, 1) : values;
}

/** Removes early values from a day on; null if there are none to remove. */
export function valuesBefore(values: SetValues, day: number): SetValues | null {
  const { sealed, used } = values.early;
  const early = {
    sealed: sealed.filter((value) => value.day < day),
    used: used.filter((value) => value.day < day),
  };
  const isSame = early.sealed.length === sealed.length && early.used.length === used.length;
  return isSame ? null : { ...values, early };
}

function firstValuedDay(series: Series | null): number | null {
  if (series === null) return null;
  const index = series.points.findIndex((point) => point.valueCents !== null);
  return index >= 0 ? lastDayOf(series.firstMonth + index) : null;
}

function latestMonths(series: Series | null): RecentMonths | null {
  if (series === null || series.points.length === 0) return null;
  const points = series.points.slice(-recentMonths);
  const firstMonth = series.firstMonth + series.points.length - points.length;
  return { firstMonth, valueCents: points.map((point) => point.valueCents) };
}

/** Incremented when the layout below changes. */
const packedFormat = 1;

/** Packs values as 32-bit numbers: current, then per condition the months and early values. */
export function packSetValues(values: SetValues): Uint8Array {
  const numbers = [packedFormat, values.newCents ?? -1, values.usedCents ?? -1];
  for (const condition of conditions) {
    const { firstMonth, valueCents } = values.months[condition] ?? {
      firstMonth: 0,
      valueCents: [],
    };
    numbers.push(firstMonth, valueCents.length, ...valueCents.map((cents) => cents ?? -1));
    const early = values.early[condition];
    numbers.push(early.length, ...early.flatMap(({ day, cents }) => [day, cents]));
  }
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, number] of numbers.entries()) view.setInt32(index * 4, number, true);
  return new Uint8Array(view.buffer);
}

/** The inverse of `packSetValues`; null for another format. */
export function unpackSetValues(packed: Uint8Array): SetValues | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let position = 0;
  const next = () => view.getInt32(4 * position++, true);
  if (next() !== packedFormat) return null;
  const nextCents = () => {
    const cents = next();
    return cents < 0 ? null : cents;
  };
  const nextMonths = (): RecentMonths | null => {
    const firstMonth = next();
    const valueCents = new Array<number | null>(next());
    for (let index = 0; index < valueCents.length; index++) valueCents[index] = nextCents();
    return valueCents.length === 0 ? null : { firstMonth, valueCents };
  };
  const nextEarly = (): readonly EarlyValue[] => {
    const count = next();
    return count === 0
      ? none
      : Array.from({ length: count }, () => ({ day: next(), cents: next() }));
  };
  const [newCents, usedCents] = [nextCents(), nextCents()];
  const [sealed, sealedEarly, used, usedEarly] = [
    nextMonths(),
    nextEarly(),
    nextMonths(),
    nextEarly(),
  ];
  const early = { sealed: sealedEarly, used: usedEarly };
  return { newCents, usedCents, months: { sealed, used }, early };
}

const none: readonly EarlyValue[] = [];
