/** A minimal CSV reader, to compare the importers with. */
import { readFileSync } from 'node:fs';

/** The rows by column name; missing fields are empty strings. */
export function readPlainCsv(path: string): Readonly<Record<string, string>>[] {
  const lines: string[][] = [[]];
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    lines.at(-1)?.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
    if (end !== ',') lines.push([]);
  }
  const [header = [], ...rows] = lines.filter((line) => line.length > 1);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}
