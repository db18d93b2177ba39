/** Text files of documents: lines of JSON, and CSV that keeps every cell. */
import { expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { BulkColumn } from '../../contract/plus/bulk-columns.ts';
import { type BulkEncoder, csvEncoder, type Emit, jsonEncoder } from './text-encoders.work.ts';

const columns: readonly BulkColumn[] = [
  { name: 'title', kind: 'text', description: '' },
  { name: 'price', kind: 'number', description: '' },
];

const slices = [
  { lines: ['{"a":1}', '{"b":2}'], rows: [['=1+1, "x"\n', 2.5] as const, ['', null] as const] },
  { lines: ['{}'], rows: [["'tis", 0] as const] },
];

async function encode(make: (emit: Emit) => BulkEncoder, given = slices): Promise<string> {
  const parts: Uint8Array[] = [];
  const encoder = make((part) => parts.push(part));
  for (const slice of given) await encoder.write(slice);
  await encoder.end();
  return gunzipSync(Buffer.concat(parts)).toString();
}

test('JSON has a line for each document', async () => {
  expect(await encode(jsonEncoder)).toBe('{"a":1}\n{"b":2}\n{}\n');
  expect(await encode(jsonEncoder, [])).toBe('');
});

test('CSV has a header and a line for each row, with text as it is', async () => {
  const text = await encode((emit) => csvEncoder(columns, emit));
  expect(text).toBe('title,price\n"=1+1, ""x""\n",2.5\n"",\n\'tis,0\n');
  expect(parse(text).slice(1)).toEqual([
    ['=1+1, "x"\n', '2.5'],
    ['', ''],
    ["'tis", '0'],
  ]);
  expect(await encode((emit) => csvEncoder(columns, emit), [])).toBe('title,price\n');
});
