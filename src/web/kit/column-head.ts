/** Table headings, and the style of cells by their position. */

/** The heading of a column. */
export interface ColumnHead {
  readonly key: string;
  readonly name: string;
  readonly isNumber?: boolean;
  /** The title of the row, and of its card on a phone. */
  readonly isMain?: boolean;
  /** Whether it takes a full line of the card. */
  readonly isWide?: boolean;
  /** Whether it stays on one line, as dates and actions do. */
  readonly isOneLine?: boolean;
  /** Whether cards leave it out, as do tables of many columns on a tablet. */
  readonly isMinor?: boolean;
  /** Whether the list can be sorted by it. */
  readonly isSortable?: boolean;
  /** Whether only screen readers get the name. */
  readonly isNameHidden?: boolean;
}

/** The class of a table that has a column at a position, starting at 1. */
export function placeClass(key: string, place: number): string {
  return `${key}-${place}`;
}

/**
 * Names and alignment of cells, for columns at any of these positions. They are in the style sheet
 * once, instead of in every cell of hundreds of rows.
 */
export function placedStyle(
  columns: readonly ColumnHead[],
  places: { readonly from: number; readonly to: number },
): string {
  const aligned: string[] = [];
  const onTablets: string[] = [];
  const onCards: string[] = [];
  for (const { key, name, isNumber, isOneLine, isMinor } of columns) {
    for (let place = places.from; place <= places.to; place++) {
      const cell = `.${placeClass(key, place)} td:nth-child(${place})`;
      const align = isNumber ? ' text-align: right;' : '';
      if (isNumber || isOneLine) aligned.push(`${cell} {${align} white-space: nowrap; }`);
      const named = `${cell}::before { content: ${JSON.stringify(name)}; }`;
      const column = `.${placeClass(key, place)} :is(th, td):nth-child(${place})`;
      if (isMinor) onTablets.push(`${column} { display: none; }`);
      onCards.push(isMinor ? `${cell} { display: none; }` : named);
    }
  }
  // Rows are cards on a phone, and tablets have less room: see `.cards` in style.css.
  return [
    `@media (min-width: 40.01rem) {\n${aligned.join('\n')}\n}`,
    `@media (min-width: 40.01rem) and (max-width: 60rem) {\n${onTablets.join('\n')}\n}`,
    `@media (max-width: 40rem) {\n${onCards.join('\n')}\n}`,
  ].join('\n');
}
