/** Parquet files: every kind of cell, several groups of rows, and what another reader finds. */
import { expect, test } from 'bun:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { BulkColumn, BulkRow, CellKind } from '../../contract/plus/bulk-columns.ts';
import { parquetEncoder } from './parquet-encoder.work.ts';

const kinds: readonly CellKind[] = ['text', 'integer', 'number', 'flag', 'day', 'instant'];
const columns = kinds.map((kind): BulkColumn => ({ name: `a_${kind}`, kind, description: '' }));

/** Writes rows in slices; returns the file, and how many parts it came in. */
async function encode(rows: readonly BulkRow[], slice = 100) {
  const parts: Uint8Array[] = [];
  const encoder = parquetEncoder(columns, (part) => parts.push(part));
  for (let start = 0; start < rows.length; start += slice) {
    await encoder.write({ lines: [], rows: rows.slice(start, start + slice) });
  }
  await encoder.end();
  const { buffer } = new Uint8Array(Buffer.concat(parts));
  return { file: buffer, parts: parts.length };
}

const compressors = { ZSTD: (bytes: Uint8Array) => Bun.zstdDecompressSync(bytes) };

test('cells of every kind, and null, are read as they were written', async () => {
  const full = ['Größe "8"', 7, 12.35, true, '2022-03-01', '2026-11-15T06:00:00.123Z'];
  const { file } = await encode([full, kinds.map(() => null)]);
  expect(await parquetReadObjects({ file, compressors })).toEqual([
    {
      a_text: 'Größe "8"',
      a_integer: 7,
      a_number: 12.35,
      a_flag: true,
      a_day: new Date('2022-03-01'),
      a_instant: new Date('2026-11-15T06:00:00.123Z'),
    },
    { a_text: null, a_integer: null, a_number: null, a_flag: null, a_day: null, a_instant: null },
  ]);
});

test('rows are written in groups, and none is lost between them', async () => {
  const rows = Array.from({ length: 25_000 }, (_, index): BulkRow => {
    return [`set ${index}`, index, index / 4, index % 2 === 0, null, null];
  });
  const { file, parts } = await encode(rows);
  const groups = parquetMetadata(file).row_groups.map((group) => Number(group.num_rows));
  expect(groups).toEqual([10_667, 10_667, 3_666]);
  // The first part ends with the first group: memory does not grow with the file.
  expect(parts).toBe(groups.length + 1);
  const read = await parquetReadObjects({ file, compressors });
  expect(read.map((row) => [row.a_text, row.a_integer, row.a_number, row.a_flag])).toEqual(
    rows.map((row) => row.slice(0, 4)),
  );
});

test('a file without rows has its columns', async () => {
  const { file } = await encode([]);
  const { num_rows, schema } = parquetMetadata(file);
  expect(num_rows).toBe(0n);
  expect(schema.slice(1).map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
});
