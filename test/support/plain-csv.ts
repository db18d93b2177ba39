/** Reads a CSV file the plainest way, to compare with what the importers make of it. */
import { readFileSync } from 'node:fs';

/** The rows of a file, by the names in its header; blanks are empty texts. */
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
