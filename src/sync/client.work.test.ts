/** The HTTP client against a loopback server that sends given bytes. */
import { afterAll, describe, expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { dayMs } from '../kernel/time.ts';
import { makeSourceClient, SourceError, type SourceRequest } from './client.work.ts';
import { Secret } from './secret.ts';

const now = Date.UTC(2026, 10, 16, 12);
const key = 'k3y+of/an0perator';

/** Sends the given bytes to requests in turn, and records them. */
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

/** A response with a length, which closes the connection. */
function answer(status: string, headers: Record<string, string>, body: string | Uint8Array = '') {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return (socket: Socket) => {
    socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n${head}\r\n`);
    socket.end(bytes);
  };
}

function send(path: string, given: typeof replies, request: Partial<SourceRequest> = {}) {
  replies = given;
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
  test('has bytes and validators; requests have a user agent', async () => {
    const reply = answer(
      '200 OK',
      { ETag: '"a"', 'Last-Modified': 'Mon, 16 Nov 2026 09:00:00 GMT' },
      'one',
    );
    const response = await send('/file?x=1', [reply], { headers: { Accept: 'text/csv' } });
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

  test('is conditional; unchanged, it is a 304 without bytes', async () => {
    const unlessSame = { etag: 'W/"b"', lastModified: 'Sun, 15 Nov 2026 09:00:00 GMT' };
    const response = await send('/', [answer('304 Not Modified', {})], { unlessSame });
    expect([response.status, response.bytes.length]).toEqual([304, 0]);
    expect(requests[0]).toContain('If-None-Match: W/"b"\r\n');
    expect(requests[0]).toContain('If-Modified-Since: Sun, 15 Nov 2026 09:00:00 GMT\r\n');
  });

  test('a 304 to an unconditional request is an error', async () => {
    const unlessSame = { etag: null, lastModified: null };
    const error = await failure('/', [answer('304 Not Modified', {})], { unlessSame });
    expect(error).toMatchObject({
      kind: 'later',
      message: `${base}/ answered 304 to a first request.`,
    });
  });

  test('of 404 is returned, like errors that the caller handles', async () => {
    expect((await send('/', [answer('404 Not Found', {}, 'no')])).status).toBe(404);
    const returned = await send('/', [answer('429 Too Many Requests', {}, '{"refillIn":9}')], {
      returnedErrors: [429],
    });
    expect(new TextDecoder().decode(returned.bytes)).toBe('{"refillIn":9}');
  });

  test('with a content encoding is decompressed', async () => {
    const packed = gzipSync('x'.repeat(5000));
    const response = await send('/', [answer('200 OK', { 'Content-Encoding': 'gzip' }, packed)]);
    expect(new TextDecoder().decode(response.bytes)).toBe('x'.repeat(5000));
    expect(requests[0]).toContain('Accept-Encoding: gzip\r\n');
  });

  test('sends the body of a POST', async () => {
    await send('/token', [answer('200 OK', {}, '{}')], { method: 'POST', body: 'a=b' });
    expect(requests[0]).toStartWith('POST /token HTTP/1.1\r\n');
    expect(requests[0]).toEndWith('\r\n\r\na=b');
  });
});

describe('an incomplete response is an error', () => {
  const packed = gzipSync(`${'x'.repeat(5000)}${Math.PI}`);
  const damaged = Uint8Array.from(packed).fill(7, 20, 25);
  const cases: Record<string, (socket: Socket) => void> = {
    'fewer bytes than Content-Length': answer('200 OK', { 'Content-Length': '100' }, 'abc'),
    'an unterminated chunk': (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n');
    },
    'truncated gzip': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n');
      socket.end(packed.subarray(0, -6));
    },
    'damaged gzip': answer('200 OK', { 'Content-Encoding': 'gzip' }, damaged),
    'an unsupported encoding': answer('200 OK', { 'Content-Encoding': 'br' }, 'abc'),
    'no response': (socket) => {
      socket.end();
    },
    'no HTTP': (socket) => {
      socket.end('hello\r\n\r\n');
    },
  };
  for (const [name, reply] of Object.entries(cases)) {
    // The runtime retries a connection that is closed at once.
    test(name, async () => {
      expect((await failure('/', [reply, reply])).kind).toBe('later');
    });
  }
});

test('a body that does not match Content-Length is an error', async () => {
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

test('a body that is cut off is an error', async () => {
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
  test('a response that is too large is aborted, announced or not', async () => {
    const large = 'x'.repeat(2 * 1024 * 1024 + 1);
    const bytesMax = 2 * 1024 * 1024;
    const endless = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      socket.end(large);
    };
    for (const reply of [answer('200 OK', {}, large), endless]) {
      const error = await failure('/', [reply], { bytesMax });
      expect(error).toMatchObject({ kind: 'later', message: `${base}/ sent more than 2 MB.` });
    }
    const largest = await send('/', [answer('200 OK', {}, large.slice(1))], { bytesMax });
    expect(largest.bytes.length).toBe(bytesMax);
  });

  test('so is one that is too large after decompression', async () => {
    const bomb = gzipSync(new Uint8Array(20 * 1024 * 1024));
    const error = await failure('/', [answer('200 OK', { 'Content-Encoding': 'gzip' }, bomb)], {
      bytesMax: 1024 * 1024,
    });
    expect(error.message).toBe(`${base}/ sent more than 1 MB.`);
  });

  test('the timeout applies to headers and body', async () => {
    const silent = () => {};
    const trickling = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na');
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    for (const reply of [silent, trickling]) {
      const error = await failure('/', [reply], { timeoutMs: 100 });
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

  test("a rejected key is reported with the source's message", async () => {
    const reply = answer(
      '401 No',
      { 'Content-Type': 'application/json' },
      '{"error":\n "EXPIRED"}',
    );
    expect((await failure('/a', [reply])).message).toBe(
      `${base}/a rejected the key. Check that it is correct and has not expired (401). ` +
        'It says: {"error": "EXPIRED"}',
    );
  });

  test('HTML pages are not quoted', async () => {
    const reply = answer('500 Oh', { 'Content-Type': 'text/html' }, '<html>Oops</html>');
    expect((await failure('/', [reply])).message).toBe(`${base}/ returned a server error (500).`);
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

describe('redirects', () => {
  const to = (location: string, status = '302 Found') => answer(status, { Location: location });

  test('are followed on the same host, with the same headers', async () => {
    const chain = [to('/b', '301 Moved'), to(`${base}/c`, '308 Moved'), answer('200 OK', {}, 'ok')];
    const response = await send('/a', chain, { headers: { Authorization: 'Bearer x' } });
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

  test('are limited; those of a POST or without a location are not followed', async () => {
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

  test('are in no error, neither from the URL nor if the source quotes them', async () => {
    const basic = Buffer.from(key).toString('base64');
    const token = 'token-that-came-in-exchange';
    const known = `${key} ${encodeURIComponent(key)} ${basic} ${token} `;
    // The quote is cut in the middle of the last one.
    const echo = `${known}${'z'.repeat(200 - known.length - 8)}${key}`;
    const url = `/?key=${encodeURIComponent(key)}&asin=B01&asin=B02`;
    const reply = answer('403 No', { 'Content-Type': 'text/plain' }, echo);
    const { message } = await failure(url, [reply], {
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

test('unknown hosts and refused connections are explained', async () => {
  const gone = client.send({ url: new URL('http://127.0.0.1:1/') });
  expect(await gone.catch((error) => error)).toMatchObject({
    kind: 'later',
    message: 'http://127.0.0.1:1/ refused the connection (ECONNREFUSED).',
  });
});

describe('a connection that cannot be trusted', () => {
  const words = "has a certificate that is not trusted, or does not support TLS. Check 'url'";

  test('because the server does not support TLS', async () => {
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
  ])('is reported as such: %s', async (code) => {
    const fetch = () => Promise.reject(Object.assign(new Error('no'), { code }));
    const options = { userAgent: 'brickmark/1', clock: () => now, secrets: [], fetch };
    const sent = makeSourceClient(options).send({ url: new URL('https://shop.example.com/') });
    expect(await sent.catch(({ message }) => message)).toBe(
      `https://shop.example.com/ ${words} (${code}).`,
    );
  });
});

test('a call is sent once, even after a kept-alive connection', async () => {
  const kept = (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    // Further requests on this connection are cut off.
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

describe('with a given fetch function', () => {
  const url = new URL('https://a.example.com/x');

  /** Sends a request that gets these responses in turn, and returns the requested URLs. */
  async function ask(responses: readonly Response[], request: Partial<SourceRequest> = {}) {
    const asked: string[] = [];
    const methods: unknown[] = [];
    const rest = [...responses];
    const own = makeSourceClient({
      userAgent: 'test',
      clock: () => now,
      secrets: [],
      fetch: async (to, { method }) => {
        asked.push(to.href);
        methods.push(method);
        return rest.shift() ?? new Response('end');
      },
    });
    const result = await own.send({ url, ...request }).catch((error: SourceError) => error);
    return { result, asked, methods };
  }

  /** A response with an endless body, and whether the body was cancelled. */
  function unread(status: number, headers: Record<string, string> = {}) {
    const body = { isCancelled: false };
    const stream = new ReadableStream({
      cancel: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        body.isCancelled = true;
      },
    });
    return { body, response: new Response(stream, { status, headers }) };
  }

  test('unread bodies are cancelled', async () => {
    const redirect = unread(302, { Location: '/y' });
    const { result } = await ask([redirect.response, new Response('y')]);
    expect([redirect.body.isCancelled, result]).toMatchObject([true, { status: 200 }]);
    const page = unread(500, { 'Content-Type': 'text/html' });
    await ask([page.response]);
    expect(page.body.isCancelled).toBe(true);
    const hidden = unread(500, { 'Content-Type': 'text/plain' });
    await ask([hidden.response], { hidesErrors: true });
    expect(hidden.body.isCancelled).toBe(true);
  });

  test('five redirects are followed, but no sixth', async () => {
    const redirects = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        return new Response(null, { status: 302, headers: { Location: `/${index}` } });
      });
    expect((await ask(redirects(5))).result).toMatchObject({ status: 200 });
    const { result, asked } = await ask(redirects(6));
    expect(asked).toHaveLength(6);
    expect(String(result)).toContain('redirects too many times');
  });

  test.each([301, 302, 303, 307, 308])('%d is a redirect', async (status) => {
    const redirect = new Response(null, { status, headers: { Location: '/y' } });
    const { asked, methods } = await ask([redirect]);
    expect(methods).toEqual(['GET', 'GET']);
    expect(asked).toEqual(['https://a.example.com/x', 'https://a.example.com/y']);
  });

  test('a response may have exactly the maximum size', async () => {
    const text = 'a'.repeat(10);
    expect((await ask([new Response(text)], { bytesMax: 10 })).result).toMatchObject({
      status: 200,
    });
    expect(String((await ask([new Response(text)], { bytesMax: 9 })).result)).toContain(
      'more than',
    );
  });

  test('a single byte is no compressed body, but no byte is an empty one', async () => {
    const packed = (text: string) =>
      new Response(text, { headers: { 'Content-Encoding': 'gzip' } });
    expect(String((await ask([packed('a')])).result)).toContain('cannot be decompressed');
    expect((await ask([packed('')])).result).toMatchObject({ status: 200 });
  });

  test('size limits are given in megabytes, rounded up', async () => {
    const bytesMax = 1024 * 1024 + 1;
    const { result } = await ask([new Response('a'.repeat(bytesMax + 1))], { bytesMax });
    expect(String(result)).toEndWith('sent more than 2 MB.');
  });

  test('200 characters of an error are quoted', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const { result } = await ask([new Response('e'.repeat(201), { status: 500, headers })]);
    expect(String(result)).toEndWith(`It says: ${'e'.repeat(200)}`);
  });

  test('parts of the Authorization header are redacted from 16 characters on', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const [long, short] = ['a'.repeat(16), 'b'.repeat(15)];
    const { result } = await ask([new Response(`${long} ${short}`, { status: 500, headers })], {
      headers: { Authorization: `Bearer ${long} ${short}` },
    });
    expect(String(result)).toEndWith(`It says: [secret] ${short}`);
  });

  test.each([
    [{ etag: '"1"', lastModified: null }, 304],
    [{ etag: null, lastModified: 'x' }, 304],
    [{ etag: null, lastModified: null }, null],
  ])('304 to a conditional request with %j: %p', async (unlessSame, status) => {
    const { result } = await ask([new Response(null, { status: 304 })], { unlessSame });
    expect(result instanceof SourceError ? null : result.status).toBe(status);
  });

  test('a 304 may have a Content-Length', async () => {
    const headers = { 'Content-Length': '100' };
    const unlessSame = { etag: '"1"', lastModified: null };
    const { result } = await ask([new Response(null, { status: 304, headers })], { unlessSame });
    expect(result).toMatchObject({ status: 304, bytes: new Uint8Array() });
  });

  test.each([
    ['ENOTFOUND', 'was not found'],
    ['ECONNREFUSED', 'refused the connection'],
    ['ECONNRESET', 'closed the connection'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['EODD', 'sent an incomplete response (EODD)'],
  ])('explains %s: it %s', async (code, words) => {
    const own = makeSourceClient({
      userAgent: 'test',
      clock: () => now,
      secrets: [],
      fetch: () => Promise.reject(Object.assign(new Error('x'), { code })),
    });
    await expect(own.send({ url })).rejects.toThrow(words);
  });
});
