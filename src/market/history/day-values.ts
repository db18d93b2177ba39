/**
 * The values of an item at the ends of recent days, as they were published: those of the months
 * that are not final yet. Stored only where they change.
 */
import { dayOf, lastFinalMonth, monthStart } from '../../kernel/time.ts';
import type { Condition } from '../source-rows/source-rows.ts';
import type { UnitValues } from '../values/set-values.ts';

/** The values from a day on (counted from 1970), until the next one. */
export interface DayValue extends UnitValues {
  readonly day: number;
}

/** The first day that is not in a final month. */
export function firstOpenDay(at: number): number {
  return dayOf(monthStart(lastFinalMonth(at) + 1));
}

/** Adds what is published at an instant. Of the days in final months, the last value is kept. */
export function nextDayValues(
  known: readonly DayValue[],
  { at, newCents, usedCents }: UnitValues & { readonly at: number },
): readonly DayValue[] {
  const day = dayOf(at);
  // A publication for an earlier day does not change later values.
  if ((known.at(-1)?.day ?? day) > day) return known;
  const earlier = known.filter((value) => value.day < day);
  const before = earlier.at(-1) ?? { newCents: null, usedCents: null };
  const isSame = before.newCents === newCents && before.usedCents === usedCents;
  const values = isSame ? earlier : [...earlier, { day, newCents, usedCents }];
  const from = firstOpenDay(at);
  return values.slice(
    Math.max(
      0,
      values.findLastIndex((value) => value.day <= from),
    ),
  );
}

/** Without values from a day on; null if there are none to remove. */
export function dayValuesBefore(
  known: readonly DayValue[],
  day: number,
): readonly DayValue[] | null {
  const kept = known.filter((value) => value.day < day);
  return kept.length === known.length ? null : kept;
}

/** A day (counted from 1970) and the value at its end, or the current one; null if none. */
export interface DailyValue {
  readonly day: number;
  readonly cents: number | null;
}

/** Each day that is not in a final month, from the first one with a value until today. */
export function listDailyValues(
  known: readonly DayValue[],
  current: UnitValues,
  { condition, at }: { readonly condition: Condition; readonly at: number },
): DailyValue[] {
  const centsOf = (values: UnitValues | undefined) =>
    (condition === 'sealed' ? values?.newCents : values?.usedCents) ?? null;
  const today = dayOf(at);
  const days: DailyValue[] = [];
  for (let day = firstOpenDay(at); day <= today; day++) {
    const value = day === today ? current : known.findLast((each) => each.day <= day);
    const cents = centsOf(value);
    if (days.length > 0 || cents !== null) days.push({ day, cents });
  }
  return days;
}

/** Incremented when the layout below changes. */
const packedFormat = 1;

const numbersPerDay = 3;

/** Packs values as 32-bit numbers: day, new, used. */
export function packDayValues(values: readonly DayValue[]): Uint8Array {
  const numbers = new Int32Array(1 + numbersPerDay * values.length);
  numbers[0] = packedFormat;
  for (const [index, { day, newCents, usedCents }] of values.entries()) {
    numbers.set([day, newCents ?? -1, usedCents ?? -1], 1 + numbersPerDay * index);
  }
  return new Uint8Array(numbers.buffer);
}

/** The inverse of `packDayValues`; empty for another format. */
export function unpackDayValues(packed: Uint8Array | null): readonly DayValue[] {
  if (packed === null) return [];
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.getInt32(0, true) !== packedFormat) return [];
  const values: DayValue[] = [];
  const centsAt = (position: number) => {
    const cents = view.getInt32(position, true);
    return cents < 0 ? null : cents;
  };
  for (let position = 4; position < packed.byteLength; position += 4 * numbersPerDay) {
    values.push({
      day: view.getInt32(position, true),
      newCents: centsAt(position + 4),
      usedCents: centsAt(position + 8),
    });
  }
  return values;
}
