/** Inserts many rows with COPY. */
import type { Connection } from './client.ts';

export type Cell = string | number | boolean | null;

/** Lines per chunk. */
const pieceLines = 1_000;

/** Each row has a cell for every column. */
export async function copyRows(
  tx: Connection,
  table: { readonly name: string; readonly columns: readonly string[] },
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.copyIn(`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`, pieces(rows));
}

function* pieces(rows: readonly (readonly Cell[])[]): Generator<string> {
  for (let start = 0; start < rows.length; start += pieceLines) {
    const lines = rows.slice(start, start + pieceLines);
    yield lines.map((row) => `${row.map(copied).join('\t')}\n`).join('');
  }
}

function copied(cell: Cell): string {
  if (cell === null) return '\\N';
  return typeof cell === 'string' ? copiedText(cell) : String(cell);
}

/** Text as COPY expects it. */
export function copiedText(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (c) => escapes[c] ?? c) : text;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
