/** What people read in a terminal: its width, colors where it has them, and tables that fit it. */
import { lazy } from '../../domain/kernel/lazy.ts';
import { escapeHiddenCharacters } from '../../domain/kernel/text.ts';

/** What text stands out by; `good` and `bad` are gains and losses. */
export type Tone = 'heading' | 'quiet' | 'good' | 'bad';

/** Where text is shown. */
export interface Screen {
  /** How many characters fit in a line; null: as many as there are, as in a file. */
  readonly width: number | null;
  /** The text in a tone, where there are colors. */
  paint(tone: Tone, text: string): string;
}

const codes: Readonly<Record<Tone, number>> = { heading: 1, quiet: 2, good: 32, bad: 31 };

/** A screen of so many columns; null is a file or a pipe, which has no colors either. */
export function makeScreen(
  columns: number | null,
  { NO_COLOR = '', TERM }: Readonly<Record<string, string | undefined>>,
): Screen {
  const hasColors = columns !== null && NO_COLOR === '' && TERM !== 'dumb';
  return {
    width: columns,
    paint: (tone, text) =>
      hasColors && text !== '' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text,
  };
}

/** The tone of a gain or a loss; nothing stands out where there is neither. */
export function gainTone(amount: number | null): Tone | null {
  if (amount === null || amount === 0) return null;
  return amount > 0 ? 'good' : 'bad';
}

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  text(row: Row): string;
  /** Numbers are set to the right. */
  readonly isNumber?: boolean;
  /** It is cut where the table would be wider than the screen. */
  readonly isCut?: boolean;
  tone?(row: Row): Tone | null;
}

const gap = '  ';

/** A column that is cut keeps this much. */
const cutWidthMin = 12;

/** A table with a heading; what is to be said about a row stands below it. */
export function screenTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  screen: Screen,
  noteOf: (row: Row) => string = () => '',
): string {
  const texts = rows.map((row) => columns.map(({ text }) => text(row)));
  const widths = fittingWidths(columns, texts, screen.width);
  const line = (cells: readonly string[], toneOf: (column: Column<Row>) => Tone | null) =>
    columns
      .map((column, index) => {
        const width = widths[index] ?? 0;
        const text = cutToWidth(cells[index] ?? '', width);
        const tone = toneOf(column);
        const painted = tone === null ? text : screen.paint(tone, text);
        const isLast = index === columns.length - 1;
        const space = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)));
        if (column.isNumber) return space + painted;
        return isLast ? painted : painted + space;
      })
      .join(gap)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  const lines = rows.flatMap((row, index) => {
    const note = noteOf(row);
    const cells = line(texts[index] ?? [], ({ tone }) => tone?.(row) ?? null);
    return note === '' ? [cells] : [cells, screen.paint('quiet', `${gap}${note}`)];
  });
  return [line(titles, () => 'heading'), ...lines].join('\n');
}

/** As wide as what is in them; too wide a table takes from the columns that may be cut. */
function fittingWidths<Row>(
  columns: readonly Column<Row>[],
  texts: readonly (readonly string[])[],
  screenWidth: number | null,
): number[] {
  const widths = columns.map(({ title }, index) =>
    texts.reduce(
      (width, row) => Math.max(width, Bun.stringWidth(row[index] ?? '')),
      Bun.stringWidth(title),
    ),
  );
  if (screenWidth === null) return widths;
  const gaps = gap.length * (columns.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, gaps) - screenWidth;
  while (excess > 0) {
    const isCut = (index: number) =>
      columns[index]?.isCut === true && (widths[index] ?? 0) > cutWidthMin;
    const cut = widths.map((width, index) => (isCut(index) ? width : 0));
    const widest = Math.max(...cut);
    if (widest === 0) break;
    widths[cut.indexOf(widest)] = widest - 1;
    excess--;
  }
  return widths;
}

const letters = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** The text in so many columns at most: what is longer ends with an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of letters().segment(text)) {
    if (Bun.stringWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

/** Names with what they stand for, one below the other. */
export function screenFacts(
  facts: readonly (readonly [name: string, text: string | null])[],
  screen: Screen,
): string {
  const shown = facts.filter(([, text]) => text !== null && text !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, text]) => `  ${screen.paint('quiet', name.padEnd(width))}  ${text}`)
    .join('\n');
}

/** Data whose texts can be shown: what strangers wrote does nothing to the terminal. */
export function showable<T>(data: T): T {
  if (typeof data === 'string') return escapeHiddenCharacters(data) as T;
  if (Array.isArray(data)) return data.map(showable) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, showable(each)])) as T;
}
