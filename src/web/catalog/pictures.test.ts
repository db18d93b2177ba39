/** Pictures of other hosts: only listed hosts, only images, limited in size, time and number. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainPng } from '../../../test/support/png.ts';
import { until } from '../../../test/support/until.ts';
import {
  type FetchOutside,
  type FoundPicture,
  type PictureSettings,
  pictureFinder,
} from './pictures.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** The responses of the other host, by path. */
const answers: Readonly<Record<string, () => Response | Promise<Response>>> = {
  '/good': () => new Response(png, { headers: { 'Content-Type': 'image/png' } }),
  '/called-html': () => new Response(png, { headers: { 'Content-Type': 'text/html' } }),
  '/svg': () => new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } }),
  '/svg-called-png': () => new Response(svg, { headers: { 'Content-Type': 'image/png' } }),
  '/page': () => new Response('<script>1</script>', { headers: { 'Content-Type': 'text/html' } }),
  '/large': () => new Response(new Uint8Array([...png, ...new Uint8Array(2 * 1024 * 1024)])),
  '/gone': () => new Response(png, { status: 404 }),
  '/moved': () => Response.redirect('https://other.example.com/good', 302),
  '/moved-here': () => new Response(null, { status: 301, headers: { Location: '/good' } }),
  '/moved-away': () => Response.redirect('https://evil.example.com/good', 302),
  '/moved-inside': () => Response.redirect('http://127.0.0.1/good', 302),
  '/around': () => new Response(null, { status: 302, headers: { Location: '/around' } }),
};

const server = Bun.serve({
  port: 0,
  fetch: (request) => answers[new URL(request.url).pathname]?.() ?? new Response(png),
});

afterAll(() => server.stop(true));

let asked: string[];
let now: number;
let find: (url: string) => Promise<FoundPicture>;

const never = () => new Promise<never>(() => {});

/** Finds large pictures, and waits until they are fetched. */
function finderOf(settings: PictureSettings): typeof find {
  const finder = pictureFinder({ sleep: never, ...settings });
  return (url) => finder(url, 'large');
}

const typeOf = (found: FoundPicture) => (found === 'pending' ? found : found?.type);

/** A network in which every host is the server above. */
const fetchOutside: FetchOutside = (url, init) => {
  asked.push(url);
  const here = url.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${server.port}`);
  return fetch(here, { ...init, signal: null });
};

beforeEach(() => {
  asked = [];
  now = 0;
  const hosts = ['pictures.example.com', 'other.example.com'];
  find = finderOf({ hosts, fetchOutside, now: () => now });
});

const at = (path: string) => `https://pictures.example.com${path}`;

test('a picture is fetched once and then cached', async () => {
  const found = await Promise.all([find(at('/good')), find(at('/good'))]);
  expect(found).toEqual([{ bytes: png, type: 'image/png' }, found[0]]);
  expect(await find(at('/good'))).toEqual(found[0]);
  expect(asked).toEqual([at('/good')]);
});

test('the type is detected from the content, not the header', async () => {
  expect(typeOf(await find(at('/called-html')))).toBe('image/png');
});

test.each(['/svg', '/svg-called-png', '/page', '/large', '/gone', '/around'])(
  'nothing is passed on from %s',
  async (path) => {
    expect(await find(at(path))).toBeNull();
  },
);

describe('hosts', () => {
  test.each([
    'http://pictures.example.com/good',
    'https://evil.example.com/good',
    'https://pictures.example.com:8443/good',
    'https://pictures.example.com.evil.example.com/good',
    'https://user:pass@pictures.example.com/good',
    'https://127.0.0.1/good',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'nonsense',
    '',
  ])('%p is not asked', async (url) => {
    expect(await find(url)).toBeNull();
    expect(asked).toEqual([]);
  });

  test('redirects are followed to listed hosts only', async () => {
    expect(typeOf(await find(at('/moved')))).toBe('image/png');
    expect(typeOf(await find(at('/moved-here')))).toBe('image/png');
    expect(await find(at('/moved-away'))).toBeNull();
    expect(await find(at('/moved-inside'))).toBeNull();
    expect(asked.filter((url) => /evil|127/.test(url))).toEqual([]);
  });
});

test('a URL without a picture is not fetched again for a while', async () => {
  await find(at('/gone'));
  now = 9 * 60_000;
  await find(at('/gone'));
  expect(asked).toHaveLength(1);
  now = 10 * 60_000;
  await find(at('/gone'));
  expect(asked).toHaveLength(2);
});

test('concurrent fetches are limited; other pictures are pending', async () => {
  const gate = Promise.withResolvers<void>();
  const gated: FetchOutside = async (url) => {
    asked.push(url);
    await gate.promise;
    return new Response(png);
  };
  const late = Promise.withResolvers<void>();
  const own = finderOf({
    hosts: ['pictures.example.com'],
    fetchOutside: gated,
    now: () => now,
    sleep: () => late.promise,
  });
  const urls = Array.from({ length: 12 }, (_, index) => at(`/slow?${index}`));
  const first = urls.map(own);
  late.resolve();
  expect(await Promise.all(first)).toEqual(urls.map(() => 'pending'));
  expect(asked).toEqual(urls.slice(0, 8));
  gate.resolve();
  for (const url of urls) await until(async () => (await own(url)) !== 'pending');
  expect(asked).toEqual(urls);
});

describe('a host that does not respond', () => {
  let answer: () => void;
  const silent: FetchOutside = async (url) => {
    asked.push(url);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return new Response(png);
  };

  test('delays a page only briefly, and its picture is served once it responds', async () => {
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const hosts = ['pictures.example.com'];
    const own = finderOf({ hosts, fetchOutside: silent, now: () => now, sleep });
    expect(await own(at('/good'))).toBe('pending');
    // The next request does not wait.
    expect(await own(at('/good'))).toBe('pending');
    expect(waits).toEqual([300]);
    answer();
    await until(async () => (await own(at('/good'))) !== 'pending');
    expect(typeOf(await own(at('/good')))).toBe('image/png');
    expect(asked).toEqual([at('/good')]);
  });

  test('is not called for a minute, and missing pictures are not cached', async () => {
    let isUp = false;
    const fetchOutside: FetchOutside = async (url) => {
      asked.push(url);
      if (!isUp) throw new DOMException('It timed out.', 'TimeoutError');
      return new Response(png);
    };
    const own = finderOf({ hosts: ['pictures.example.com'], fetchOutside, now: () => now });
    expect(await own(at('/one'))).toBe('pending');
    expect(await own(at('/two'))).toBe('pending');
    expect(asked).toEqual([at('/one')]);
    isUp = true;
    now = 60_000;
    expect(typeOf(await own(at('/one')))).toBe('image/png');
    expect(typeOf(await own(at('/two')))).toBe('image/png');
  });
});

describe('sizes', () => {
  const hosts = ['pictures.example.com'];
  const serve = (bytes: Uint8Array<ArrayBuffer>) =>
    pictureFinder({
      hosts,
      now: () => 0,
      fetchOutside: async () => new Response(bytes),
      sleep: never,
    });

  test('a picture is scaled down proportionally, never up', async () => {
    const own = serve(plainPng({ width: 400, height: 200 }));
    const sizes = await Promise.all(
      (['thumb', 'card', 'large'] as const).map(async (size) => {
        const found = await own(at('/wide'), size);
        if (found === null || found === 'pending') throw new Error('There is no picture.');
        const { width, height } = await new Bun.Image(found.bytes).metadata();
        return [found.type, width, height];
      }),
    );
    expect(sizes).toEqual([
      ['image/webp', 96, 48],
      ['image/webp', 240, 120],
      ['image/webp', 400, 200],
    ]);
  });

  test('a picture with too many pixels is neither decoded nor served', async () => {
    expect(await serve(plainPng({ width: 8_000, height: 4_000 }))(at('/bomb'), 'thumb')).toBeNull();
  });
});

test('pictures on disk are served after a restart without a fetch', async () => {
  const path = mkdtempSync(join(tmpdir(), 'brickmark-pictures-'));
  try {
    const folder = { path, bytesMax: 1024 * 1024 };
    const settings = { hosts: ['pictures.example.com'], fetchOutside, now: () => 0, folder };
    const first = await finderOf(settings)(at('/good'));
    expect(await finderOf(settings)(at('/good'))).toEqual(first);
    expect(asked).toEqual([at('/good')]);
  } finally {
    rmSync(path, { recursive: true });
  }
});

test('the least recently used are dropped when the cache is full', async () => {
  const big = new Uint8Array([...png, ...new Uint8Array(2 * 1024 * 1024 - 100)]);
  const hosts = ['pictures.example.com'];
  let count = 0;
  const own = finderOf({
    hosts,
    now: () => 0,
    fetchOutside: async () => {
      count++;
      return new Response(big);
    },
  });
  for (let index = 0; index < 20; index++) await own(at(`/${index}`));
  await own(at('/19'));
  expect(count).toBe(20);
  await own(at('/0'));
  expect(count).toBe(21);
});

test('URLs count towards the size of the cache, also without a picture', async () => {
  let count = 0;
  const own = finderOf({
    hosts: ['pictures.example.com'],
    now: () => 0,
    fetchOutside: async () => {
      count++;
      return new Response(null, { status: 404 });
    },
  });
  const long = (index: number) => at(`/${index}/${'x'.repeat(32 * 1024)}`);
  for (let index = 0; index < 1_100; index++) await own(long(index));
  await own(long(1_099));
  expect(count).toBe(1_100);
  await own(long(0));
  expect(count).toBe(1_101);
});
