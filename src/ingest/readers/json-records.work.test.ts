/** Records of JSON files: a list, a named list, or a single object. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { type JsonRecord, readJsonRecords } from './json-records.work.ts';

async function read(content: string | Buffer, pieceBytes = 5): Promise<JsonRecord[]> {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const stream = Readable.from(pieces, { objectMode: true });
  const records: JsonRecord[] = [];
  for await (const group of readJsonRecords({ name: 'f.json', stream }, 'products')) {
    expect(group).not.toEqual([]);
    records.push(...group);
  }
  return records;
}

const one = { where: 'f.json#1', value: { a: [1, { b: 'é' }] } };
const two = { where: 'f.json#2', value: { a: null } };

test.each([
  ['under a name', '{"n":1,"products":[{"a":[1,{"b":"é"}]},{"a":null}],"z":{"products":[1]}}'],
  ['as the file', ' [{"a":[1,{"b":"é"}]},\n{"a":null}] '],
  ['after a byte order mark', '\ufeff{"products":[{"a":[1,{"b":"é"}]},{"a":null}]}'],
])('the members of a list %s', async (_, text) => {
  expect(await read(text)).toEqual([one, two]);
});

test('an object alone is one record', async () => {
  expect(await read('{"a":[1,{"b":"é"}]}')).toEqual([one]);
});

test('an empty list has no records', async () => {
  expect(await read('{"products":[],"n":1}')).toEqual([]);
  expect(await read('[]')).toEqual([]);
});

test.each([
  ['{"products":[{"a":1},{"a":', 'f.json ends in the middle of its JSON; is it complete?'],
  ['{"products":[{"a":"half a te', 'f.json ends in the middle of its JSON; is it complete?'],
  ['{"products":[{"a":1} oops', 'f.json is not JSON at byte 21; is it the right file?'],
  ['<html>', 'f.json is not JSON at byte 0; is it the right file?'],
  ['', 'f.json is empty.'],
  ['{"a":1}{"a":2}', 'f.json is not JSON at byte 7'],
])('%s is an error', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('text that is not UTF-8 fails with its line', async () => {
  await expect(read(Buffer.from('{"products":[\n{"a":"caf\xe9"}]}', 'latin1'))).rejects.toThrow(
    'f.json:2: the text is not UTF-8; save the file as UTF-8.',
  );
  await expect(read(Buffer.from('\ufeff[{"a":1}]', 'utf16le'))).rejects.toThrow(
    'f.json:1: the file is UTF-16; save it as UTF-8.',
  );
});

test('deeply nested records fail', async () => {
  const nested = (depth: number) => `[{"a":1},{"a":${'['.repeat(depth)}${']'.repeat(depth)}}]`;
  // The list and the record are levels, too.
  expect(await read(nested(98))).toHaveLength(2);
  for (const depth of [99, 200_000]) {
    await expect(read(nested(depth))).rejects.toThrow(
      'f.json#2: the record is nested more than 100 deep.',
    );
  }
});

test('a record with too many field names is rejected, many records are not', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":0`).join();
  await expect(read(`[{"a":1},{${names(50_001)}}]`, 4096)).rejects.toThrow(
    'f.json: a record has more than 50000 names.',
  );
  expect(await read(`[${`{${names(50_000)}},`.repeat(2)}{}]`, 4096)).toHaveLength(3);
});

test('a record has up to 64 MB', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  let isFull = false;
  async function* tooMuch() {
    yield Buffer.from('[{},');
    for (let count = 0; count < 64; count++) yield megabyte;
    isFull = true;
    yield Buffer.from(' ');
  }
  const stream = tooMuch() as unknown as Readable;
  const records = readJsonRecords({ name: 'f.json', stream }, 'products');
  expect((await records.next()).value).toEqual([{ where: 'f.json#1', value: {} }]);
  await expect(records.next()).rejects.toThrow(
    'f.json#2: the record is larger than 67108864 bytes.',
  );
  expect(isFull).toBe(true);
});
