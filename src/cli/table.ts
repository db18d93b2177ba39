/** Plain text tables, and the flag of commands that can also print them as CSV. */
import { at } from '../kernel/at.ts';
import { escapeHiddenCharacters } from '../kernel/text.ts';
import { UsageError } from './row.ts';

export const tableOrCsv = {
  help: 'table (default) or csv',
  value: 'HOW',
  choices: ['table', 'csv'],
  default: 'table',
} as const;

export function checkFormat(
  { format }: { readonly format: string | null },
  { isJson }: { readonly isJson: boolean },
): void {
  if (format === 'csv' && isJson) throw new UsageError('--json cannot be used with csv.');
}

/** A table with a row for each entry, whose cells are named by their headings. */
export function tableOf<Entry>(
  entries: readonly Entry[],
  columns: Readonly<Record<string, (entry: Entry) => string | number>>,
): string {
  const rows = entries.map((entry) => Object.values(columns).map((cell) => cell(entry)));
  return table(Object.keys(columns), rows);
}

/** Columns of numbers are right-aligned, and control characters are escaped. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [
    heading,
    ...rows.map((row) => row.map((cell) => escapeHiddenCharacters(String(cell)))),
  ];
  const widths = heading.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  const isNumber = heading.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return cells
    .map((row) =>
      row
        .map((cell, column) => {
          const width = at(widths, column);
          return isNumber[column] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
