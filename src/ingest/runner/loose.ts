/** Parses amounts, whole numbers and dates as people and spreadsheets write them. */
import { parseDay } from '../../kernel/time.ts';

export interface LooseMoney {
  /** In hundredths, rounded half up. */
  readonly cents: number;
  readonly currency: string | null;
}

/** A bare `$` is the US dollar. */
const signs: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
  NZ$: 'NZD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  zł: 'PLN',
  Kč: 'CZK',
};

/** Currencies written as `kr`. */
const crowns: ReadonlySet<string> = new Set(['SEK', 'DKK', 'NOK']);

/** Fewer digits than numbers hold exactly. */
const digitsMax = 12;

/**
 * Parses amounts such as `$1,234.50`, `€40,08`, `1.234,5 EUR` or `-3.1415`; null if invalid. `code`
 * is the currency from elsewhere in the file, which disambiguates `kr`.
 */
export function looseMoney(text: string, code: string | null = null): LooseMoney | null {
  const bare = text.replace(/[\s\u00a0\u202f]/g, '');
  const match = /^(-?)([^\d.,-]*)(-?)([\d.,]+)([^\d.,-]*)$/.exec(bare);
  if (!match || (match[1] && match[3])) return null;
  const [, minus, before = '', inner, digits = '', after = ''] = match;
  const isMarked = before + after !== '';
  const currency = isMarked ? currencyOf([before, after], code) : null;
  if (isMarked && currency === null) return null;
  const amount = decimalOf(digits);
  const cents = amount === null ? null : hundredths(amount);
  if (cents === null) return null;
  return { cents: minus || inner ? -cents : cents, currency };
}

export function decimalsIn(text: string): number {
  const digits = text.replace(/[^\d.,]/g, '');
  return decimalOf(digits)?.split('.')[1]?.length ?? 0;
}

/** With or without thousands separators; null if invalid. */
export function looseWhole(text: string): number | null {
  const bare = text.trim();
  if (/^\d{1,3}([,.'\u00a0 ]\d{3})+$/.test(bare)) return Number(bare.replace(/\D/g, ''));
  return /^\d{1,15}(\.0+)?$/.test(bare) ? Number(bare) : null;
}

/**
 * Parses a price with more than two decimals, in ten-thousandths, rounded half up; null if invalid.
 * Commas separate thousands.
 */
export function tenThousandths(text: string): number | null {
  const match = /^(-?)([\d,]*)(?:\.(\d*))?$/.exec(text.trim());
  const [, minus, grouped = '', part = ''] = match ?? [];
  const whole = grouped.replaceAll(',', '');
  if (whole + part === '' || whole.length > digitsMax) return null;
  const padded = part.padEnd(5, '0');
  const units = Number(whole) * 10_000 + Number(padded.slice(0, 4));
  const value = units + (Number(padded[4]) >= 5 ? 1 : 0);
  return minus ? -value : value;
}

/** Parses `19.1` or `19,1`; null if invalid. */
export function looseNumber(text: string): number | null {
  const bare = text.trim();
  return /^\d{1,12}([.,]\d+)?$/.test(bare) ? Number(bare.replace(',', '.')) : null;
}

/** The order of ambiguous dates. */
export type DayOrder = 'day first' | 'month first';

/** `31/12/2025`, `12/31/25`, `31.12.2025` or `31-12-2025`, optionally with a time. */
const slashedDay = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[ T].*)?$/;

/** Parses a date to `YYYY-MM-DD`, ignoring the time; null if invalid. */
export function looseDay(text: string, order: DayOrder): string | null {
  const bare = text.trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(bare);
  if (iso) return checkedDay(iso[1], iso[2], iso[3]);
  const yearFirst = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:[ T].*)?$/.exec(bare);
  if (yearFirst) return checkedDay(yearFirst[1], yearFirst[2], yearFirst[3]);
  const slashed = slashedDay.exec(bare);
  if (slashed) {
    const [, first, second, written = ''] = slashed;
    const year = written.length === 2 ? `20${written}` : written;
    return order === 'day first'
      ? checkedDay(year, second, first)
      : checkedDay(year, first, second);
  }
  return namedDay(bare);
}

/** The order that a date implies; null if it is ambiguous. */
export function shownOrder(text: string): DayOrder | null {
  const match = slashedDay.exec(text.trim());
  if (!match) return null;
  if (Number(match[1]) > 12) return 'day first';
  return Number(match[2]) > 12 ? 'month first' : null;
}

const monthNames = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
];

/** `Sep-04-26`, `Sep 4, 2026` or `4 Sep 2026`. */
function namedDay(text: string): string | null {
  const monthFirst = /^([A-Za-z]{3,9})[- .]+(\d{1,2})[-, ]+(\d{2}|\d{4})(?:\b.*)?$/.exec(text);
  const dayFirst = /^(\d{1,2})[- .]+([A-Za-z]{3,9})[-., ]+(\d{2}|\d{4})(?:\b.*)?$/.exec(text);
  const [month, day, year] = monthFirst
    ? [monthFirst[1], monthFirst[2], monthFirst[3]]
    : [dayFirst?.[2], dayFirst?.[1], dayFirst?.[3]];
  const index = monthNames.indexOf(month?.slice(0, 3).toLowerCase() ?? '');
  if (index < 0 || year === undefined) return null;
  return checkedDay(year.length === 2 ? `20${year}` : year, String(index + 1), day);
}

function checkedDay(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseDay(text) === null ? null : text;
}

function currencyOf(marks: readonly string[], code: string | null): string | null {
  const given = marks.filter((each) => each !== '');
  const [mark = ''] = given.filter((each) => !isCrown(each));
  if (given.some(isCrown)) {
    const crown = (mark || code || '').toUpperCase();
    return crowns.has(crown) ? crown : null;
  }
  if (Object.hasOwn(signs, mark)) return signs[mark] ?? null;
  return /^[A-Za-z]{3}$/.test(mark) ? mark.toUpperCase() : null;
}

function isCrown(mark: string): boolean {
  return mark.toLowerCase() === 'kr';
}

/** Normalizes digits to a decimal point: the last `.` or `,`, unless it separates thousands. */
function decimalOf(digits: string): string | null {
  if (!/\d/.test(digits)) return null;
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return digits;
  const mark = digits.charAt(last);
  const other = mark === '.' ? ',' : '.';
  const [whole, part] = [digits.slice(0, last), digits.slice(last + 1)];
  // Thousands groups do not start with 0.
  const isGroup = mark === ',' && part.length === 3 && /^[1-9]/.test(whole);
  const isThousands = (isGroup && !whole.includes(other)) || whole.includes(mark);
  const grouped = isThousands ? digits : whole;
  if (!isGrouped(grouped)) return null;
  const bare = grouped.replace(/[.,]/g, '');
  return isThousands ? bare : `${bare || '0'}.${part || '0'}`;
}

/** Digits without separators, or in groups of three with the same separator. */
function isGrouped(text: string): boolean {
  return /^(\d*|[1-9]\d{0,2}((,\d{3})+|(\.\d{3})+))$/.test(text);
}

/** Rounded half up, without binary fractions; null if too large. */
function hundredths(decimal: string): number | null {
  const [whole = '0', part = ''] = decimal.split('.');
  if (whole.length > digitsMax) return null;
  const padded = `${part}000`;
  const cents = Number(whole) * 100 + Number(padded.slice(0, 2));
  return cents + (Number(padded[2]) >= 5 ? 1 : 0);
}
