/** Pictures are fetched by the server, never by the browser from other hosts. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, launchBrowser, openContext } from '../support/browser.ts';
import { smallMarket } from '../support/market.ts';
import { type Site, startSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let site: Site;
const requests: { url: string; headers: string }[] = [];

/** The server of another host. */
const other = Bun.serve({
  port: 0,
  fetch: (request) => {
    const headers = JSON.stringify([...request.headers]);
    requests.push({ url: new URL(request.url).pathname, headers });
    return new Response(png, { headers: { 'Set-Cookie': 'theirs=1' } });
  },
});

/** A page of sets with pictures on a host that never responds. */
const silentSets = Array.from({ length: 12 }, (_, index) => ({
  kind: 'set',
  set_number: `${9_001 + index}`,
  title: `Quiet Castle ${index}`,
  theme: 'Silence',
  image_url: `https://silent.example.com/${index}.png`,
}));

beforeAll(async () => {
  site = await startSite({
    pictures: {
      hosts: ['images.example.com', 'silent.example.com'],
      fetchOutside: (url, init) =>
        url.startsWith('https://silent.example.com')
          ? new Promise(() => {})
          : fetch(url.replace('https://images.example.com', `http://127.0.0.1:${other.port}`), {
              ...init,
              signal: null,
            }),
    },
  });
  await site.world.load([...smallMarket, ...silentSets]);
});

afterAll(async () => {
  await site.close();
  await other.stop(true);
});

test('the picture of a record is served without other data of either side', async () => {
  const ann = await site.signedIn('ann@example.com');
  const look = () =>
    fetch(`${site.url}/pictures/set/75192-1`, {
      headers: { Cookie: [...ann.cookies].map((pair) => pair.join('=')).join('; ') },
    });
  let response = new Response();
  await until(async () => {
    response = await look();
    return response.headers.get('Cache-Control') !== 'no-store';
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
  expect(response.headers.get('Content-Type')).toBe('image/png');
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(response.headers.get('Cache-Control')).toBe('private, max-age=86400');
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(requests.map(({ url }) => url)).toEqual(['/75192.png']);
  for (const cookie of ann.cookies.values()) expect(requests[0]?.headers).not.toContain(cookie);
});

test.each([
  ['/pictures/set/7001', '>7001</text>'],
  ['/pictures/minifig/cas002', '>cas002</text>'],
  ['/pictures/set/none', '</g></svg>'],
])('%s is a drawing of our own', async (path, end) => {
  const seen = await site.visitor().get(path);
  expect([seen.status, seen.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
  expect(seen.headers.get('Cache-Control')).toBe('private, max-age=600');
  expect(seen.html).toContain(end);
});

/** The connections of a browser to one server. */
const connections = 6;

const isPicture = (sent: { url(): string }) => sent.url().includes('/pictures/');

describeInBrowser('a silent host of pictures', (chromium) => {
  test('delays no other request of a page, and its placeholders are not cached', async () => {
    const browser = await launchBrowser(chromium);
    try {
      const viewport = { width: 1280, height: 2000 };
      const page = await (await openContext(browser, { viewport })).newPage();
      const caching: (string | undefined)[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/pictures/'))
          caching.push(response.headers()['cache-control']);
      });
      const pictureRequests = new Promise<void>((resolve) => {
        let count = 0;
        page.on('request', (request) => {
          if (isPicture(request) && ++count === connections) resolve();
        });
      });
      await page.goto(`${site.url}/themes/Silence`, { waitUntil: 'commit' });
      await pictureRequests;
      // This would time out if pictures blocked it.
      expect(await page.evaluate(async () => (await fetch('/search.json?q=castle')).status)).toBe(
        200,
      );
      await page.waitForFunction(
        (count) => [...document.images].filter((image) => image.naturalWidth > 0).length === count,
        silentSets.length,
      );
      expect(caching).toEqual(silentSets.map(() => 'no-store'));
    } finally {
      await browser.close();
    }
  });
});
