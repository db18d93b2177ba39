/** Terminal output: colors, and tables that fit the width. */
import { at } from '../../kernel/at.ts';
import { lazy } from '../../kernel/lazy.ts';
import { escapeHiddenCharacters } from '../../kernel/text.ts';

/** `good` and `bad` are for gains and losses. */
type Tone = 'heading' | 'quiet' | 'good' | 'bad';

export interface Screen {
  /** Columns; null for a file or a pipe, whose lines have no limit. */
  readonly width: number | null;
  /** Returns the text unchanged without colors. */
  paint(tone: Tone, text: string): string;
}

const codes: Readonly<Record<Tone, number>> = { heading: 1, quiet: 2, good: 32, bad: 31 };

/** Without columns (a file or a pipe) there are no colors. */
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

export function gainTone(amount: number | null): Tone | null {
  if (amount === null || amount === 0) return null;
  return amount > 0 ? 'good' : 'bad';
}

export interface Column<Row> {
  readonly title: string;
  text(row: Row): string;
  /** Right-aligned. */
  readonly isNumber?: boolean;
  /** Can be truncated to make the table fit. */
  readonly isCut?: boolean;
  tone?(row: Row): Tone | null;
}

const gap = '  ';

/** Truncated columns keep at least this width. */
const cutWidthMin = 12;

/** Notes are printed below their row. */
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
        const width = at(widths, index);
        const text = cutToWidth(at(cells, index), width);
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
    const cells = line(at(texts, index), ({ tone }) => tone?.(row) ?? null);
    return note === '' ? [cells] : [cells, screen.paint('quiet', `${gap}${note}`)];
  });
  return [line(titles, () => 'heading'), ...lines].join('\n');
}

/** As wide as the contents; if that does not fit, the widest cuttable columns shrink. */
function fittingWidths<Row>(
  columns: readonly Column<Row>[],
  texts: readonly (readonly string[])[],
  screenWidth: number | null,
): number[] {
  const widths = columns.map(({ title }, index) =>
    texts.reduce(
      (width, row) => Math.max(width, Bun.stringWidth(at(row, index))),
      Bun.stringWidth(title),
    ),
  );
  if (screenWidth === null) return widths;
  const gaps = gap.length * (columns.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, gaps) - screenWidth;
  while (excess > 0) {
    const cut = columns.map(({ isCut }, index) => {
      const width = at(widths, index);
      return isCut && width > cutWidthMin ? width : 0;
    });
    const widest = Math.max(...cut);
    if (widest === 0) break;
    widths[cut.indexOf(widest)] = widest - 1;
    excess--;
  }
  return widths;
}

const letters = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Truncates with an ellipsis, by display width. */
export function cutToWidth(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of letters().segment(text)) {
    if (Bun.stringWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

/** Aligned lines of names and values; empty values are left out. */
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

/** Escapes control characters in all texts of the data. */
export function showable<T>(data: T): T {
  if (typeof data === 'string') return escapeHiddenCharacters(data) as T;
  if (Array.isArray(data)) return data.map(showable) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, showable(each)])) as T;
}
