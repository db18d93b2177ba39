/**
 * Reference rates of the European Central Bank for a day, 90 days or all time, as XML or CSV. Units
 * per euro are converted to US dollars per unit.
 */
import { shortText } from '../../kernel/text.ts';
import { formatDay } from '../../kernel/time.ts';
import { feedFx } from '../feed/feed-market.ts';
import { peek } from '../readers/peek.work.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import { checkColumns, openTable, type Table, type TableRow } from '../readers/table.work.ts';
import { Fields, RowError } from '../runner/fields.ts';
import type { Format } from '../runner/format.work.ts';
import { type LocatedRow, readLocated, rejectedRow } from '../runner/located-row.ts';
import { type EcbDay, readEcbXml } from './ecb-xml.work.ts';

const filePattern = /\.(csv|xml|gz|zip)$/i;

export const ecb: Format = {
  isReadFirst: true,
  async *read(paths, options) {
    for await (const part of openSources(paths, options, filePattern)) {
      for await (const days of readDays(part)) {
        const now = options.clock();
        yield days.flatMap((day) => readDay(day, now));
      }
    }
  },
};

type DayOrReject = EcbDay | { readonly row: TableRow; readonly reason: string };

async function* readDays(part: SourcePart): AsyncGenerator<DayOrReject[]> {
  const peeked = await peek(part);
  if (peeked.line === '') throw new SourceFileError(`${part.name} is empty.`);
  if (peeked.line.startsWith('<')) yield* readEcbXml(peeked.part);
  else yield* readTable(peeked.part);
}

async function* readTable(part: SourcePart): AsyncGenerator<DayOrReject[]> {
  const table = await openTable(part);
  checkColumns(table, ['date', 'usd'], 'a file of ECB rates');
  const currencies = currenciesOf(table);
  for await (const rows of table.rows()) {
    yield rows.map((row) =>
      row.mismatch === null ? dayOf(row, currencies) : { row, reason: row.mismatch },
    );
  }
}

/** Headers end with a comma, so the last column has no name. */
function currenciesOf(table: Table): string[] {
  const names = table.header.filter((name) => name !== '' && name.toLowerCase() !== 'date');
  const wrong = names.find((name) => !/^[A-Za-z]{3}$/.test(name));
  if (wrong === undefined) return names;
  throw new SourceFileError(
    `${table.name}:1: the column '${shortText(wrong)}' is not a currency; are these ECB rates?`,
  );
}

function dayOf(row: TableRow, currencies: readonly string[]): EcbDay {
  const rates = new Map<string, string>();
  for (const currency of currencies) {
    const text = row.text(currency);
    // The currency had no rate yet, or no longer has one.
    if (text !== null && text !== 'N/A') rates.set(currency, text);
  }
  return {
    date: isoDay(row.text('date') ?? ''),
    rates,
    where: row.where,
    get text() {
      return row.line;
    },
  };
}

/** The daily table has dates such as `13 November 2026`. */
function isoDay(text: string): string {
  const isLong = /^\d{1,2} [A-Za-z]+ \d{4}$/.test(text);
  const at = isLong ? Date.parse(`${text} UTC`) : Number.NaN;
  return Number.isNaN(at) ? text : formatDay(at);
}

/** A row for each currency of the day and for the euro. */
function readDay(day: DayOrReject, now: number): LocatedRow[] {
  if ('reason' in day) return [rejectedRow(day.row.location, day.reason)];
  const dollars = unitsOf(day.rates.get('USD') ?? '');
  if (dollars === null) {
    return [rejectedRow(day, 'there is no USD rate for this day, so nothing can be converted')];
  }
  return ['EUR', ...day.rates.keys()]
    .filter((currency) => currency !== 'USD')
    .map((currency) =>
      readLocated(day, () => {
        const text = currency === 'EUR' ? '1' : (day.rates.get(currency) ?? '');
        const units = unitsOf(text);
        if (units === null) {
          throw new RowError(`'${currency}' must be a rate, not '${shortText(text)}'`);
        }
        const record = { date: day.date, currency, usd_per_unit: dollars / units };
        return { row: feedFx.read(new Fields(record, now)) };
      }),
    );
}

function unitsOf(text: string): number | null {
  const units = /^\d{1,12}(\.\d{1,12})?$/.test(text) ? Number(text) : 0;
  return units > 0 ? units : null;
}
