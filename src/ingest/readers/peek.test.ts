/** The first line of a file is seen, and the file is still whole. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { peek } from './peek.ts';

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
])('%p', async (text, line) => {
  expect(await peeked(text)).toEqual({ line, whole: text });
});

test('an endless first line is not read to its end', async () => {
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
