/** Simulates the European Central Bank: rates on weekdays, published at 15:00 UTC. */
import { type Clock, dayMs, dayOf, formatDay, hourMs } from '../../src/kernel/time.ts';
import type { SourceHandler } from './faults.ts';
import { answerFile, type StoredFile } from './stored-file.ts';
import { archive, deflated } from './zip.ts';

export interface EcbWorld {
  readonly clock: Clock;
  /** Counted from 1970. */
  readonly firstDay: number;
  /** Besides EUR and USD. */
  readonly currencies: readonly string[];
  /** Null before the first rate. */
  usdPerUnit(currency: string, at: number): number | null;
  /** Besides weekends. */
  isHoliday?(day: number): boolean;
}

const publishedMs = 15 * hourMs;
const recentDays = 90;

export function simulateEcb(world: EcbWorld): SourceHandler {
  return (request) => {
    const latest = lastDay(world);
    const at = latest * dayMs + publishedMs;
    const name = new URL(request.url).pathname.split('/').at(-1) ?? '';
    return answerFile(request, fileOf(name, { world, latest, at }));
  };
}

interface Publication {
  readonly world: EcbWorld;
  readonly latest: number;
  readonly at: number;
}

function fileOf(name: string, { world, latest, at }: Publication): StoredFile | null {
  const { firstDay } = world;
  if (name === 'eurofxref-daily.xml') return xmlFile(world, { from: latest, to: latest, at });
  if (name === 'eurofxref-hist-90d.xml') {
    return xmlFile(world, { from: Math.max(firstDay, latest - recentDays), to: latest, at });
  }
  if (name !== 'eurofxref-hist.zip') return null;
  const table = new TextEncoder().encode(tableOf(world, latest));
  const bytes = archive([deflated('eurofxref-hist.csv', table)]);
  return { bytes, type: 'application/zip', at };
}

function lastDay(world: EcbWorld): number {
  let day = dayOf(world.clock() - publishedMs);
  while (!hasRates(world, day)) day--;
  return day;
}

function hasRates({ isHoliday }: EcbWorld, day: number): boolean {
  // January 1, 1970 was a Thursday.
  return ![2, 3].includes(day % 7) && !isHoliday?.(day);
}

function daysBetween(world: EcbWorld, from: number, to: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, index) => to - index);
  return all.filter((day) => hasRates(world, day));
}

function xmlFile(
  world: EcbWorld,
  { from, to, at }: { readonly from: number; readonly to: number; readonly at: number },
): StoredFile {
  const days = daysBetween(world, from, to).map((day) => {
    const rates = ['USD', ...world.currencies].flatMap((currency) => {
      const rate = unitsPerEuro(world, currency, day);
      return rate === null ? [] : [`\t\t\t<Cube currency='${currency}' rate='${rate}'/>\n`];
    });
    return `\t\t<Cube time='${formatDay(day * dayMs)}'>\n${rates.join('')}\t\t</Cube>\n`;
  });
  const text =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" ' +
    'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">\n' +
    '\t<gesmes:subject>Reference rates</gesmes:subject>\n\t<gesmes:Sender>\n' +
    '\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>\n' +
    `\t<Cube>\n${days.join('')}\t</Cube>\n</gesmes:Envelope>\n`;
  return { bytes: new TextEncoder().encode(text), type: 'text/xml', at };
}

function tableOf(world: EcbWorld, latest: number): string {
  const currencies = ['USD', ...world.currencies];
  const rows = daysBetween(world, world.firstDay, latest).map((day) => {
    const cells = currencies.map((currency) => unitsPerEuro(world, currency, day) ?? 'N/A');
    return `${formatDay(day * dayMs)},${cells.join(',')},\n`;
  });
  return `Date,${currencies.join(',')},\n${rows.join('')}`;
}

/** With as many digits as the ECB. */
function unitsPerEuro(world: EcbWorld, currency: string, day: number): string | null {
  const euro = world.usdPerUnit('EUR', day * dayMs);
  const unit = currency === 'USD' ? 1 : world.usdPerUnit(currency, day * dayMs);
  return euro === null || unit === null ? null : String(Number((euro / unit).toPrecision(5)));
}
