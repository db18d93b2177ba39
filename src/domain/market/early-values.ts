/**
 * What a set was valued at before the first month with a value was final. Without it, a set that
 * was only valued lately, or is valued without sales, would seem to get its value today, every day.
 */

/** A value that was published on a day, counted from 1970. */
export interface EarlyValue {
  readonly day: number;
  readonly cents: number;
}

/** Enough for a value that moves every month. */
const earlyMax = 16;

/** Goes on with what was published before: a value that has changed is written down. */
export function nextEarlyValues(
  known: readonly EarlyValue[],
  published: {
    readonly day: number;
    /** Null when no value is known. */
    readonly cents: number | null;
    /** The last day of the first month with a value; from there on the months tell. */
    readonly monthsFrom: number | null;
  },
): readonly EarlyValue[] {
  const { day, cents, monthsFrom } = published;
  if (monthsFrom !== null) return known.filter((value) => value.day < monthsFrom);
  const last = known.at(-1);
  // What is published about the past does not change what was said later.
  if (cents === null || last?.cents === cents || (last && last.day > day)) return known;
  const values = [...known.filter((value) => value.day < day), { day, cents }];
  // The first one stays: it tells since when there is a value at all.
  return values.length > earlyMax ? values.toSpliced(1, 1) : values;
}
