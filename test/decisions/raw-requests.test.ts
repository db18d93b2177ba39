/** Unusual requests that no ordinary client sends: their responses and costs. */
// @runs SQLite: is about requests to any store
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { isPostgres } from '../support/engines.ts';
import { castle, smallMarket } from '../support/market.ts';
import { errorFaults } from '../support/openapi.ts';
import { sendRaw } from '../support/raw.ts';
import { type Site, startSite } from '../support/site.ts';

const email = 'caller@example.com';
const path = `/api/v1/set/${castle}`;

let site: Site;
let key: string;

beforeAll(async () => {
  site = await startSite();
  const { world } = site;
  await world.load(smallMarket);
  await world.addAccount(email);
  key = await world.addKey(email, { allowance: 100_000 });
});

afterAll(() => site.close());

async function used(): Promise<number> {
  const keys = await site.world.store.accounts.listKeys(email, site.world.now);
  return keys?.reduce((sum, { usedToday }) => sum + usedToday, 0) ?? -1;
}

/** A request with Connection: close, unless the headers have another. */
function request(line: string, ...headers: readonly string[]): string {
  return [line, ...headers, 'Connection: close', '', ''].join('\r\n');
}

const host = 'Host: bricks.example.com';
const get = (target: string) => request(`GET ${target} HTTP/1.1`, host);
const keyed = () => `Authorization: Bearer ${key}`;

/** Status, headers and body of a response; status 0 without a response. */
async function ask(text: string) {
  const answer = await sendRaw(site.url, text);
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1] ?? 0), head, body };
}

describe('accepted like any other', () => {
  test.each<[string, () => string]>([
    ['HTTP/1.0 without a Host', () => request(`GET ${path} HTTP/1.0`, keyed())],
    ['HTTP/1.0 with a Host', () => request(`GET ${path} HTTP/1.0`, host, keyed())],
    ['an empty Host', () => request(`GET ${path} HTTP/1.1`, 'Host:', keyed())],
    ['an invalid Host', () => request(`GET ${path} HTTP/1.1`, 'Host: a b/api?c', keyed())],
    ['two Hosts', () => request(`GET ${path} HTTP/1.1`, host, 'Host: other', keyed())],
    ['an absolute target', () => request(`GET http://other${path} HTTP/1.1`, host, keyed())],
    ['dots in a path', () => request(`GET /a/../api/v1/./set/${castle} HTTP/1.1`, host, keyed())],
  ])('accepts a request with %s', async (_, text) => {
    const before = await used();
    const { status, body } = await ask(text());
    expect([status, JSON.parse(body).data.set_number]).toEqual([200, castle]);
    expect(await used()).toBe(before + 1);
  });

  test("HAProxy's plain check, and OPTIONS for any path outside the API", async () => {
    for (const target of ['/', '/healthz', '/readyz', '/openapi.json']) {
      const { status, head } = await ask(`OPTIONS ${target} HTTP/1.0\r\n\r\n`);
      expect([status, head]).toEqual([204, expect.stringContaining('Allow: GET, HEAD, OPTIONS')]);
    }
  });
});

describe("rejected in the contract's shape", () => {
  test.each([
    ['/api', 404],
    ['/api/', 404],
    ['/api/v1', 404],
    ['/api/v2/set/75192', 404],
    ['/api/v1/nowhere', 404],
    [`/api/v1/set/${castle}/`, 404],
  ])('unknown target %s', async (target, expected) => {
    for (const text of [get(target), request(`GET ${target} HTTP/1.0`)]) {
      const { status, body } = await ask(text);
      expect([status, errorFaults(JSON.parse(body))]).toEqual([expected, []]);
    }
  });

  test('a path that only ends like one of the API, without a Host', async () => {
    const before = await used();
    const { status } = await ask(request(`GET /aaaaaaa${path} HTTP/1.0`, keyed()));
    expect([status, await used()]).toEqual([404, before]);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND'])(
    'rejects the method %s',
    async (method) => {
      for (const target of [path, '/readyz']) {
        const { status, head, body } = await ask(request(`${method} ${target} HTTP/1.1`, host));
        expect([status, errorFaults(JSON.parse(body))]).toEqual([405, []]);
        expect(head).toContain('Allow: GET, HEAD, OPTIONS');
      }
      const page = await ask(request(`${method} /sign-in HTTP/1.1`, host));
      expect([page.status, page.head]).toEqual([405, expect.stringContaining('Allow: GET, HEAD')]);
    },
  );

  test('invalid percent-encoding', async () => {
    const { status, body } = await ask(request('GET /api/v1/set/%zz HTTP/1.1', host, keyed()));
    expect([status, JSON.parse(body).error.code]).toEqual([400, 'BadRequest']);
  });
});

describe('rejected by the HTTP server itself, without a body', () => {
  const many = Array.from({ length: 200 }, (_, index) => `X-${index}: a`);
  test.each<[string, number, string]>([
    ['HTTP/1.1 without a Host', 400, request(`GET ${path} HTTP/1.1`)],
    ['OPTIONS *', 400, request('OPTIONS * HTTP/1.1', host)],
    ['a target without a slash', 400, get('api/v1/set/1')],
    ['a target of another scheme', 400, get(`ftp://bricks.example.com${path}`)],
    ['a header line without a colon', 400, request(`GET ${path} HTTP/1.1`, host, 'None')],
    ['a space before the colon', 400, request(`GET ${path} HTTP/1.1`, host, 'A : b')],
    ['a header over two lines', 400, request(`GET ${path} HTTP/1.1`, host, 'A: b', ' c')],
    ['U+0000 in a header', 400, request(`GET ${path} HTTP/1.1`, host, 'A: b\0c')],
    ['two lengths', 400, request(`GET ${path} HTTP/1.1`, host, 'Content-Length: 1, 2')],
    ['an invalid length', 400, request(`GET ${path} HTTP/1.1`, host, 'Content-Length: x')],
    [
      'a length with chunks',
      400,
      request(`GET ${path} HTTP/1.1`, host, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    ],
    ['another encoding', 400, request(`GET ${path} HTTP/1.1`, host, 'Transfer-Encoding: gzip')],
    ['a line break before the request', 400, `\r\n${get(path)}`],
    ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00'],
    ['HTTP/2.0', 505, request(`GET ${path} HTTP/2.0`, host)],
    ['HTTP/1.2', 505, request(`GET ${path} HTTP/1.2`, host)],
    ['http/1.1', 505, request(`GET ${path} http/1.1`, host)],
    ['no version', 505, `GET ${path}\r\n\r\n`],
    ['U+0000 in the target', 505, get(`${path}\0`)],
    ['a space in the target', 505, get(`${path} 2`)],
    ['lines that end with LF only', 505, get(path).replaceAll('\r\n', '\n')],
    ['over 32 KiB of headers', 431, request(`GET ${path} HTTP/1.1`, `A: ${'a'.repeat(40_000)}`)],
    ['200 headers', 431, request(`GET ${path} HTTP/1.1`, host, ...many)],
  ])('rejects a request with %s: status %d', async (_, expected, text) => {
    const { status, body } = await ask(text);
    expect([status, body]).toEqual([expected, '']);
  });

  test.each(['FOO', 'BREW', 'get', 'Get'])('%s: closed without a response', async (method) => {
    expect(await sendRaw(site.url, request(`${method} ${path} HTTP/1.1`, host))).toBe('');
  });
});

/** Sends a text, then optionally half-closes; returns the number of responses. */
function countAnswers(text: string, more: 'end' | 'nothing'): Promise<number> {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(port), hostname, () => {
      if (more === 'end') socket.end(text);
      else socket.write(text);
    });
    socket.on('data', (chunk) => {
      got += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got.split('HTTP/1.1 200 OK').length - 1));
    setTimeout(() => socket.destroy(), 5_000);
  });
}

describe('a response that cannot be sent is not charged', () => {
  const call = (target: string) => `GET ${target} HTTP/1.1\r\n${host}\r\n${keyed()}\r\n\r\n`;
  const batch = () =>
    `POST /api/v1/catalog/batch HTTP/1.1\r\n${host}\r\n${keyed()}\r\n` +
    `Content-Type: application/json\r\nContent-Length: 18\r\n\r\n{"sets":["75192"]}`;

  test.each<[string, () => string]>([
    ['a second request before the first is answered', () => call(path) + call(path)],
    ['ten at once', () => call(path).repeat(10)],
    ['two uncached requests at once', () => call('/api/v1/catalog/themes').repeat(2)],
    ['a line break after a request', () => `${call(path)}\r\n`],
    ['a line break after a body', () => `${batch()}\r\n`],
  ])('%s: no 200, no charge', async (_, text) => {
    const before = await used();
    expect(await countAnswers(text(), 'nothing')).toBe(0);
    expect(await used()).toBe(before);
  });

  test('a client that half-closes at once is both answered and charged, or neither', async () => {
    const before = await used();
    let answers = 0;
    for (let count = 0; count < 20; count++) {
      answers += await countAnswers(call(count % 2 ? path : `${path}/history`), 'end');
    }
    const charged = (await used()) - before;
    // On PostgreSQL a connection may be closed during the round trip that charges the call.
    if (isPostgres) expect(charged).toBeGreaterThanOrEqual(answers);
    else expect(charged).toBe(answers);
  });

  test('an incomplete body or invalid chunks cost nothing', async () => {
    const before = await used();
    const chunked = batch().replace('Content-Length: 18', 'Transfer-Encoding: chunked');
    const short = batch().replace('Content-Length: 18', 'Content-Length: 40');
    expect(await countAnswers(chunked, 'nothing')).toBe(0);
    expect(await countAnswers(short, 'end')).toBe(0);
    expect(await used()).toBe(before);
  });
});
