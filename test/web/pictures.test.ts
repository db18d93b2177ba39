/** Pictures come from this site: the other host is asked by the server, never by the browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { smallMarket } from '../support/market.ts';
import { type Site, startSite } from '../support/site.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let site: Site;
const asked: { url: string; headers: string }[] = [];

/** Somebody else's host, of which only the name is not real. */
const other = Bun.serve({
  port: 0,
  fetch: (request) => {
    const headers = JSON.stringify([...request.headers]);
    asked.push({ url: new URL(request.url).pathname, headers });
    return new Response(png, { headers: { 'Set-Cookie': 'theirs=1' } });
  },
});

beforeAll(async () => {
  site = await startSite({
    pictureHosts: ['images.example.com'],
    fetchOutside: (url, init) =>
      fetch(url.replace('https://images.example.com', `http://127.0.0.1:${other.port}`), init),
  });
  await site.world.load(smallMarket);
});

afterAll(async () => {
  await site.close();
  await other.stop(true);
});

test('the picture of a record is passed on without anything else from either side', async () => {
  const ann = await site.signedIn('ann@example.com');
  const response = await fetch(`${site.url}/pictures/set/75192-1`, {
    headers: { Cookie: [...ann.cookies].map((pair) => pair.join('=')).join('; ') },
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
  expect(response.headers.get('Content-Type')).toBe('image/png');
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(response.headers.get('Cache-Control')).toBe('private, max-age=86400');
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(asked.map(({ url }) => url)).toEqual(['/75192.png']);
  for (const cookie of ann.cookies.values()) expect(asked[0]?.headers).not.toContain(cookie);
});

test.each(['/pictures/set/7001', '/pictures/set/none', '/pictures/minifig/cas002'])(
  '%s is a drawing of our own',
  async (path) => {
    const seen = await site.visitor().get(path);
    expect([seen.status, seen.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
    expect(seen.headers.get('Cache-Control')).toBe('private, max-age=600');
  },
);
