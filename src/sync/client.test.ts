/** The client against a server on loopback that says exactly what a test wants, byte by byte. */
import { afterAll, describe, expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { dayMs } from '../domain/kernel/time.ts';
import { makeSourceClient, SourceError, type SourceRequest } from './client.ts';
import { Secret } from './secret.ts';

const now = Date.UTC(2026, 10, 16, 12);
const key = 'k3y+of/an0perator';

/** What the server says to the requests that come, in turn, and what they were. */
let replies: ((socket: Socket) => void)[] = [];
let requests: string[] = [];

const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (data) => {
    requests.push(data.toString());
    replies.shift()?.(socket);
  });
});
await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
const { port } = server.address() as { port: number };
const base = `http://127.0.0.1:${port}`;
afterAll(() => {
  server.close();
});

const client = makeSourceClient({
  userAgent: 'brickmark/1.2.3 (+https://brickmark.example.com)',
  clock: () => now,
  secrets: [new Secret(key)],
});

/** An answer with a length, after which the connection ends. */
function answer(status: string, headers: Record<string, string>, body: string | Uint8Array = '') {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return (socket: Socket) => {
    socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n${head}\r\n`);
    socket.end(bytes);
  };
}

function send(path: string, said: typeof replies, request: Partial<SourceRequest> = {}) {
  replies = said;
  requests = [];
  return client.send({ url: new URL(path, base), ...request });
}

async function failure(...sent: Parameters<typeof send>): Promise<SourceError> {
  const error = await send(...sent).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SourceError) return error;
  throw new Error(`No SourceError: ${error}`);
}

describe('an answer', () => {
  test('comes with its bytes and what names its version; we say who asks', async () => {
    const said = answer(
      '200 OK',
      { ETag: '"a"', 'Last-Modified': 'Mon, 16 Nov 2026 09:00:00 GMT' },
      'one',
    );
    const response = await send('/file?x=1', [said], { headers: { Accept: 'text/csv' } });
    expect(response.status).toBe(200);
    expect(new TextDecoder().decode(response.bytes)).toBe('one');
    expect(response.validators).toEqual({
      etag: '"a"',
      lastModified: 'Mon, 16 Nov 2026 09:00:00 GMT',
    });
    expect(requests[0]).toStartWith('GET /file?x=1 HTTP/1.1\r\n');
    expect(requests[0]).toContain(
      'User-Agent: brickmark/1.2.3 (+https://brickmark.example.com)\r\n',
    );
    expect(requests[0]).toContain('Accept: text/csv\r\n');
    expect(requests[0]).not.toContain('If-');
  });

  test('is asked for only if it changed; unchanged, it is a 304 without bytes', async () => {
    const unlessSame = { etag: 'W/"b"', lastModified: 'Sun, 15 Nov 2026 09:00:00 GMT' };
    const response = await send('/', [answer('304 Not Modified', {})], { unlessSame });
    expect([response.status, response.bytes.length]).toEqual([304, 0]);
    expect(requests[0]).toContain('If-None-Match: W/"b"\r\n');
    expect(requests[0]).toContain('If-Modified-Since: Sun, 15 Nov 2026 09:00:00 GMT\r\n');
  });

  test('unchanged since nothing is no answer', async () => {
    const unlessSame = { etag: null, lastModified: null };
    const error = await failure('/', [answer('304 Not Modified', {})], { unlessSame });
    expect(error).toMatchObject({
      kind: 'later',
      message: `${base}/ answered 304 to a first request.`,
    });
  });

  test('of 404 is returned, and of another error that the caller reads itself', async () => {
    expect((await send('/', [answer('404 Not Found', {}, 'no')])).status).toBe(404);
    const returned = await send('/', [answer('429 Too Many Requests', {}, '{"refillIn":9}')], {
      returnedErrors: [429],
    });
    expect(new TextDecoder().decode(returned.bytes)).toBe('{"refillIn":9}');
  });

  test('that was packed for the way is unpacked', async () => {
    const packed = gzipSync('x'.repeat(5000));
    const response = await send('/', [answer('200 OK', { 'Content-Encoding': 'gzip' }, packed)]);
    expect(new TextDecoder().decode(response.bytes)).toBe('x'.repeat(5000));
    expect(requests[0]).toContain('Accept-Encoding: gzip\r\n');
  });

  test('sends what a POST brings', async () => {
    await send('/token', [answer('200 OK', {}, '{}')], { method: 'POST', body: 'a=b' });
    expect(requests[0]).toStartWith('POST /token HTTP/1.1\r\n');
    expect(requests[0]).toEndWith('\r\n\r\na=b');
  });
});

describe('half an answer is an error, never a short answer', () => {
  const packed = gzipSync(`${'x'.repeat(5000)}${Math.PI}`);
  const damaged = Uint8Array.from(packed).fill(7, 20, 25);
  const cases: Record<string, (socket: Socket) => void> = {
    'fewer bytes than announced': answer('200 OK', { 'Content-Length': '100' }, 'abc'),
    'a chunk without an end': (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n');
    },
    'packed, and cut': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n');
      socket.end(packed.subarray(0, -6));
    },
    'packed, and damaged': answer('200 OK', { 'Content-Encoding': 'gzip' }, damaged),
    'packed otherwise': answer('200 OK', { 'Content-Encoding': 'br' }, 'abc'),
    'nothing at all': (socket) => {
      socket.end();
    },
    'no HTTP': (socket) => {
      socket.end('hello\r\n\r\n');
    },
  };
  for (const [name, said] of Object.entries(cases)) {
    // A connection that ends at once is tried once more by the runtime.
    test(name, async () => {
      expect((await failure('/', [said, said])).kind).toBe('later');
    });
  }
});

test('a body of another length than announced is no answer, whoever lets it pass', async () => {
  const lax = makeSourceClient({
    userAgent: 'brickmark',
    clock: () => now,
    secrets: [],
    fetch: async () => new Response('abc', { headers: { 'Content-Length': '10' } }),
  });
  const sent = lax.send({ url: new URL('https://shop.example.com/') });
  expect(await sent.catch((error) => error)).toMatchObject({
    kind: 'later',
    message: 'https://shop.example.com/ sent an incomplete response.',
  });
});

test('a body that breaks off without a word is no answer', async () => {
  const silent = makeSourceClient({
    userAgent: 'brickmark',
    clock: () => now,
    secrets: [],
    fetch: async () => new Response(new ReadableStream({ pull: (body) => body.error() })),
  });
  const sent = silent.send({ url: new URL('https://shop.example.com/') });
  expect(await sent.catch((error) => error)).toMatchObject({
    kind: 'later',
    message: 'https://shop.example.com/ sent an incomplete response (no code).',
  });
});

describe('limits', () => {
  test('an answer larger than allowed is given up, announced or not', async () => {
    const large = 'x'.repeat(2 * 1024 * 1024 + 1);
    const bytesMax = 2 * 1024 * 1024;
    const endless = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      socket.end(large);
    };
    for (const said of [answer('200 OK', {}, large), endless]) {
      const error = await failure('/', [said], { bytesMax });
      expect(error).toMatchObject({ kind: 'later', message: `${base}/ sent more than 2 MB.` });
    }
    const largest = await send('/', [answer('200 OK', {}, large.slice(1))], { bytesMax });
    expect(largest.bytes.length).toBe(bytesMax);
  });

  test('so is one that is small only as long as it is packed', async () => {
    const bomb = gzipSync(new Uint8Array(20 * 1024 * 1024));
    const error = await failure('/', [answer('200 OK', { 'Content-Encoding': 'gzip' }, bomb)], {
      bytesMax: 1024 * 1024,
    });
    expect(error.message).toBe(`${base}/ sent more than 1 MB.`);
  });

  test('the time limit holds for the head, and for the body', async () => {
    const silent = () => {};
    const trickling = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na');
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    for (const said of [silent, trickling]) {
      const error = await failure('/', [said], { timeoutMs: 100 });
      expect(error).toMatchObject({
        kind: 'later',
        message: `${base}/ did not respond within 1 second.`,
      });
    }
  });
});

describe('statuses', () => {
  const kinds: Record<number, SourceError['kind']> = {
    400: 'item',
    401: 'stopped',
    402: 'stopped',
    403: 'stopped',
    405: 'stopped',
    407: 'stopped',
    408: 'later',
    410: 'item',
    422: 'item',
    425: 'later',
    429: 'later',
    300: 'stopped',
    500: 'later',
    503: 'later',
    599: 'later',
  };
  for (const [status, kind] of Object.entries(kinds)) {
    test(`${status} is '${kind}'`, async () => {
      const error = await failure('/', [answer(`${status} Odd`, {})]);
      expect(error.kind).toBe(kind);
      expect(error.message).toContain(`(${status})`);
    });
  }

  test('a key that is refused is said to be, with what the source says about it', async () => {
    const said = answer('401 No', { 'Content-Type': 'application/json' }, '{"error":\n "EXPIRED"}');
    expect((await failure('/a', [said])).message).toBe(
      `${base}/a rejected the key. Check that it is correct and has not expired (401). ` +
        'It says: {"error": "EXPIRED"}',
    );
  });

  test('a page for browsers is not repeated', async () => {
    const said = answer('500 Oh', { 'Content-Type': 'text/html' }, '<html>Oops</html>');
    expect((await failure('/', [said])).message).toBe(`${base}/ returned a server error (500).`);
  });

  const waits: [string, number | null][] = [
    ['120', 120_000],
    [new Date(now + 90_000).toUTCString(), 90_000],
    [new Date(now - 90_000).toUTCString(), 0],
    ['99999999', dayMs],
    ['soon', null],
  ];
  for (const [text, ms] of waits) {
    test(`Retry-After: ${text}`, async () => {
      for (const status of ['429 Slow', '503 Closed']) {
        const error = await failure('/', [answer(status, { 'Retry-After': text })]);
        expect(error.retryAfterMs).toBe(ms);
      }
    });
  }
});

describe('redirections', () => {
  const to = (location: string, status = '302 Found') => answer(status, { Location: location });

  test('are followed on the same host, with the same headers', async () => {
    const said = [to('/b', '301 Moved'), to(`${base}/c`, '308 Moved'), answer('200 OK', {}, 'ok')];
    const response = await send('/a', said, { headers: { Authorization: 'Bearer x' } });
    expect(new TextDecoder().decode(response.bytes)).toBe('ok');
    expect(requests.map((text) => text.split(' ')[1])).toEqual(['/a', '/b', '/c']);
    expect(requests[2]).toContain('Authorization: Bearer x\r\n');
  });

  test('to another host, another port, or from https to http are not', async () => {
    for (const location of [
      'https://elsewhere.example.com/?key=1',
      `http://127.0.0.1:${port + 1}/`,
      `http://localhost:${port}/`,
      `ftp://127.0.0.1:${port}/`,
    ]) {
      const error = await failure('/', [to(location)]);
      expect(error.kind).toBe('stopped');
      expect(error.message).toStartWith(
        `${base}/ redirects to ${location.split('/', 3).join('/')}.`,
      );
      expect(error.message).toEndWith("set 'url' to its new address.");
    }
    const fetched: string[] = [];
    const secure = makeSourceClient({
      userAgent: 'brickmark',
      clock: () => now,
      secrets: [],
      fetch: async (url) => {
        fetched.push(url.href);
        return new Response(null, {
          status: 302,
          headers: { Location: 'http://shop.example.com/' },
        });
      },
    });
    const sent = secure.send({ url: new URL('https://shop.example.com/') });
    expect(await sent.catch((error) => error.kind)).toBe('stopped');
    expect(fetched).toEqual(['https://shop.example.com/']);
  });

  test('without end are ended; of a POST, or to nowhere, they are not followed', async () => {
    const error = await failure('/', Array(7).fill(to('/')));
    expect([error.kind, requests.length]).toEqual(['later', 6]);
    const posted = await failure('/', [to('/b')], { method: 'POST', body: 'x' });
    expect([posted.kind, requests.length]).toEqual(['stopped', 1]);
    expect((await failure('/', [to('http://[')])).kind).toBe('stopped');
    expect((await failure('/', [answer('302 Found', {})])).kind).toBe('stopped');
  });
});

describe('secrets', () => {
  test('go over https or stay on this machine', async () => {
    const error = await client.send({ url: new URL(`http://shop.example.com/?key=${key}`) }).then(
      () => null,
      (thrown: SourceError) => thrown,
    );
    expect(error?.kind).toBe('stopped');
    expect(error?.message).toBe(
      "http://shop.example.com is not https. Set 'url' to an https address.",
    );
  });

  test('are in no error: not from the address, not when the source repeats them', async () => {
    const basic = Buffer.from(key).toString('base64');
    const token = 'token-that-came-in-exchange';
    const known = `${key} ${encodeURIComponent(key)} ${basic} ${token} `;
    // The quote would be cut in the middle of the last one.
    const echo = `${known}${'z'.repeat(200 - known.length - 8)}${key}`;
    const url = `/?key=${encodeURIComponent(key)}&asin=B01&asin=B02`;
    const said = answer('403 No', { 'Content-Type': 'text/plain' }, echo);
    const { message } = await failure(url, [said], {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(message).toStartWith(`${base}/?key=…&asin=… denied access.`);
    expect(message).toContain('It says: [secret] [secret] [secret] [secret] zzz');
    for (const part of [key, token, basic, key.slice(0, 8)]) expect(message).not.toContain(part);
  });

  test('are hidden in a path, too', async () => {
    const { message } = await failure(`/${key}/a.csv`, [answer('500 Oh', {})]);
    expect(message).toBe(`${base}/[secret]/a.csv returned a server error (500).`);
  });
});

test('a host that is not there is said to be; a server that is down, too', async () => {
  const gone = client.send({ url: new URL('http://127.0.0.1:1/') });
  expect(await gone.catch((error) => error)).toMatchObject({
    kind: 'later',
    message: 'http://127.0.0.1:1/ refused the connection (ECONNREFUSED).',
  });
});

describe('a connection that cannot be trusted', () => {
  const words = "has a certificate that is not trusted, or does not support TLS. Check 'url'";

  test('since the server speaks no TLS', async () => {
    replies = [answer('400 Bad', {})];
    const url = new URL(base.replace('http:', 'https:'));
    const error = await client.send({ url }).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'later', message: `${url.href} ${words} (EPROTO).` });
  });

  test.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('%s', async (code) => {
    const fetch = () => Promise.reject(Object.assign(new Error('no'), { code }));
    const options = { userAgent: 'brickmark/1', clock: () => now, secrets: [], fetch };
    const sent = makeSourceClient(options).send({ url: new URL('https://shop.example.com/') });
    expect(await sent.catch(({ message }) => message)).toBe(
      `https://shop.example.com/ ${words} (${code}).`,
    );
  });
});

test('a call is made once, also where the connection before it was kept', async () => {
  const kept = (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    // Whoever sends more on this connection is cut off.
    socket.once('data', (data) => {
      requests.push(data.toString());
      socket.destroy();
    });
  };
  await send('/first', [kept]);
  const before = requests.length;
  replies = [(socket) => socket.destroy(), answer('200 OK', {}, 'again')];
  const second = client.send({ url: new URL('/second', base) });
  await expect(second).rejects.toThrow(SourceError);
  expect(requests.length - before).toBe(1);
});

describe('by a fetch of its own', () => {
  const url = new URL('https://a.example.com/x');

  /** Sends a request that gets these responses in turn; and the addresses that were asked. */
  async function ask(responses: readonly Response[], request: Partial<SourceRequest> = {}) {
    const asked: string[] = [];
    const rest = [...responses];
    const own = makeSourceClient({
      userAgent: 'test',
      clock: () => now,
      secrets: [],
      fetch: async (to) => {
        asked.push(to.href);
        return rest.shift() ?? new Response('end');
      },
    });
    const said = await own.send({ url, ...request }).catch((error: SourceError) => error);
    return { said, asked };
  }

  /** A response whose body is never read to its end, and whether it was cancelled. */
  function unread(status: number, headers: Record<string, string> = {}) {
    const body = { isCancelled: false };
    const stream = new ReadableStream({
      cancel: () => {
        body.isCancelled = true;
      },
    });
    return { body, response: new Response(stream, { status, headers }) };
  }

  test('bodies that nobody reads are cancelled', async () => {
    const redirect = unread(302, { Location: '/y' });
    const { said } = await ask([redirect.response, new Response('y')]);
    expect([redirect.body.isCancelled, said]).toMatchObject([true, { status: 200 }]);
    const page = unread(500, { 'Content-Type': 'text/html' });
    await ask([page.response]);
    expect(page.body.isCancelled).toBe(true);
    const hidden = unread(500, { 'Content-Type': 'text/plain' });
    await ask([hidden.response], { hidesErrors: true });
    expect(hidden.body.isCancelled).toBe(true);
  });

  test('five redirections are followed, and no sixth', async () => {
    const redirects = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        return new Response(null, { status: 302, headers: { Location: `/${index}` } });
      });
    expect((await ask(redirects(5))).said).toMatchObject({ status: 200 });
    const { said, asked } = await ask(redirects(6));
    expect(asked).toHaveLength(6);
    expect(String(said)).toContain('redirects too many times');
  });

  test.each([301, 302, 303, 307, 308])('%d is a redirection', async (status) => {
    const { asked } = await ask([new Response(null, { status, headers: { Location: '/y' } })]);
    expect(asked).toEqual(['https://a.example.com/x', 'https://a.example.com/y']);
  });

  test('an answer may be as large as is allowed', async () => {
    const text = 'a'.repeat(10);
    expect((await ask([new Response(text)], { bytesMax: 10 })).said).toMatchObject({ status: 200 });
    expect(String((await ask([new Response(text)], { bytesMax: 9 })).said)).toContain('more than');
  });

  test('what is too large is told in megabytes, rounded up', async () => {
    const bytesMax = 1024 * 1024 + 1;
    const { said } = await ask([new Response('a'.repeat(bytesMax + 1))], { bytesMax });
    expect(String(said)).toEndWith('sent more than 2 MB.');
  });

  test('200 characters of an error are repeated', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const { said } = await ask([new Response('e'.repeat(201), { status: 500, headers })]);
    expect(String(said)).toEndWith(`It says: ${'e'.repeat(200)}`);
  });

  test('what is sent to authorize is hidden from 16 characters on', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const [long, short] = ['a'.repeat(16), 'b'.repeat(15)];
    const { said } = await ask([new Response(`${long} ${short}`, { status: 500, headers })], {
      headers: { Authorization: `Bearer ${long} ${short}` },
    });
    expect(String(said)).toEndWith(`It says: [secret] ${short}`);
  });

  test.each([
    [{ etag: '"1"', lastModified: null }, 304],
    [{ etag: null, lastModified: 'x' }, 304],
    [{ etag: null, lastModified: null }, null],
  ])('304 answers a request for what differs from %j: %p', async (unlessSame, status) => {
    const { said } = await ask([new Response(null, { status: 304 })], { unlessSame });
    expect(said instanceof SourceError ? null : said.status).toBe(status);
  });

  test('a 304 may announce the length of what it does not send', async () => {
    const headers = { 'Content-Length': '100' };
    const unlessSame = { etag: '"1"', lastModified: null };
    const { said } = await ask([new Response(null, { status: 304, headers })], { unlessSame });
    expect(said).toMatchObject({ status: 304, bytes: new Uint8Array() });
  });

  test.each([
    ['ENOTFOUND', 'was not found'],
    ['ECONNREFUSED', 'refused the connection'],
    ['ECONNRESET', 'closed the connection'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['EODD', 'sent an incomplete response (EODD)'],
  ])('%s is told: %s', async (code, words) => {
    const own = makeSourceClient({
      userAgent: 'test',
      clock: () => now,
      secrets: [],
      fetch: () => Promise.reject(Object.assign(new Error('x'), { code })),
    });
    await expect(own.send({ url })).rejects.toThrow(words);
  });
});
