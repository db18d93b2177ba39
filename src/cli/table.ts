/** Rows of text in columns, for people. */
import { escapeHiddenCharacters } from '../domain/kernel/text.ts';

/**
 * A table with a heading; numbers are set to the right. What strangers wrote is shown, and does
 * nothing to the terminal.
 */
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
          const width = widths[column] ?? 0;
          return isNumber[column] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
