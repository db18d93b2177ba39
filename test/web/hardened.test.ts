/** Malicious and unusual requests are rejected early, and never cause a failure. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { password, readForm, type Site, startSite, type Visitor } from '../support/site.ts';

let site: Site;
let ann: Visitor;

beforeAll(async () => {
  site = await startSite();
  ann = await site.signedIn('ann@example.com');
});

afterAll(() => site.close());

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(site.url + path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Origin: site.url, ...headers },
  });

test.each([
  [null, ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=2592000']],
  ['https://bricks.example', ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure', 'Max-Age=2592000']],
])(
  'the session cookie of a site at %p is not accessible to scripts and other sites',
  async (baseUrl, flags) => {
    const other = await startSite({ site: { baseUrl } });
    await other.addAccount('eve@example.com');
    const visitor = other.visitor();
    const Origin = baseUrl ?? other.url;
    const fields = readForm((await visitor.get('/sign-in')).html, '/sign-in');
    const typed = { ...fields, email: 'eve@example.com', password };
    const { headers } = await visitor.post('/sign-in', typed, { Origin });
    const name = baseUrl ? '__Host-brickmark' : 'brickmark';
    const session = headers.getSetCookie().find((each) => each.startsWith(`${name}=`));
    expect(session?.split('; ').slice(1)).toEqual(flags);
    await other.close();
  },
);

test('without signing in, no files and no large forms are accepted', async () => {
  const upload = new FormData();
  upload.set('file', new File(['x'.repeat(1000)], 'a.csv'));
  expect((await post('/sign-in', upload)).status).toBe(400);
  expect((await post('/inventory/import', upload)).status).toBe(303);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const large = `email=${'x'.repeat(64 * 1024)}`;
  expect((await post('/sign-in', large, form)).status).toBe(413);
  // Without a Content-Length.
  const piece = new TextEncoder().encode(large.slice(0, 40_000));
  const pieces = new ReadableStream({
    start: (controller) => {
      for (const each of [piece, piece]) controller.enqueue(each);
      controller.close();
    },
  });
  expect((await post('/sign-in', pieces, form)).status).toBe(413);
});

test('Content-Length is checked before the body is read', async () => {
  const head = ['POST /sign-in HTTP/1.1', 'Host: a', `Origin: http://a`];
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const text = [...head, type, 'Content-Length: 99999999', '', 'email='].join('\r\n');
  expect(await sendRaw(site.url, text)).toStartWith('HTTP/1.1 413');
});

test('forms are accepted only from the host that was requested', async () => {
  const { port } = new URL(site.url);
  for (const [host, origin, status] of [
    [`localhost:${port}`, `http://localhost:${port}`, 401],
    [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`, 401],
    ['bricks.lan', 'http://bricks.lan', 401],
    ['bricks.lan', `http://localhost:${port}`, 403],
    ['bricks.lan', 'http://bricks.lan.example.com', 403],
    ['bricks.lan', 'null', 403],
  ] as const) {
    const visitor = site.visitor();
    const token =
      /name="token" value="(\w+)"/.exec((await visitor.get('/sign-in')).html)?.[1] ?? '';
    const typed = { token, email: 'a@example.com', password: 'wrong' };
    const seen = await visitor.post('/sign-in', typed, { Host: host, Origin: origin });
    expect([host, origin, seen.status]).toEqual([host, origin, status]);
  }
});

test('an invalid host or invalid characters cause no failure', async () => {
  for (const host of ['[', 'a b', ':99999999', '%', '']) {
    const answer = await sendRaw(
      site.url,
      `GET /sign-in HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect([host, answer.split(' ')[1]]).toEqual([host, expect.stringMatching(/^[24]/)]);
  }
  for (const path of ['/sets/a%00b', '/themes/%00', '/pictures/set/%00', '/search?q=%00']) {
    expect([path, (await ann.get(path)).status]).toEqual([path, 404]);
  }
  const visitor = site.visitor();
  const typed = { email: 'a\0@example.com', password: 'a long enough one' };
  const signUp = await visitor.submit(await visitor.get('/sign-up'), '/sign-up', typed);
  expect(signUp.status).toBe(400);
});

test('an email in look-alike letters creates no second account, and is reported at sign-in', async () => {
  const visitor = site.visitor();
  const password = 'a long enough one';
  for (const email of ['ａｎｎ@example.com', '\u0430nn@example.com', 'ann＠example.com']) {
    const page = await visitor.get('/sign-up');
    const signUp = await visitor.submit(page, '/sign-up', { email, password });
    expect([email, signUp.status]).toEqual([email, 400]);
    expect(signUp.html).toContain('Use only the letters a to z in the email');
    const again = await visitor.get('/sign-in');
    const signIn = await visitor.submit(again, '/sign-in', { email, password });
    expect([email, signIn.status]).toEqual([email, 401]);
    expect(signIn.html).toContain('The email contains letters other than a to z.');
  }
});

test('an invalid ID is a 404, or leads to the list', async () => {
  for (const id of ['%0d%0aX:y', '%E2%82%AC', '..', '0']) {
    for (const path of [
      `/lots/${id}/split`,
      `/lots/${id}/sale`,
      `/lots/${id}/delete`,
      `/sales/${id}/delete`,
      `/collections/${id}/sold`,
      `/collections/${id}/delete`,
    ]) {
      expect([path, (await ann.get(path)).status]).toEqual([path, 404]);
    }
  }
  for (const id of ['%0d%0aX:y', '%E2%82%AC', '0']) {
    expect((await ann.get(`/inventory/import/${id}/undo`)).goTo).toBe('/inventory/import');
  }
  expect((await ann.get('/sales/7/delete')).goTo).toBe('/sales/7');
  expect((await ann.get('/lots/7/sale')).goTo).toBe('/sales/new?lot=7');
});

test('an outdated form is shown on its page again, never as a file that it names', async () => {
  for (const path of ['/inventory.csv', '/sales.csv', '/account/export', '/pictures/set/1']) {
    const sent = await ann.post('/theme', { token: 'no' }, { Referer: `${site.url}${path}` });
    expect([path, sent.status]).toEqual([path, 403]);
    expect(sent.headers.get('Content-Type')).toStartWith('text/html');
  }
});

test('query parameters cannot put text into messages, nor name inherited properties', async () => {
  const inventory = ['/inventory', '/inventory/add', '/inventory/collections'];
  for (const path of [...inventory, '/watchlist', '/alerts', '/alerts/settings']) {
    for (const did of ['added', 'created', 'saved', 'on', 'constructor', '__defineGetter__']) {
      const query = `did=${did}&n=Call+555+now&matching=Call+555+now`;
      const first = await ann.get(`${path}?${query}`);
      const seen = first.goTo ? await ann.get(first.goTo) : first;
      expect([path, did, seen.status]).toEqual([path, did, 200]);
      expect(seen.html.replaceAll(/(action|href|value)="[^"]*"/g, '')).not.toContain('Call 555');
    }
  }
});

test('signing in again ends the previous session of the browser', async () => {
  const bob = await site.signedIn('bob@example.com');
  const before = new Map(bob.cookies);
  const page = await bob.get('/account');
  const token = /name="token" value="(\w+)"/.exec(page.html)?.[1] ?? '';
  const typed = { token, email: 'bob@example.com', password: 'a long enough password' };
  expect((await bob.post('/sign-in', typed)).goTo).toBe('/today');
  expect((await bob.get('/account')).status).toBe(200);
  const old = site.visitor();
  for (const [name, value] of before) old.cookies.set(name, value);
  expect((await old.get('/account')).goTo).toStartWith('/sign-in');
});

test('there were no failures', () => {
  expect(site.world.failures).toEqual([]);
});

test('a failure has the headers of all pages, and is logged', async () => {
  const broken = await startSite({ site: { baseUrl: 'https://bricks.example.com' } });
  try {
    const good = await broken.visitor().get('/sign-in');
    expect(good.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect((await ann.get('/sign-in')).headers.has('Strict-Transport-Security')).toBe(false);
    await broken.world.store.close();
    const seen = await broken.visitor().get('/scorecard');
    expect(seen.status).toBe(500);
    expect(seen.html).toContain('<a href="/">Go to the home page</a>');
    expect(seen.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(seen.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(seen.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(broken.world.failures).not.toEqual([]);
  } finally {
    await broken.close().catch(() => {});
  }
});
