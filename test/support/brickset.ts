/** Reads Brickset's CSV exports: real sets with their market values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValuationFacts } from '../../src/market/values/estimator.ts';

/** Values are in US dollars, null if unknown. */
export interface BricksetRow {
  readonly number: string;
  readonly facts: ValuationFacts;
  readonly newUsd: number | null;
  readonly usedUsd: number | null;
}

/** All rows of a folder's files, by file name and line. */
export function readBrickset(folder: string): BricksetRow[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .flatMap((name) => rowsOf(parseCsv(readFileSync(join(folder, name), 'utf8'))));
}

function rowsOf([header = [], ...lines]: string[][]): BricksetRow[] {
  const column = (name: string) => {
    const index = header.indexOf(name);
    if (index < 0) throw new Error(`There is no column "${name}" among: ${header.join(', ')}`);
    return index;
  };
  const names = ['Number', 'Theme', 'Subtheme', 'Year', 'Minifigs', 'Pieces', 'RRP (USD)'] as const;
  const values = ['Value new (USD)', 'Value used (USD)', 'Launch date', 'Exit date'] as const;
  const box = ['Width', 'Height', 'Depth', 'Weight'] as const;
  const columns = new Map([...names, ...values, ...box].map((name) => [name, column(name)]));
  return lines.map((line) => {
    const text = (name: (typeof names | typeof values | typeof box)[number]) =>
      line[columns.get(name) ?? -1] ?? '';
    const msrpUsd = amount(text('RRP (USD)'));
    const weightKg = amount(text('Weight'));
    const [width, height, depth] = [text('Width'), text('Height'), text('Depth')].map(amount);
    const cubicCm = width && height && depth ? width * height * depth : null;
    return {
      number: text('Number'),
      facts: {
        msrpCents: msrpUsd === null ? null : Math.round(msrpUsd * 100),
        pieces: amount(text('Pieces')),
        minifigs: amount(text('Minifigs')),
        theme: text('Theme') || null,
        subtheme: text('Subtheme') || null,
        // Like the publisher: January 1 if only the year is known.
        releasedAt: day(text('Launch date')) ?? Date.UTC(Number(text('Year')), 0, 1),
        retiredAt: day(text('Exit date')),
        weightLbs: weightKg && weightKg * 2.2046,
        cubicInches: cubicCm && cubicCm / 16.387,
        itemClass: 'set',
      },
      newUsd: amount(text('Value new (USD)')),
      usedUsd: amount(text('Value used (USD)')),
    };
  });
}

/** Blanks and zeros mean unknown. */
function amount(text: string): number | null {
  const value = Number(text);
  return value > 0 ? value : null;
}

/** Parses DD/MM/YYYY as midnight UTC. */
function day(text: string): number | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return match ? Date.UTC(Number(match[3]), Number(match[2]) - 1, Number(match[1])) : null;
}

/** The fields of each line; quoted fields may contain commas, line breaks and doubled quotes. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') lines.push([]);
  }
  return lines.filter((line) => line.length > 1);
}
