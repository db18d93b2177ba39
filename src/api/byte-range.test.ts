/** Which parts of files are beyond the end: exactly those that Bun answers with 416. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBeyondEnd } from './byte-range.ts';

let folder: string;
let server: Bun.Server<undefined>;
const file = { length: 10, tag: '"t"' };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-range-'));
  writeFileSync(join(folder, 'file'), '0123456789');
  const headers = { ETag: file.tag };
  const fetch = () => new Response(Bun.file(join(folder, 'file')), { headers });
  server = Bun.serve({ port: 0, fetch });
});

afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

test.each([
  'bytes=0-3',
  'bytes=9-',
  'bytes=-3',
  'bytes=-20',
  'bytes=5-99',
  'bytes=10-',
  'bytes=20-30',
  'bytes=20-10',
  'bytes=-0',
  'bytes= 10 - ',
  'BYTES=10-',
  'bytes=5-2',
  'bytes=-',
  'bytes=',
  'items=10-',
  '',
  'bytes=0-1,4-5',
  'bytes=20-,30-',
  'bytes=10-x',
  'bytes=+10-',
  'bytes=99999999999999999999-',
])('%p is what Bun makes of it', async (range) => {
  for (const unless of [null, '"t"', '"other"', 'W/"t"']) {
    const headers = { Range: range, ...(unless !== null && { 'If-Range': unless }) };
    const { status } = await fetch(server.url, { headers });
    const isBeyond = isBeyondEnd(new Headers(headers), file);
    expect([unless, isBeyond]).toEqual([unless, status === 416]);
  }
});
