/** Decoding text in any chunks. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { readText } from './text.work.ts';

async function read(...chunks: readonly (string | readonly number[])[]): Promise<string[]> {
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  const pieces = [];
  for await (const piece of readText({ name: 'f', stream })) pieces.push(piece);
  return pieces;
}

const [euro0, euro1, euro2] = [0xe2, 0x82, 0xac];

test('a character split between chunks is decoded', async () => {
  expect(await read([0x61, euro0], [euro1], [euro2, 0x62])).toEqual(['a', '€b']);
});

test('a UTF-8 byte order mark is removed', async () => {
  expect(await read([0xef, 0xbb, 0xbf, 0x61])).toEqual(['a']);
});

test.each([[[0xff, 0xfe, 0x61, 0x00]], [[0xfe, 0xff, 0x00, 0x61]]])(
  'UTF-16 is recognized by its byte order mark: %p',
  async (bytes) => {
    const error = 'f:1: the file is UTF-16; save it as UTF-8.';
    await expect(read(bytes)).rejects.toThrow(error);
  },
);

test.each([[[0xff, 0x61]], [[0x61, 0xfe]], [[0xfe, 0x61]], [[0x61, 0xff]]])(
  'half a UTF-16 mark is invalid UTF-8: %p',
  async (bytes) => {
    await expect(read(bytes)).rejects.toThrow(
      'f:1: the text is not UTF-8; save the file as UTF-8.',
    );
  },
);

test('a UTF-16 mark later in the file is invalid UTF-8', async () => {
  await expect(read('ab\n', [0xff, 0xfe])).rejects.toThrow('f:2: the text is not UTF-8');
});

test.each<[line: number, chunks: readonly (string | readonly number[])[]]>([
  [1, [[0x61, 0xff]]],
  [3, ['a\nb\n', [0xff]]],
  [3, ['a\nb\nc', [0xff, 0x0a, 0x0a]]],
  [4, ['a\n\n\n', [0xff]]],
  [
    2,
    [
      [0x61, 0x0a, euro0],
      [euro1, 0x61],
    ],
  ],
  [2, ['\n€', [0xff]]],
  [2, [[0x0a, euro0, euro1]]],
  [5, ['one\ntwo\nthree\nfour\n', 'x', [0xff]]],
])('invalid UTF-8 is located at line %d of %p', async (line, chunks) => {
  const error = `f:${line}: the text is not UTF-8; save the file as UTF-8.`;
  await expect(read(...chunks)).rejects.toThrow(error);
});
