/** Table headings, and the style of cells by their position. */
import { inDollars } from './format.ts';

export interface ColumnHead {
  readonly key: string;
  readonly name: string;
  readonly isNumber?: boolean;
  /** The title of the row, and of its card on a phone. */
  readonly isMain?: boolean;
  /** Whether it takes a full line of the card. */
  readonly isWide?: boolean;
  /** Whether it has days or moments, which are sorted from the newest. */
  readonly isDay?: boolean;
  /** Whether it stays on one line, as dates and actions do. */
  readonly isOneLine?: boolean;
  /** Whether cards leave it out, as do wide tables on a tablet. Screen readers still get it. */
  readonly isMinor?: boolean;
  /** Whether wide tables leave it out on a small tablet; cards have it. */
  readonly isSecondary?: boolean;
  /** Its place in rows of two lines on a phone; without one, it is in the unfolded row only. */
  readonly phone?: PhonePlace;
  readonly isSortable?: boolean;
  /** Whether only screen readers get the name. */
  readonly isNameHidden?: boolean;
  /** Whether its name is not in the style sheet, because a user chose it. */
  readonly isUnplaced?: boolean;
}

/**
 * At the right end, a figure on top and one at the bottom; below the name, a count and a detail,
 * which is cut if it is long.
 */
export type PhonePlace = 'top' | 'bottom' | 'count' | 'detail';

/** The class of a table that has a column at a position, starting at 1. */
export function columnClass(key: string, position: number): string {
  return `${key}-${position}`;
}

/**
 * Names and alignment of cells, for columns at any of these positions. They are in the style sheet
 * once, instead of in every cell of hundreds of rows.
 */
export function columnStyle(
  columns: readonly ColumnHead[],
  positions: { readonly from: number; readonly to: number },
): string {
  const aligned: string[] = [];
  const minor: string[] = [];
  const secondary: string[] = [];
  const named: string[] = [];
  for (const { key, name, isNumber, isOneLine, isMinor, isSecondary } of columns) {
    for (let position = positions.from; position <= positions.to; position++) {
      const cell = `.${columnClass(key, position)} td:nth-child(${position})`;
      const align = isNumber ? ' text-align: right;' : '';
      if (isNumber || isOneLine) aligned.push(`${cell} {${align} white-space: nowrap; }`);
      if (isMinor) minor.push(hideColumn(key, position, minorFrom));
      if (isSecondary) secondary.push(hideColumn(key, position, secondaryFrom));
      named.push(
        isMinor
          ? hideColumn(key, position)
          : `${cell}::before { content: ${JSON.stringify(name)}; }`,
      );
    }
  }
  // The same widths as in style.css, where other tables leave out columns and rows become cards.
  return [
    `@media (min-width: 48rem) {\n${aligned.join('\n')}\n}`,
    `@media (min-width: 48rem) and (max-width: 70rem) {\n${minor.join('\n')}\n}`,
    `@media (min-width: 48rem) and (max-width: 60rem) {\n${secondary.join('\n')}\n}`,
    `@media (max-width: 47.99rem) {\n${named.join('\n')}\n}`,
  ].join('\n');
}

/** Tables with fewer columns have room for all of them. */
const minorFrom = 9;
const secondaryFrom = 8;

/** Keeps a column for screen readers only, in tables of at least `from` columns. */
function hideColumn(key: string, position: number, from = 1): string {
  const table = `.${columnClass(key, position)}:has(th:nth-child(${from}))`;
  return `${table} :is(th, td):nth-child(${position}):not(:focus-within) { ${visuallyHidden} }`;
}

const visuallyHidden =
  'position: absolute; right: 0; width: 1px; height: 1px; padding: 0; overflow: hidden; ' +
  'clip-path: inset(50%);';

/** The heading of a column as the page shows it; names that a user chose stay as they are. */
export function headingOf({ name, isUnplaced }: ColumnHead): string {
  return isUnplaced ? name : inDollars(name);
}
