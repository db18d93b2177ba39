/** The values of a set, now and at the ends of recent months; packed, to read thousands fast. */
import type { Series } from './history.ts';
import { type Condition, conditions } from './market.ts';
import type { Month } from './time.ts';

/** Months that are kept at hand: a year of points, the month before it, and one to spare. */
const recentMonths = 14;

/** What one unit of a set is worth now; null when that is not known. */
export interface UnitValues {
  readonly newCents: number | null;
  readonly usedCents: number | null;
}

/** The values of consecutive finalized months; null before the first sale. */
export interface RecentMonths {
  readonly firstMonth: Month;
  readonly valueCents: readonly (number | null)[];
}

/** What one unit is worth now, and was at the ends of recent months. */
export interface SetValues extends UnitValues {
  readonly months: Readonly<Record<Condition, RecentMonths | null>>;
}

/** Packs values as 32-bit numbers: now, then per condition first month, count and months. */
export function packSetValues(
  now: UnitValues,
  series: Readonly<Record<Condition, Series | null>>,
): Uint8Array {
  const numbers = [now.newCents ?? -1, now.usedCents ?? -1];
  for (const condition of conditions) {
    const points = series[condition]?.points.slice(-recentMonths) ?? [];
    const skipped = (series[condition]?.points.length ?? 0) - points.length;
    numbers.push((series[condition]?.firstMonth ?? 0) + skipped, points.length);
    for (const point of points) numbers.push(point.valueCents ?? -1);
  }
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, number] of numbers.entries()) view.setInt32(index * 4, number, true);
  return new Uint8Array(view.buffer);
}

/** The inverse of `packSetValues`. */
export function unpackSetValues(packed: Uint8Array): SetValues {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let place = 0;
  const next = () => view.getInt32(4 * place++, true);
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
  const [newCents, usedCents] = [nextCents(), nextCents()];
  return { newCents, usedCents, months: { sealed: nextMonths(), used: nextMonths() } };
}
