/** Peeking at a file does not consume it. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { peek, readBeginning, skipToHeader } from './peek.work.ts';

async function peeked(text: string) {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, index) =>
    bytes.subarray(index * 3, index * 3 + 3),
  );
  const { line, part } = await peek({ name: 'f', stream: Readable.from(pieces) });
  const chunks: Buffer[] = [];
  for await (const chunk of part.stream) chunks.push(chunk as Buffer);
  return { line, whole: Buffer.concat(chunks).toString() };
}

test.each([
  ['\ufeff\r\n  Häfen,b \r\nc,d\n', 'Häfen,b'],
  ['{"a":1}', '{"a":1}'],
  [' \n\n', ''],
  ['', ''],
])('finds the first line of %p and keeps the rest', async (text, line) => {
  expect(await peeked(text)).toEqual({ line, whole: text });
});

test('a very long first line is cut', async () => {
  let given = 0;
  const endless = Readable.from(
    (async function* () {
      for (; ; given++) yield Buffer.alloc(16 * 1024, 'x');
    })(),
  );
  const { line, part } = await peek({ name: 'f', stream: endless });
  expect(line.length).toBe(64 * 1024);
  expect(given).toBeLessThan(100);
  part.stream.destroy();
});

test.each([
  [3, 'abc', 2],
  [4, 'abcd', 2],
  [5, 'abcde', 3],
  [7, 'abcdef', 3],
])('the first %i bytes are %s, of %i pieces that are read', async (bytes, beginning, count) => {
  let read = 0;
  async function* pieces() {
    for (const piece of ['ab', 'cd', 'ef']) {
      read++;
      yield Buffer.from(piece);
    }
  }
  expect(await readBeginning(pieces(), bytes)).toBe(beginning);
  expect(read).toBe(count);
});

/** The name and text of a file, in these chunks, with the lines above its header blank. */
async function skipped(...pieces: readonly string[]) {
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const part = await skipToHeader({ name: 'f', stream }, /^date,/im);
  const chunks: Buffer[] = [];
  for await (const chunk of part.stream) chunks.push(chunk as Buffer);
  return [part.name, Buffer.concat(chunks).toString()];
}

test.each([
  [['date,a\n1,2\n'], 'date,a\n1,2\n'],
  [['About\nDätes\ndate,a\n1,2\n'], '\n\ndate,a\n1,2\n'],
  [['About\ndate,a\n1,2\n', 'x\ndate,b\n'], '\ndate,a\n1,2\nx\ndate,b\n'],
  [['nothing\nhere\n'], 'nothing\nhere\n'],
  [['\nAbout\ndate,a\n'], '\n\ndate,a\n'],
])('%p is read from its header on as %p', async (pieces, text) => {
  expect(await skipped(...pieces)).toEqual(['f', text]);
});

test('the beginning has at least 4096 bytes, if the file does', async () => {
  const stream = Readable.from(Array.from({ length: 10 }, () => Buffer.from('a\n'.repeat(512))));
  const { beginning, part } = await peek({ name: 'f', stream });
  expect(beginning).toHaveLength(4096);
  part.stream.destroy();
});

test('an unread file is closed', async () => {
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.from('line\n'.repeat(1000));
    } finally {
      isClosed = true;
    }
  }
  const { part } = await peek({ name: 'f', stream: Readable.from(endless()) });
  for await (const _ of part.stream) break;
  expect(isClosed).toBe(true);
});
