/** Lines of a stream, numbered like in an editor, for any chunks. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { type Line, readLines } from './lines.ts';

const notUtf8 = 'the line is not valid UTF-8';
const lineBytesMax = 1024 * 1024;

/** Reads chunks like a stream. */
async function read(...chunks: readonly (string | Uint8Array)[]): Promise<Line[]> {
  const lines: Line[] = [];
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const group of readLines(stream)) lines.push(...group);
  return lines;
}

function good(...lines: readonly (readonly [number: number, text: string])[]): Line[] {
  return lines.map(([number, text]) => ({ number, text, problem: null }));
}

test.each([
  ['ends with a newline', 'a\nb\n', good([1, 'a'], [2, 'b'])],
  ['ends without a newline', 'a\nb', good([1, 'a'], [2, 'b'])],
  ['has Windows line ends', 'a\r\nb\r\n', good([1, 'a'], [2, 'b'])],
  ['has a Windows line end only in the middle', 'a\r\nb', good([1, 'a'], [2, 'b'])],
  ['has a carriage return inside a line', 'a\rb\n', good([1, 'a\rb'])],
  ['begins with a byte order mark', '\ufeffa\nb\n', good([1, 'a'], [2, 'b'])],
  ['has a byte order mark and a Windows line end', '\ufeffa\r\nb', good([1, 'a'], [2, 'b'])],
  ['has a byte order mark later on', 'a\n\ufeffb\n', good([1, 'a'], [2, '\ufeffb'])],
  [
    'has blank lines, which are counted but skipped',
    '\n\na\n \t\r\nb\n\n',
    good([3, 'a'], [5, 'b']),
  ],
  ['has characters of two to four bytes', 'é\n塔\n🧱', good([1, 'é'], [2, '塔'], [3, '🧱'])],
  ['is empty', '', []],
  ['has only a newline', '\n', []],
  ['has only a byte order mark', '\ufeff', []],
])('a file that %s is read line by line', async (_, text, lines) => {
  expect(await read(text)).toEqual(lines);
});

test('a line that is not valid UTF-8 is reported alone; those around it are read', async () => {
  const bytes = Buffer.concat([
    Buffer.from('é\n'),
    Buffer.from([0x61, 0xff, 0x0a]),
    Buffer.from('塔\n'),
  ]);
  expect(await read(bytes)).toEqual([
    ...good([1, 'é']),
    { number: 2, text: '', problem: notUtf8 },
    ...good([3, '塔']),
  ]);
});

test('a byte order mark at the start of a chunk is kept, unless it starts the file', async () => {
  expect(await read('a\n', '\ufeffb\n')).toEqual(good([1, 'a'], [2, '\ufeffb']));
  expect(await read('\ufeff', 'a\n')).toEqual(good([1, 'a']));
});

test('after a final newline, there is no further group', async () => {
  const groups: Line[][] = [];
  for await (const group of readLines(Readable.from([Buffer.from('a\n')]))) groups.push(group);
  expect(groups).toEqual([good([1, 'a'])]);
});

test('an incomplete character at the end of the file is reported', async () => {
  const cut = Buffer.from('a\n🧱').subarray(0, -1);
  expect(await read(cut)).toEqual([...good([1, 'a']), { number: 2, text: '', problem: notUtf8 }]);
});

/** Parts of generated files, awkward ones first. */
const piece = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\r', '\ufeff', '', ' ').map((text) => Buffer.from(text)),
  fc.constantFrom('a', 'é', '塔', '🧱', '{"kind":"set"}').map((text) => Buffer.from(text)),
  fc.constantFrom(0xff, 0xc3, 0x80, 0xf0).map((byte) => Buffer.from([byte])),
);
const anyFile = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.concat(pieces));

/** Splits bytes at positions. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test('lines do not depend on how bytes are chunked', async () => {
  const places = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anyFile, places, async (bytes, cuts) => {
      expect(await read(...cutAt(bytes, cuts))).toEqual(await read(bytes));
    }),
    { seed: 10, numRuns: 200 },
  );
});

test('byte by byte, lines are the same as in an editor', async () => {
  const texts = fc.array(fc.constantFrom('', 'a', 'é塔', '🧱 x', '{}'), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('\n', '\r\n'), async (lines, lineEnd) => {
      const bytes = Buffer.from(lines.join(lineEnd));
      const expected = lines.flatMap((text, index) => (text === '' ? [] : good([index + 1, text])));
      expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
    }),
    { seed: 11, numRuns: 100 },
  );
});

const longest = 'x'.repeat(lineBytesMax);
const tooLong = `the line is longer than ${lineBytesMax} bytes`;

/** Chunks of the size in which files are read. */
function inChunks(text: string): string[] {
  const count = Math.ceil(text.length / 65_536);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * 65_536, (index + 1) * 65_536),
  );
}

test('a line of maximum length is read', async () => {
  expect(await read(...inChunks(`${longest}\nb\n`))).toEqual(good([1, longest], [2, 'b']));
});

test.each([
  ['several times too long', `a\n${longest.repeat(3)}\nb\n`],
  ['too long, at the end of the file', `a\n${longest.repeat(2)}`],
])('a line that is %s is reported once, and does not hide the next', async (_, text) => {
  const lines = await read(...inChunks(text));
  expect(lines).toEqual([
    ...good([1, 'a']),
    { number: 2, text: '', problem: tooLong },
    ...(text.endsWith('b\n') ? good([3, 'b']) : []),
  ]);
});

test('the length limit does not depend on chunks', async () => {
  const text = `${longest}1234567890\nb\n`;
  const expected = [{ number: 1, text: '', problem: tooLong }, ...good([2, 'b'])];
  expect(await read(text)).toEqual(expected);
  expect(await read(...inChunks(text))).toEqual(expected);
});
