/** Days, months, weeks and instants, all in UTC. Instants are milliseconds since 1970. */

/** The current time; passed in wherever time matters. */
export type Clock = () => number;

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** A month becomes final on this day of the following month, at 00:00 UTC. */
const monthFinalDay = 8;

/** A month as one number, so that months can be counted: 12 × year + (0 to 11). */
export type Month = number;

/** Counted from 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** The start of the next UTC day, when allowances reset. */
export function nextMidnight(at: number): number {
  return (dayOf(at) + 1) * dayMs;
}

/** Cached, because many sales of one day are formatted in a row. */
let cached = { day: Number.NaN, text: '' };

/** As YYYY-MM-DD. */
export function formatDay(at: number): string {
  const day = dayOf(at);
  if (day !== cached.day) cached = { day, text: new Date(at).toISOString().slice(0, 10) };
  return cached.text;
}

/** As ISO 8601 with milliseconds. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString();
}

export function formatInstantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at);
}

/** The start of a day in the form YYYY-MM-DD; null if it is invalid. */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00Z`);
  // 31 April is read as 1 May, and 32 April as NaN.
  return new Date(at).getUTCDate() === Number(text.slice(-2)) ? at : null;
}

const clockForm = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?';
const offsetForm = '(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)';
const instantForm = new RegExp(`^\\d{4}-\\d{2}-\\d{2}T${clockForm}${offsetForm}$`, 'i');

/** An ISO 8601 instant with an offset or Z; null if it is invalid. */
export function parseInstant(text: string): number | null {
  if (!instantForm.test(text) || parseDay(text.slice(0, 'YYYY-MM-DD'.length)) === null) return null;
  const withColon = text.endsWith('Z') ? text : text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(withColon.toUpperCase());
  return Number.isNaN(at) ? null : at;
}

const [firstKnown, monthsKnown] = [1970 * 12, 200 * 12];

/** Starts of months for two centuries, precomputed because valuation needs them often. */
const monthStarts = Float64Array.from({ length: monthsKnown }, (_, i) => startOf(firstKnown + i));

const meanMonthMs = (365.2425 / 12) * dayMs;

export function monthOf(at: number): Month {
  // The estimate is off by at most one month.
  const guess = Math.floor(at / meanMonthMs);
  const start = monthStarts[guess];
  const end = monthStarts[guess + 1];
  if (start !== undefined && end !== undefined) {
    return firstKnown + guess + (at < start ? -1 : at >= end ? 1 : 0);
  }
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function monthStart(month: Month): number {
  return monthStarts[month - firstKnown] ?? startOf(month);
}

function startOf(month: Month): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

/** The start of the next month, when new parameters come into force. */
export function nextMonthStart(at: number): number {
  return monthStart(monthOf(at) + 1);
}

export function monthCut(month: Month): number {
  return monthStart(month + 1) + (monthFinalDay - 1) * dayMs;
}

export function lastFinalMonth(at: number): Month {
  const month = monthOf(at);
  return monthCut(month - 1) <= at ? month - 1 : month - 2;
}

export function nextMonthCut(at: number): number {
  return monthCut(lastFinalMonth(at) + 1);
}

/** As YYYY-MM. */
export function formatMonth(month: Month): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Parses YYYY-MM; null if it is invalid. */
export function parseMonth(text: string): Month | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  return match ? Number(match[1]) * 12 + Number(match[2]) - 1 : null;
}

/** 1 January 1970 was a Thursday; weeks start on Mondays. */
const firstMondayMs = -3 * dayMs;
export const weekMs = 7 * dayMs;

/** Counted from the Monday before 1 January 1970. */
export function weekOf(at: number): number {
  return Math.floor((at - firstMondayMs) / weekMs);
}

export function weekStart(week: number): number {
  return firstMondayMs + week * weekMs;
}

export function yearsBetween(from: number, to: number): number {
  return (to - from) / (365.25 * dayMs);
}

/** Counted from 1970. */
export function lastDayOf(month: Month): number {
  return monthStart(month + 1) / dayMs - 1;
}

/** Minutes since midnight as `HH:MM`. */
export function clockText(minutes: number): string {
  return formatInstant(minutes * minuteMs).slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length);
}
