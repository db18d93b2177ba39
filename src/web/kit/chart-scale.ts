/** The axis labels of charts. */
import { formatDay } from '../../kernel/time.ts';
import { monthText, pageFormats } from './format.ts';

export type ChartUnit = 'usd' | 'count' | 'percent';

export interface ValueTick {
  readonly value: number;
  readonly text: string;
}

/** The approximate number of grid lines. */
const steps = 4;

/** Two or more round values that enclose all others, and 0 for bars. */
export function valueTicks(unit: ChartUnit, values: readonly number[], hasZero: boolean) {
  const bounds = hasZero ? [0] : [];
  const low = values.reduce((least, value) => Math.min(least, value), bounds[0] ?? Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), bounds[0] ?? -Infinity);
  if (low > high) return [];
  const step = roundStep((high - low || Math.abs(high) || 1) / steps, unit);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const value = Number(((first + index) * step).toPrecision(12));
    return { value, text: tickText(unit, value) };
  });
}

/** The round number at or above a step: 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(step: number, unit: ChartUnit): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= step - power * 1e-9) ?? 10;
  const rounded = factor * power;
  return unit === 'count' ? Math.max(1, Math.ceil(rounded)) : rounded;
}

/** An amount is in the currency shown. */
export function tickText(unit: ChartUnit, value: number): string {
  const formats = pageFormats();
  if (unit === 'usd') return formats.shortMoney(value);
  if (unit === 'percent') return `${formats.count(value)}%`;
  return `${value < 0 ? '-' : ''}${formats.short(Math.abs(value))}`;
}

interface DateTick {
  readonly seconds: number;
  readonly text: string;
  /** Whether narrow screens leave it out. */
  readonly isExtra: boolean;
}

const daySeconds = 86_400;
const monthDays = 30.44;
const datesMax = 8;

/** Evenly spaced dates: days, first days of months, or years. */
export function dateTicks(first: number, last: number): DateTick[] {
  const days = (last - first) / daySeconds;
  const ticks = days <= 100 ? dayTicks(first, last) : monthTicks(first, last, days);
  return ticks.map((tick, index) => ({ ...tick, isExtra: index % 2 === 1 }));
}

type PlainTick = Pick<DateTick, 'seconds' | 'text'>;

function dayTicks(first: number, last: number): PlainTick[] {
  const days = Math.round((last - first) / daySeconds);
  const every = [1, 2, 3, 7, 14].find((each) => days / each < datesMax) ?? 14;
  const ticks: PlainTick[] = [];
  for (let at = first; at <= last; at += every * daySeconds) {
    ticks.push({ seconds: at, text: pageFormats().dayOfYear(formatDay(at * 1000)) });
  }
  return ticks;
}

function monthTicks(first: number, last: number, days: number): PlainTick[] {
  const months = days / monthDays;
  const every = [1, 2, 3, 6, 12, 24, 60, 120].find((each) => months / each <= datesMax) ?? 240;
  const start = new Date(first * 1000);
  const ticks: PlainTick[] = [];
  for (
    let month = start.getUTCMonth() - (start.getUTCMonth() % Math.min(every, 12));
    ;
    month += every
  ) {
    const at = Date.UTC(start.getUTCFullYear(), month, 1) / 1000;
    if (at > last) return ticks;
    if (at >= first) ticks.push({ seconds: at, text: monthForm(every, at) });
  }
}

function monthForm(every: number, at: number): string {
  const month = formatDay(at * 1000).slice(0, 7);
  return every >= 12 ? month.slice(0, 4) : monthText(month);
}
