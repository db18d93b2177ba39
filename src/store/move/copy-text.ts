/** Encodes rows of the embedded store in the text format of PostgreSQL's COPY. */

import { copiedText } from '../postgres/bulk.ts';
import type { Column, ColumnType, Table } from '../sql/tables.ts';
import { MoveError } from './move-error.ts';
import type { Source } from './source.ts';

/** Characters per chunk. */
const pieceLength = 128 * 1024;

type Row = Readonly<Record<string, unknown>>;

/** The rows of a table in chunks. `onRows` gets the number of rows since the last call. */
export function* copyPieces(
  source: Pick<Source, 'rows'>,
  table: Table,
  onRows: (count: number) => void,
): Generator<string> {
  let piece = '';
  let rows = 0;
  for (const row of source.rows(table, table.columns.map(({ name }) => name).join(', '))) {
    piece += encodeRow(table, row as Row);
    rows++;
    if (piece.length < pieceLength) continue;
    yield piece;
    onRows(rows);
    piece = '';
    rows = 0;
  }
  if (piece !== '') yield piece;
  onRows(rows);
}

function encodeRow(table: Table, row: Row): string {
  const texts = table.columns.map((column) => {
    const value = row[column.name];
    const text = value === null ? '\\N' : encoders[column.type](value);
    if (text === null) throw unfit(table, column, row);
    return text;
  });
  return `${texts.join('\t')}\n`;
}

/** The text of a value; null if it has the wrong type or cannot be stored. */
const encoders: Readonly<Record<ColumnType, (value: unknown) => string | null>> = {
  // Larger integers may have lost precision when they were read.
  integer: (value) => (Number.isSafeInteger(value) ? String(value) : null),
  boolean: (value) => (value === 1 ? 't' : value === 0 ? 'f' : null),
  double: (value) => (typeof value === 'number' ? String(value) : null),
  text: (value) => (typeof value === 'string' ? encodeText(value) : null),
  bytes: (value) =>
    value instanceof Uint8Array ? `\\\\x${Buffer.from(value).toString('hex')}` : null,
};

/** Null: U+0000 cannot be stored. */
function encodeText(text: string): string | null {
  return text.includes('\u0000') ? null : copiedText(text);
}

function unfit(table: Table, { name, type }: Column, row: Row): MoveError {
  const key = table.key.map((column) => `${column} ${JSON.stringify(row[column])}`).join(', ');
  const why =
    type === 'text'
      ? 'text that PostgreSQL cannot store (U+0000)'
      : `a value that is not of type ${type}`;
  return new MoveError(
    `Nothing was moved: '${table.name}' holds ${why} in '${name}' of the row with ${key}. ` +
      'Correct that row in the embedded store and move again.',
  );
}
