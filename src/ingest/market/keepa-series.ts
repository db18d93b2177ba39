/** Time series of a Keepa product, and cursors over them. */
import { minuteMs } from '../../kernel/time.ts';
import { RowError } from '../runner/fields.ts';

/** Keepa times are minutes since the start of 2011. */
const keepaEpochMinutes = 21_564_000;

/** In 2100. */
const minutesMax = 47_000_000;

const entriesMax = 200_000;

/** Instants in order, each with the value from then on; null is no offer. */
export interface Series {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

export function keepaInstant(minutes: number): number {
  return (minutes + keepaEpochMinutes) * minuteMs;
}

/** Null if unknown, which Keepa writes as 0 or -1. */
export function keepaInstantOrNull(value: unknown): number | null {
  return isTime(value) && value > 0 ? keepaInstant(value) : null;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= minutesMax;
}

/** Whether entries include shipping. */
export type SeriesForm = 'price' | 'price and shipping';

/** Reads `csv[index]`; null if the series is not in the response. */
export function readSeries(csv: unknown, index: number, form: SeriesForm): Series | null {
  const list: unknown = Array.isArray(csv) ? csv[index] : null;
  if (list === null || list === undefined) return null;
  const width = form === 'price' ? 2 : 3;
  if (!Array.isArray(list) || list.length % width !== 0) {
    throw new RowError(`'csv[${index}]' must be a list of time, ${form.replace(' and', ',')}`);
  }
  if (list.length === 0) return null;
  checkLength(`csv[${index}]`, list.length / width);
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (let at = 0; at < list.length; at += width) {
    const entry = list.slice(at, at + width);
    if (!entry.every(Number.isSafeInteger)) {
      throw new RowError(`'csv[${index}]' must hold only whole numbers`);
    }
    const [time, price, shipping = 0] = entry as number[];
    if (!isTime(time)) throw new RowError(`'csv[${index}]' has ${time}, which is not a Keepa time`);
    times.push(keepaInstant(time));
    values.push(total(price ?? -1, shipping));
  }
  checkOrder(`csv[${index}]`, times);
  return { times, values };
}

/** Price and shipping; null if there is no offer. */
function total(price: number, shipping: number): number | null {
  return price < 0 ? null : price + Math.max(shipping, 0);
}

/** Holders of the buy box over time; null if there is none, or it is unknown. */
export interface Holders {
  readonly times: readonly number[];
  readonly sellers: readonly (string | null)[];
}

/** Reads `buyBoxSellerIdHistory`, an alternating list of minutes and sellers. */
export function readHolders(history: unknown): Holders | null {
  if (!Array.isArray(history) || history.length === 0) return null;
  checkLength('buyBoxSellerIdHistory', history.length / 2);
  const times: number[] = [];
  const sellers: (string | null)[] = [];
  for (let at = 0; at + 1 < history.length; at += 2) {
    const minutes = Number(history[at]);
    if (!isTime(minutes)) {
      throw new RowError("'buyBoxSellerIdHistory' must be a list of minutes and sellers");
    }
    times.push(keepaInstant(minutes));
    const seller = String(history[at + 1]);
    sellers.push(seller.startsWith('-') ? null : seller);
  }
  checkOrder('buyBoxSellerIdHistory', times);
  return { times, sellers };
}

/** Moves forward through a series. */
export class Cursor<T> {
  private next = 0;

  constructor(
    private readonly times: readonly number[],
    private readonly values: readonly T[],
  ) {}

  moveTo(at: number): void {
    while ((this.times[this.next] ?? Number.POSITIVE_INFINITY) <= at) this.next++;
  }

  /** The current value; null before the start. */
  get value(): T | null {
    return this.values[this.next - 1] ?? null;
  }

  /** The start of the current value; null before the start. */
  get since(): number | null {
    return this.times[this.next - 1] ?? null;
  }
}

function checkLength(name: string, entries: number): void {
  if (entries > entriesMax) {
    throw new RowError(`'${name}' has ${entries} entries, more than ${entriesMax}`);
  }
}

function checkOrder(name: string, times: readonly number[]): void {
  const back = times.findIndex((time, index) => time < (times[index - 1] ?? time));
  if (back !== -1) throw new RowError(`'${name}' is not in order of time at entry ${back + 1}`);
}
