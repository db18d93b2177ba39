/** Many rows in one COPY. */
import type { Connection } from './client.ts';

/** A value of a row on its way into a table. */
export type Cell = string | number | boolean | null;

/** How many lines are sent at once: neither a write for each line nor one huge text. */
const pieceLines = 1_000;

/** Adds rows that are new; each has a cell for every column. */
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

/** A cell in the text form of COPY. */
function copied(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell !== 'string') return String(cell);
  return /[\\\t\n\r]/.test(cell) ? cell.replace(/[\\\t\n\r]/g, (c) => escapes[c] ?? c) : cell;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
