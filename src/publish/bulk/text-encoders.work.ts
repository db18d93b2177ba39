/** Turns documents into the bytes of a bulk file, a few at a time: gzipped JSON lines or CSV. */
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { BulkColumn, BulkRow, Cell } from '../../contract/plus/bulk-columns.ts';
import { quoteCell } from '../../kernel/csv-cell.ts';

/** Some documents: the JSON of each, and their rows in a table. */
export interface BulkSlice {
  readonly lines: readonly string[];
  readonly rows: readonly BulkRow[];
}

/** Passes the bytes of a file to `Emit`, in order. */
export interface BulkEncoder {
  write(slice: BulkSlice): Promise<void>;
  end(): Promise<void>;
}

export type Emit = (bytes: Uint8Array) => void;

export function jsonEncoder(emit: Emit): BulkEncoder {
  return gzipped(emit, ({ lines }) => lines);
}

export function csvEncoder(columns: readonly BulkColumn[], emit: Emit): BulkEncoder {
  const header = columns.map(({ name }) => name).join(',');
  return gzipped(emit, ({ rows }) => rows.map(csvLine), [header]);
}

function gzipped(
  emit: Emit,
  linesOf: (slice: BulkSlice) => readonly string[],
  firstLines: readonly string[] = [],
): BulkEncoder {
  const gzip = createGzip();
  gzip.on('data', emit);
  const write = (lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    return new Promise<void>((resolve, reject) => {
      gzip.write(text, (error) => (error ? reject(error) : resolve()));
    });
  };
  let first = firstLines;
  return {
    write: async (slice) => {
      await write([...first, ...linesOf(slice)]);
      first = [];
    },
    end: async () => {
      if (first.length > 0) await write(first);
      gzip.end();
      await once(gzip, 'end');
    },
  };
}

/** Cells are for programs: text that looks like a formula is not changed. */
function csvLine(row: BulkRow): string {
  return row.map(csvCell).join(',');
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  // Quoted, to distinguish it from null.
  return cell === '' ? '""' : quoteCell(String(cell));
}
