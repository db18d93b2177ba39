/** Plain text tables. */
import { at } from '../domain/kernel/at.ts';
import { escapeHiddenCharacters } from '../domain/kernel/text.ts';

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
