/** Text in parts: as UTF-8, and as sent to clients that read slowly. */
import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { streamedIfLong } from './streamed.ts';
import { encoded, joined, lengthOf } from './text-parts.ts';

const parts = ['{"a":"', 'é', '\u20ac', '\u{1f9f1}', '"}', ''];

test('parts have the length, text and bytes of the joined text', () => {
  for (const text of [parts, parts.join(''), [], '']) {
    const whole = typeof text === 'string' ? text : text.join('');
    expect(lengthOf(text)).toBe(whole.length);
    expect(joined(text)).toBe(whole);
    expect(Buffer.from(encoded(text)).toString()).toBe(whole);
  }
});

/** Up to 200,000 characters that are different for each client. */
const textOf = (client: number) =>
  Array.from({ length: 100 }, (_, part) => `${10 + client} ${10 + part} é `.repeat(240));

/** Reads a response once `isTime` resolves. */
function readLate(port: number, path: string, isTime: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
    socket.pause();
    isTime.then(() => socket.resume());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}

/** The body of a chunked response, by its bytes. */
function bodyOf(response: string): string {
  const bytes = Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4));
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(chunks).toString();
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

test('clients that read after all are answered each get their own text, from the shared buffer', async () => {
  const clients = Array.from({ length: 60 }, (_, client) => client);
  const { promise: isTime, resolve: readAll } = Promise.withResolvers<void>();
  let answered = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async ({ url }) => {
      const text = textOf(Number(new URL(url).pathname.slice(1)));
      await Bun.sleep(1);
      answered++;
      // The last response is not written yet.
      if (answered === clients.length) setImmediate(readAll);
      return new Response(streamedIfLong(text));
    },
  });
  try {
    const read = await Promise.all(
      clients.map(async (client) => bodyOf(await readLate(server.port ?? 0, `/${client}`, isTime))),
    );
    for (const client of clients) expect(read[client] === textOf(client).join('')).toBe(true);
  } finally {
    await server.stop(true);
  }
});

test('a stream that is read in memory has the whole text, after others were made', async () => {
  const [first, second] = [streamedIfLong(textOf(1)), streamedIfLong(textOf(2))];
  const texts = await Promise.all([new Response(first).text(), new Response(second).text()]);
  expect(texts[0] === textOf(1).join('') && texts[1] === textOf(2).join('')).toBe(true);
});
