/** Rows in the text format of COPY. */
import { expect, test } from 'bun:test';
import { copyRows } from './bulk.ts';
import type { Connection } from './client.ts';

/** The statement and chunks sent for rows; null if nothing is sent. */
async function sent(rows: readonly (readonly (string | number | boolean | null)[])[]) {
  let copied: { readonly sql: string; readonly pieces: readonly string[] } | null = null;
  const copyIn: Connection['copyIn'] = async (sql, pieces) => {
    copied = { sql, pieces: await Array.fromAsync(pieces) };
  };
  await copyRows({ copyIn } as Connection, { name: 'source.sale', columns: ['a', 'b'] }, rows);
  return copied as { readonly sql: string; readonly pieces: readonly string[] } | null;
}

test('a row is a line of cells, with special characters escaped', async () => {
  const rows = [
    [1, null],
    ['', true],
    ['a\tb\nc\rd\\N', 0.5],
  ];
  expect(await sent(rows)).toEqual({
    sql: 'COPY source.sale (a, b) FROM STDIN',
    pieces: ['1\t\\N\n\ttrue\na\\tb\\nc\\rd\\\\N\t0.5\n'],
  });
});

test('many rows are sent in chunks, completely and in order; no rows send nothing', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => [index, index]);
  const { pieces } = (await sent(rows)) ?? { pieces: [] };
  expect(pieces.map((piece) => piece.split('\n').length - 1)).toEqual([1_000, 1_000, 500]);
  expect(pieces.join('')).toBe(rows.map(([index]) => `${index}\t${index}\n`).join(''));
  expect(await sent([])).toBeNull();
});
