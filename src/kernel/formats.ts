/** Formats amounts, numbers and dates for people, by locale and currency. Text is English. */
import { dateFormat, numberFormat } from './intl.ts';
import { lazy } from './lazy.ts';

/** The rate by which dollars are shown in another currency. */
export interface Exchange {
  readonly currency: string;
  readonly perUsd: number;
  /** The day of the rate, YYYY-MM-DD. */
  readonly date: string;
}

export const usLocale = 'en-US';

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

type DateOrder = 'month first' | 'day first' | 'year first';

export class Formats {
  private readonly findOrder = lazy(() => orderOf(this.locale));

  constructor(
    readonly locale: string = usLocale,
    /** Null: amounts are shown in dollars. */
    readonly exchange: Exchange | null = null,
  ) {}

  get order(): DateOrder {
    return this.findOrder();
  }

  /** The same for formats that show everything in the same way. */
  get key(): string {
    const { locale, exchange } = this;
    return exchange === null ? locale : `${locale} ${exchange.currency} ${exchange.perUsd}`;
  }

  money(cents: number): string {
    return this.amount('money', cents);
  }

  /** An amount with its sign. */
  gain(cents: number): string {
    return this.amount('gain', cents);
  }

  private amount(kind: 'money' | 'gain', cents: number): string {
    const { locale, exchange } = this;
    if (exchange === null) return numberFormat(kind, locale).format(cents / 100);
    const { currency, perUsd } = exchange;
    // With a no-break space: the mark alone would say nothing.
    return `≈\u00a0${numberFormat(kind, locale, currency).format((cents / 100) * perUsd)}`;
  }

  /** An amount in the currency shown, with a short number: $950, $1.5K. For the axes of charts. */
  shortMoney(amount: number): string {
    const { locale, exchange } = this;
    const parts = numberFormat('money', locale, exchange?.currency).formatToParts(
      amount < 0 ? -1 : 1,
    );
    return parts
      .map(({ type, value }) => {
        if (type === 'integer') return this.short(Math.abs(amount));
        return type === 'decimal' || type === 'fraction' ? '' : value;
      })
      .join('');
  }

  /** A short number: 950, 1.5K, 20K, 3M. */
  short(value: number): string {
    const threeDigits = numberFormat('short', this.locale);
    if (value >= 1_000_000) return `${threeDigits.format(value / 1_000_000)}M`;
    if (value >= 10_000) return `${threeDigits.format(value / 1_000)}K`;
    return value % 1 === 0 ? this.count(value) : this.decimal(value, 2);
  }

  /** Marks the amounts of a text that stay in dollars, where others are converted. */
  inDollars(text: string): string {
    return this.exchange === null ? text : text.replaceAll(/(?<![A-Za-z])\$(?=\d|\))/g, 'US$');
  }

  /** The rate of the currency shown, such as 0.92. */
  rate(perUsd: number): string {
    return numberFormat('rate', this.locale).format(perUsd);
  }

  count(count: number): string {
    return numberFormat('count', this.locale).format(count);
  }

  /** A signed percentage with one decimal. */
  percent(percent: number): string {
    return `${numberFormat('signedTenths', this.locale).format(percent)}%`;
  }

  decimal(value: number, count: number): string {
    const [whole = '', decimals] = Math.abs(value).toFixed(count).split('.');
    const sign = value < 0 && Number(value.toFixed(count)) !== 0 ? '-' : '';
    return `${sign}${this.count(Number(whole))}${decimals ? `${this.decimalMark}${decimals}` : ''}`;
  }

  private get decimalMark(): string {
    const parts = numberFormat('signedTenths', this.locale).formatToParts(0.5);
    return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  }

  /** Formats YYYY-MM-DD as Nov 16, 2026, 16 Nov 2026 or 2026-11-16. */
  day(day: string): string {
    const [year, month, date] = day.split('-');
    const name = monthNames[Number(month) - 1];
    if (this.order === 'year first') return day;
    const isDayFirst = this.order === 'day first';
    return isDayFirst ? `${Number(date)} ${name} ${year}` : `${name} ${Number(date)}, ${year}`;
  }

  /** The same without the year. */
  dayOfYear(day: string): string {
    const [, month, date] = day.split('-');
    const name = monthNames[Number(month) - 1];
    if (this.order === 'year first') return `${month}-${date}`;
    return this.order === 'day first' ? `${Number(date)} ${name}` : `${name} ${Number(date)}`;
  }

  /** Formats YYYY-MM as Nov 2026 or 2026-11. */
  month(month: string): string {
    const [year, number] = month.split('-');
    return this.order === 'year first' ? month : `${monthNames[Number(number) - 1]} ${year}`;
  }

  /** Formats an instant as Nov 16, 2026, 15:11 UTC. */
  moment(at: number, timeZone: string): string {
    const partOf = momentParts(at, timeZone);
    const month = String(monthNames.indexOf(partOf('month')) + 1).padStart(2, '0');
    const day = `${partOf('year')}-${month}-${partOf('day').padStart(2, '0')}`;
    return `${this.day(day)}, ${partOf('hour')}:${partOf('minute')} ${partOf('timeZoneName')}`;
  }

  /** Formats the time of day as 15:11. */
  timeOfDay(at: number, timeZone: string): string {
    const partOf = momentParts(at, timeZone);
    return `${partOf('hour')}:${partOf('minute')}`;
  }
}

function momentParts(at: number, timeZone: string): (name: string) => string {
  const parts = dateFormat('moment', usLocale, timeZone).formatToParts(at);
  return (name) => parts.find(({ type }) => type === name)?.value ?? '';
}

/** The English name of a currency, such as euros. */
export function currencyName(currency: string): string {
  const parts = numberFormat('currencyName', usLocale, currency).formatToParts(2);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** The order of day, month and year in a locale. */
function orderOf(locale: string): DateOrder {
  const parts = dateFormat('day', locale).formatToParts(0);
  const first = parts.find(({ type }) => type === 'day' || type === 'month' || type === 'year');
  if (first?.type === 'year') return 'year first';
  return first?.type === 'day' ? 'day first' : 'month first';
}
