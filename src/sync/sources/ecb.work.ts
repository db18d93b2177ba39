/** Rates of the European Central Bank: all at first, then daily, or 90 days if days were missed. */
import { dayText } from '../../kernel/format.ts';
import { asObject, type JsonValue } from '../../kernel/json.ts';
import { dayMs, dayOf, formatDay, hourMs, minuteMs, parseDay } from '../../kernel/time.ts';
import { noValidators, SourceError, type Validators } from '../client.work.ts';
import type { Plan, PlannedCall } from '../connector.work.ts';
import { fetchFile, validatorsIn } from '../responses.work.ts';
import { baseUrl, defineSource } from '../source.work.ts';

/** Rates are published at about 15:00 UTC in winter, and an hour earlier in summer. */
const publishedMs = 15 * hourMs + 15 * minuteMs;

/** Longer gaps are not covered by the file of 90 days. */
const gapDaysMax = 85;

const files = {
  history: 'eurofxref-hist.zip',
  recent: 'eurofxref-hist-90d.xml',
  daily: 'eurofxref-daily.xml',
} as const;
type EcbFile = keyof typeof files;
type RatesFile = Exclude<EcbFile, 'history'>;

/** The cursor. Days are counted from 1970. */
type Bookmark = {
  /** The last day with imported rates. */
  readonly through: number;
  /** The last day that was requested; holidays have no rates. */
  readonly asked: number;
  readonly validators: Readonly<Record<RatesFile, Validators>>;
};

const nothingKnown: Bookmark['validators'] = { daily: noValidators, recent: noValidators };

export const ecbSource = defineSource({
  name: 'ecb',
  data: 'Exchange rates',
  settings: { url: baseUrl('https://www.ecb.europa.eu/stats/eurofxref/') },
  connect: ({ url }) => ({
    budget: null,
    check: async (client) => {
      const fetched = await fetchFile(client, { url: new URL(files.daily, url) });
      const latest = latestDay(files.daily, fetched?.bytes ?? new Uint8Array());
      return `Connected to the European Central Bank. Latest rates: ${shownDay(latest)}.`;
    },
    plan: async ({ cursor, at }) => plan(url, readBookmark(cursor), at),
  }),
});

function plan(url: URL, bookmark: Bookmark | null, at: number): Plan {
  const due = lastPublished(at);
  if (bookmark === null) {
    return { calls: [historyCall(url, due, 'no rates have been fetched yet')], nextAt: at };
  }
  const { through, asked } = bookmark;
  const nextAt = nextPublication(at);
  if (through >= due || asked >= due) return { calls: [], nextAt };
  if (due - through > gapDaysMax) {
    const reason = `no rates since ${shownDay(through)}`;
    return { calls: [historyCall(url, due, reason)], nextAt: at };
  }
  const call =
    through >= weekdayBefore(due)
      ? ratesCall(url, 'daily', { bookmark, due, reason: 'new rates are out' })
      : ratesCall(url, 'recent', { bookmark, due, reason: `no rates since ${shownDay(through)}` });
  return { calls: [call], nextAt };
}

/** All rates. The daily file is requested right after it, so its last day does not matter. */
function historyCall(url: URL, due: number, reason: string): PlannedCall {
  const through = weekdayBefore(due);
  return plannedCall('history', reason, async (client) => {
    const fetched = await fetchFile(client, { url: new URL(files.history, url) });
    if (fetched === null || !isZip(fetched.bytes)) throw noRates(files.history);
    return {
      files: [{ name: files.history, bytes: fetched.bytes, format: 'ecb' }],
      cursor: { through, asked: through, validators: nothingKnown },
      hasMore: true,
    };
  });
}

interface Asking {
  readonly bookmark: Bookmark;
  /** The day that should be published. */
  readonly due: number;
  readonly reason: string;
}

function ratesCall(url: URL, file: RatesFile, { bookmark, due, reason }: Asking): PlannedCall {
  return plannedCall(file, reason, async (client) => {
    const unlessSame = bookmark.validators[file];
    const fetched = await fetchFile(client, { url: new URL(files[file], url), unlessSame });
    // A holiday or a late publication; if late, the day is caught up next time.
    if (fetched === null) return { files: [], cursor: { ...bookmark, asked: due } };
    const { bytes, validators } = fetched;
    return {
      files: [{ name: files[file], bytes, format: 'ecb' }],
      cursor: {
        through: Math.max(bookmark.through, latestDay(files[file], bytes)),
        asked: due,
        validators: { ...bookmark.validators, [file]: validators },
      },
    };
  });
}

function plannedCall(file: EcbFile, reason: string, ask: PlannedCall['ask']): PlannedCall {
  return { subject: files[file], reason, cost: 1, questions: [], ask };
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** The latest day in a file; throws if it has no rates. */
function latestDay(file: string, bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  const times = [...text.matchAll(/<Cube time=['"]([\d-]+)['"]/g)];
  const days = times.flatMap(([, time = '']) => parseDay(time) ?? []);
  if (days.length === 0 || !/<\/gesmes:Envelope>\s*$/.test(text)) throw noRates(file);
  return dayOf(Math.max(...days));
}

function noRates(file: string): SourceError {
  return new SourceError(`The European Central Bank sent ${file} without any rates.`, 'later');
}

function shownDay(day: number): string {
  return dayText(formatDay(day * dayMs));
}

/** The last day whose rates should be published. */
function lastPublished(at: number): number {
  return lastWeekday(dayOf(at - publishedMs));
}

function nextPublication(at: number): number {
  let day = lastPublished(at) + 1;
  while (!isWeekday(day)) day++;
  return day * dayMs + publishedMs;
}

function weekdayBefore(day: number): number {
  return lastWeekday(day - 1);
}

function lastWeekday(day: number): number {
  return isWeekday(day) ? day : lastWeekday(day - 1);
}

/** January 1, 1970 was a Thursday; there are no rates on weekends. */
function isWeekday(day: number): boolean {
  return ![2, 3].includes(day % 7);
}

function readBookmark(cursor: JsonValue): Bookmark | null {
  const { through, asked, validators } = asObject(cursor) ?? {};
  if (typeof through !== 'number' || typeof asked !== 'number') return null;
  const { daily, recent } = asObject(validators) ?? {};
  return {
    through,
    asked,
    validators: { daily: validatorsIn(daily), recent: validatorsIn(recent) },
  };
}
