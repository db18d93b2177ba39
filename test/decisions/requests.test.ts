/** Decisions about requests, one test for each. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { keysById } from '../support/keys-by-id.ts';
import { castle, smallMarket } from '../support/market.ts';
import { errorFaults } from '../support/openapi.ts';
import { sendRaw } from '../support/raw.ts';
import { batch, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com', { allowance: 100_000 });
});

afterAll(() => world.close());

interface ErrorAnswer {
  readonly error: { readonly code: string; readonly message: string };
}

async function refusal(
  response: Response,
): Promise<{ status: number; code: string; text: string }> {
  const body = (await response.json()) as ErrorAnswer;
  expect(errorFaults(body)).toEqual([]);
  return { status: response.status, code: body.error.code, text: body.error.message };
}

async function used(email = 'caller@example.com'): Promise<number> {
  const keys = await world.store.accounts.listKeys(email, world.now);
  return keys?.reduce((sum, k) => sum + k.usedToday, 0) ?? -1;
}

describe('order of checks', () => {
  test('an unknown path is 404 before any other check, with any method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${world.url}/api/v1/nowhere`, { method });
      expect(await refusal(response)).toMatchObject({ status: 404, code: 'NotFound' });
    }
  });

  test('a wrong method is 405 before the key is checked', async () => {
    const response = await fetch(`${world.url}/api/v1/set/${castle}`, { method: 'PUT' });
    expect(await refusal(response)).toMatchObject({ status: 405 });
  });

  test('401 comes before 403, 403 before 400, 400 before 429, 429 before 404', async () => {
    await world.addAccount('poor@example.com');
    await world.addAccount('freebie@example.com', 'free');
    const free = await world.addKey('freebie@example.com');
    const poor = await world.addKey('poor@example.com', { allowance: 1 });
    await world.call(`/set/${castle}`, poor);
    const status = async (path: string, k: string) => (await world.call(path, k)).status;
    expect(await status('/set/404404?x=1', 'nonsense')).toBe(401);
    expect(await status('/set/404404?x=1', free)).toBe(403);
    expect(await status('/set/404404?x=1', poor)).toBe(400);
    expect(await status('/set/404404', poor)).toBe(429);
    expect(await status('/set/404404', key)).toBe(404);
  });
});

describe('which 401 code', () => {
  test('a malformed, unknown, expired or revoked key gives the same bytes', async () => {
    const email = 'badkeys@example.com';
    await world.addAccount(email);
    const revoked = await world.addKey(email);
    const expired = await world.addKey(email, { expiresAt: world.now + 1 });
    const [first] = (await world.store.accounts.listKeys(email, world.now)) ?? [];
    await keysById(world.store.accounts).revokeKey(first?.id ?? 0, world.now);
    world.now += 1;
    const bodies = new Set<string>();
    for (const bad of [
      '',
      'bmk_',
      `bmk_${'F'.repeat(48)}`,
      `bmk_${'f'.repeat(48)}`,
      revoked,
      expired,
    ]) {
      const response = await world.call(`/set/${castle}`, bad);
      expect(response.status).toBe(401);
      bodies.add(await response.text());
    }
    expect([...bodies].map((body) => JSON.parse(body).error.code)).toEqual(['InvalidApiKey']);
  });

  test('the scheme Bearer is case-insensitive', async () => {
    for (const word of ['bearer', 'BEARER', 'BeArEr']) {
      const headers = { Authorization: `${word} ${key}` };
      expect((await fetch(`${world.url}/api/v1/catalog/themes`, { headers })).status).toBe(200);
    }
  });
});

describe('what costs quota', () => {
  test('200 and 404 for an item cost one; 400 costs nothing', async () => {
    const before = await used();
    await world.call(`/set/${castle}`, key);
    await world.call('/set/404404', key);
    await world.call('/minifig/404404', key);
    await world.call('/set/404404/history', key);
    expect(await used()).toBe(before + 4);
    await world.call('/catalog/sets/search?q=a', key);
    await world.call(`/set/${castle}`, key, { method: 'PATCH' });
    expect(await used()).toBe(before + 4);
  });

  test('HEAD costs the same as GET', async () => {
    const before = await used();
    await world.call(`/set/${castle}`, key, { method: 'HEAD' });
    expect(await used()).toBe(before + 1);
  });
});

describe('batch and quota', () => {
  test('a batch of 100 with 99 left is 429 at no cost, with the number left', async () => {
    await world.addAccount('batch@example.com');
    const small = await world.addKey('batch@example.com', { allowance: 100 });
    await world.call(`/set/${castle}`, small);
    const sets = Array.from({ length: 100 }, (_, index) => String(10_000 + index));
    const response = await world.call('/catalog/batch', small, batch({ sets }));
    const { status, text } = await refusal(response);
    expect(status).toBe(429);
    expect(text).toContain('100');
    expect(text).toContain('99');
    expect(await used('batch@example.com')).toBe(1);
    expect((await world.call('/catalog/batch', small, batch({ sets: sets.slice(1) }))).status).toBe(
      200,
    );
    expect(await used('batch@example.com')).toBe(100);
  });
});

describe('Retry-After', () => {
  test('is whole seconds until midnight UTC, and at least 1', async () => {
    const late = await startWorld('2026-11-15T23:59:58.900Z');
    await late.load(smallMarket);
    await late.addAccount('late@example.com');
    const lateKey = await late.addKey('late@example.com', { allowance: 1 });
    await late.call(`/set/${castle}`, lateKey);
    const response = await late.call(`/set/${castle}`, lateKey);
    expect(response.status).toBe(429);
    // Rounded up, so that waiting that long is enough.
    expect(response.headers.get('retry-after')).toBe('2');
    late.now += 1000;
    const last = await late.call(`/set/${castle}`, lateKey);
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1']);
    late.now += 100;
    const next = await late.call(`/set/${castle}`, lateKey);
    expect(next.status).toBe(200);
    expect(next.headers.get('x-ratelimit-reset')).toBe('2026-11-17T00:00:00.000Z');
    await late.close();
  });
});

describe('query values', () => {
  test.each(['1e1', '0x10', '%2B5', '+5', '1.0', '', '-1', '0', '251', ' 5', '５'])(
    'limit=%s is rejected',
    async (value) => {
      const response = await world.call(`/catalog/sets/search?q=castle&limit=${value}`, key);
      expect(await refusal(response)).toMatchObject({ status: 400, code: 'BadRequest' });
    },
  );

  test('a repeated parameter is rejected by name', async () => {
    const response = await world.call('/catalog/sets/search?q=castle&q=tower', key);
    expect(await refusal(response)).toMatchObject({
      status: 400,
      text: expect.stringContaining("'q'"),
    });
  });

  test('an unknown parameter is rejected with the nearest valid one', async () => {
    const response = await world.call('/catalog/sets/search?q=castle&limmit=5', key);
    const { text } = await refusal(response);
    expect(text).toContain("'limmit'");
    expect(text).toContain("'limit'");
  });

  test('percent-encoding that is not UTF-8 is rejected', async () => {
    for (const path of ['/set/%ff', '/set/%zz', '/catalog/sets/search?q=%ff%fe']) {
      expect((await world.call(path, key)).status).toBe(400);
    }
  });
});

describe('batch body', () => {
  test('Content-Type can have a charset', async () => {
    const init = batch({ sets: [castle] });
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await world.call('/catalog/batch', key, { ...init, headers })).status).toBe(200);
  });

  test.each([
    ['empty', ''],
    ['an empty object', {}],
    ['empty lists', { sets: [], minifigs: [] }],
    ['null lists', { sets: null, minifigs: null }],
    ['malformed JSON', '{"sets":['],
    ['not an object', '["75192"]'],
    ['null', 'null'],
    ['an unknown property', { sets: ['75192'], set: [] }],
    ['numbers', { sets: [75192] }],
    ['an empty identifier', { sets: [''] }],
    ['an identifier with control characters', { sets: ['75192\u0000'] }],
    ['a lone surrogate', '{"sets":["75192","\\ud800"]}'],
    ['an identifier of 65 characters', { minifigs: ['x'.repeat(65)] }],
    ['more than 100 unique items', { sets: Array.from({ length: 101 }, (_, i) => `${i + 1}`) }],
    ['over 64 KiB', `{"sets":["75192"${' '.repeat(65_536)}]}`],
  ])('%s is 400 at no cost', async (_, body) => {
    const before = await used();
    const response = await world.call('/catalog/batch', key, batch(body));
    expect(await refusal(response)).toMatchObject({ status: 400, code: 'BadRequest' });
    expect(await used()).toBe(before);
  });

  test('a null list is empty', async () => {
    for (const body of [
      { sets: [castle], minifigs: null },
      { sets: null, minifigs: ['cas001'] },
    ]) {
      const response = await world.call('/catalog/batch', key, batch(body));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ data: { summary: { requested: 1 } } });
    }
  });

  test('another content type is 400', async () => {
    const init = { ...batch({ sets: [castle] }), headers: { 'Content-Type': 'text/plain' } };
    expect((await world.call('/catalog/batch', key, init)).status).toBe(400);
  });

  test('100 unique items with many repetitions are accepted', async () => {
    const sets = Array.from({ length: 300 }, (_, index) => `${20_000 + (index % 100)}`);
    expect((await world.call('/catalog/batch', key, batch({ sets }))).status).toBe(200);
  });

  test("a chunked body over 64 KiB is 400, in the contract's shape", async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(8192).fill(0x20));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    const response = await world.call('/catalog/batch', key, {
      ...init,
      duplex: 'half',
    } as RequestInit);
    expect(await refusal(response)).toMatchObject({ status: 400 });
  });
});

describe('oversized or unusual requests', () => {
  test('identifiers with control characters, or over 64 characters, are 400', async () => {
    for (const number of ['%00', 'a%0Ab', '%7F', '%C2%85', '%ED%A0%80', 'x'.repeat(65)]) {
      expect((await world.call(`/set/${number}`, key)).status).toBe(400);
      expect((await world.call(`/minifig/${number}`, key)).status).toBe(400);
    }
    expect((await world.call(`/set/${'x'.repeat(64)}`, key)).status).toBe(404);
  });

  test('a key in the wrong place is not repeated in the message', async () => {
    const tried = [`/set/${key}`, `/set/${key}/history`, `/retail-prices?${key}=1`];
    for (const path of [...tried, `/catalog/sets/search?q=castle&limit=${key}`]) {
      const { text } = await refusal(await world.call(path, key));
      expect(text).toContain("'bmk_…'");
      expect(text).not.toContain(key.slice(0, 8));
    }
  });

  test("a URL over 8 KiB is 400, in the contract's shape", async () => {
    const response = await world.call(`/catalog/sets/search?q=${'a'.repeat(9000)}`, key);
    expect(await refusal(response)).toMatchObject({ status: 400, code: 'BadRequest' });
  });

  test('headers up to 32 KiB are accepted; larger ones are rejected by the HTTP server', async () => {
    const status = async (length: number) => {
      const headers = { 'X-Long': 'a'.repeat(length) };
      return (await world.call(`/set/${castle}`, key, { headers })).status;
    };
    expect([await status(30_000), await status(40_000)]).toEqual([200, 431]);
  });

  test('a truncated request gets no 200 and costs nothing', async () => {
    const before = await used();
    const cut =
      `POST /api/v1/catalog/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"sets":["75192"';
    expect(await sendRaw(world.url, cut, 200)).not.toContain('200 OK');
    expect(await used()).toBe(before);
  });
});

describe('browsers', () => {
  test('any origin may call, without credentials, and read the rate and ID headers', async () => {
    const response = await world.call(`/set/${castle}`, key, {
      headers: { Origin: 'https://sheet.example.com' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    const exposed = response.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['X-Request-Id', 'X-RateLimit-Remaining', 'Retry-After', 'ETag']) {
      expect(exposed).toContain(name);
    }
  });
});

describe('compression', () => {
  /** A long GET response: fifty sets with long names. */
  const long = '/catalog/sets/search?q=verbose&limit=50';

  beforeAll(async () => {
    const title = (index: number) => `Verbose ${index} ${'wall '.repeat(30)}`.trim();
    await world.load(
      Array.from({ length: 50 }, (_, index) => ({
        kind: 'set',
        set_number: String(90_000 + index),
        title: title(index),
        theme: 'Walls',
      })),
    );
  });

  function decoded(bytes: Uint8Array<ArrayBuffer>, coding: string | null): Uint8Array {
    if (coding === 'zstd') return Bun.zstdDecompressSync(bytes);
    return coding === 'gzip' ? Bun.gunzipSync(bytes) : bytes;
  }

  /** A response as sent, and its decoded text. */
  async function sent(path: string, accepted: string, init: RequestInit = {}) {
    const headers = { ...init.headers, 'Accept-Encoding': accepted };
    const raw: RequestInit & { decompress: boolean } = { ...init, headers, decompress: false };
    const response = await world.call(path, key, raw);
    const bytes = await response.bytes();
    const coding = response.headers.get('content-encoding');
    const text = bytes.length === 0 ? '' : new TextDecoder().decode(decoded(bytes, coding));
    return { response, coding, length: bytes.length, text };
  }

  const batchOf = (count: number, length: number) =>
    batch({ sets: Array.from({ length: count }, (_, index) => String(index).padEnd(length, 'x')) });

  test('responses from 8 kB on are compressed with zstd or gzip if accepted, with the same text', async () => {
    const before = await used();
    const plain = await sent(long, 'identity');
    expect([plain.coding, plain.length > 8_192]).toEqual([null, true]);
    for (const [accepted, coding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['br', null],
    ] as const) {
      const { response, text, ...found } = await sent(long, accepted);
      expect(found.coding).toBe(coding);
      expect(found.length < plain.length / 2).toBe(coding !== null);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('etag')).toBe(plain.response.headers.get('etag') ?? '');
      const { data, meta } = JSON.parse(text) as { data: object; meta: { request_id: string } };
      expect(data).toEqual(JSON.parse(plain.text).data);
      expect(meta.request_id).toBe(response.headers.get('x-request-id') ?? '');
    }
    expect(await used()).toBe(before + 4);
  });

  test('HEAD has the headers of GET, and a 304 has no coding', async () => {
    const get = await sent(long, 'gzip');
    const head = await sent(long, 'gzip', { method: 'HEAD' });
    expect([head.coding, head.length]).toEqual(['gzip', 0]);
    const tag = get.response.headers.get('etag') ?? '';
    expect(head.response.headers.get('etag')).toBe(tag);
    const same = await sent(long, 'gzip', { headers: { 'If-None-Match': tag } });
    expect([same.response.status, same.coding, same.length]).toEqual([304, null, 0]);
    expect(same.response.headers.get('vary')).toBe('Accept-Encoding');
  });

  test('a batch is compressed too; shorter responses and errors are not', async () => {
    const coding = async (path: string, init?: RequestInit) =>
      (await sent(path, 'zstd, gzip', init)).coding;
    expect(await coding('/catalog/batch', batchOf(100, 64))).toBe('zstd');
    expect(await coding('/catalog/batch', batchOf(50, 64))).toBeNull();
    expect(await coding(`/set/${castle}`)).toBeNull();
    expect(await coding(`${long}&x=${'x'.repeat(8_000)}`)).toBeNull();
  });

  test('responses without a key are never compressed', async () => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const response = await fetch(`${world.url}/openapi.json`, { headers, decompress: false });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
  });
});
