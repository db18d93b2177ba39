/** Source files: plain, compressed, archived or from standard input, and read to the last byte. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { zip } from '../../../test/support/zip.ts';
import { openSource, SourceFileError, sourceBytes } from './source-file.ts';

/** More than a stream reads at once. */
const large = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-source-'));
  writeFileSync(join(folder, 'plain.ndjson'), large);
  writeFileSync(join(folder, 'packed.ndjson.gz'), gzipSync(large));
  writeFileSync(join(folder, 'cut.ndjson.gz'), gzipSync(large).subarray(0, 1000));
  writeFileSync(join(folder, 'two.zip'), zip({ 'one.ndjson': 'first', 'sub/two.ndjson': large }));
  writeFileSync(join(folder, 'broken.zip'), 'not a zip');
  mkdirSync(join(folder, 'sub'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The parts of a source, each with its name in the folder and its text. */
async function read(name: string, stdin: Readable = Readable.from([])) {
  const found: [name: string, text: string][] = [];
  let bytes = 0;
  const path = name === '-' ? name : join(folder, name);
  const onBytes = (count: number) => {
    bytes += count;
  };
  for await (const part of openSource(path, { stdin, onBytes })) {
    const chunks: Buffer[] = [];
    for await (const chunk of part.stream) chunks.push(chunk as Buffer);
    found.push([part.name.replace(`${folder}/`, ''), Buffer.concat(chunks).toString()]);
  }
  return { found, bytes };
}

test('a plain file is one part, and every byte is counted', async () => {
  const { found, bytes } = await read('plain.ndjson');
  expect(found).toEqual([['plain.ndjson', large]]);
  expect(bytes).toBe(sourceBytes([join(folder, 'plain.ndjson')]) ?? -1);
});

test('a .gz file is unpacked, and the bytes on the disk are counted', async () => {
  const { found, bytes } = await read('packed.ndjson.gz');
  expect(found).toEqual([['packed.ndjson.gz', large]]);
  expect(bytes).toBe(sourceBytes([join(folder, 'packed.ndjson.gz')]) ?? -1);
});

test('a .zip file has a part for each file inside', async () => {
  expect((await read('two.zip')).found).toEqual([
    ['two.zip/one.ndjson', 'first'],
    ['two.zip/sub/two.ndjson', large],
  ]);
});

test('a dash is standard input, whose length is not known', async () => {
  const { found } = await read('-', Readable.from([Buffer.from('a\n')]));
  expect(found).toEqual([['-', 'a\n']]);
  expect(sourceBytes(['-'])).toBeNull();
});

test('a file that is not there, or is a folder, is named', async () => {
  const missing = read('none.ndjson');
  await expect(missing).rejects.toThrow(SourceFileError);
  await expect(missing).rejects.toThrow(`There is no file '${folder}/none.ndjson'.`);
  await expect(read('sub')).rejects.toThrow(`'${folder}/sub' is a folder, not a file.`);
});

test.each(['cut.ndjson.gz', 'broken.zip'])('%s is not taken for a whole file', async (name) => {
  await expect(read(name)).rejects.toThrow();
});
