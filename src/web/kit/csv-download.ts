/** Lists as CSV files that Excel opens with the right characters. */
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import type { PageAnswer } from '../page.ts';
import type { Column, CsvFields } from './data-table.tsx';

/** The fields of columns, in their order, after those named in `first`. */
export function columnFields<Row>(
  columns: readonly Column<Row>[],
  first: readonly string[] = [],
): CsvFields<Row> {
  const fields = new Map(columns.flatMap(({ csv = {} }) => Object.entries(csv)));
  const names = new Set([...first, ...fields.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const read = fields.get(name);
      return read ? [[name, read]] : [];
    }),
  );
}

/** Rows written before other requests get a turn. */
const batchRows = 2_000;

export async function* csvOf<Row>(
  fields: CsvFields<Row>,
  rows: readonly Row[],
): AsyncGenerator<string> {
  const reads = Object.values(fields);
  yield `${Object.keys(fields).join(',')}\r\n`;
  for (let from = 0; from < rows.length; from += batchRows) {
    const batch = rows.slice(from, from + batchRows);
    yield batch.map((row) => `${reads.map((read) => read(row)).join(',')}\r\n`).join('');
    await yieldToEventLoop();
  }
}

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const byteOrderMark = '\ufeff';

export function csvDownload(name: string, file: string | AsyncIterable<string>): PageAnswer {
  const marked = typeof file === 'string' ? byteOrderMark + file : withMark(file);
  return { file: marked, name, type: 'text/csv; charset=utf-8' };
}

async function* withMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* pieces;
}
