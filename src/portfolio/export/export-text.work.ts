/** Exports as CSV, JSON or Ghostfolio activities, streamed page by page. */
import { csvCell } from '../../kernel/csv-cell.ts';
import { ghostfolioActivities } from './export-ghostfolio.work.ts';
import {
  type ExportKind,
  type ExportSource,
  exportColumns,
  exportRecords,
} from './export-records.work.ts';

export const exportFormats = ['csv', 'json', 'ghostfolio'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export function exportText(
  kind: ExportKind,
  format: ExportFormat,
  source: ExportSource,
): AsyncGenerator<string> {
  switch (format) {
    case 'csv':
      return csvText(kind, source);
    case 'json':
      return jsonText(`{"format":"brickmark ${kind}","rows":[`, exportRecords(kind, source));
    case 'ghostfolio':
      return jsonText('{"activities":[', ghostfolioActivities(kind, source));
  }
}

async function* csvText(kind: ExportKind, source: ExportSource): AsyncGenerator<string> {
  const columns = exportColumns[kind];
  yield `${columns.join(',')}\n`;
  for await (const records of exportRecords(kind, source)) {
    const line = (record: Readonly<Record<string, unknown>>) =>
      `${columns.map((column) => csvCell(record[column] ?? null)).join(',')}\n`;
    yield records.map(line).join('');
  }
}

/** One object, with one record per line. */
async function* jsonText(
  start: string,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  yield start;
  yield* recordLines(pages);
  yield '\n]}\n';
}

/** List elements, one per line. */
export async function* recordLines(
  pages: AsyncIterable<readonly object[]> | readonly (readonly object[])[],
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of pages) {
    const lines = page.map((record) => `\n${JSON.stringify(record)}`);
    if (lines.length === 0) continue;
    yield (isFirst ? '' : ',') + lines.join(',');
    isFirst = false;
  }
}
