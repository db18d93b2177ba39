/** A site without public pages: what strangers see of it, route by route and link by link. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readForm, type Seen, type Site, startSite, type Visitor } from '../support/site.ts';

let site: Site;

const title = 'Hidden Lighthouse';

beforeAll(async () => {
  site = await startSite({
    site: {
      access: {
        signUp: 'invite',
        hasPublicPages: false,
        requires: 'none',
        contact: 'mailto:help@example.com',
      },
    },
    sendMail: async () => {},
  });
  await site.world.load([
    { kind: 'set', set_number: '1001', title, theme: 'Hidden Harbor' },
    { kind: 'minifig', minifig_number: 'fig1', name: 'Hidden Keeper', category: 'Hidden' },
  ]);
  await site.addAccount('ann@example.com', { isOperator: true });
});

afterAll(() => site.close());

/** Everything that visitors may reach, with the status of an example address. */
const entrances: Readonly<Record<string, number>> = {
  '/sign-in': 200,
  '/sign-in/passkey': 405,
  '/sign-in/passkey/options': 405,
  // There is no provider.
  '/sign-in/provider': 404,
  '/sign-in/provider/return': 404,
  '/sign-up': 200,
  '/sign-out': 405,
  '/password': 200,
  '/password/{link}': 404,
  '/invitations/{token}': 404,
  '/invitations/{token}/provider': 404,
  '/alerts/end/{token}': 404,
  '/alerts/confirm/{id}/{token}': 404,
  '/s/{token}': 404,
  '/s/{token}/items.csv': 404,
  '/s/{token}/sales': 404,
  '/s/{token}/sales/{file}': 404,
  '/robots.txt': 200,
  '/.well-known/security.txt': 200,
  '/.well-known/change-password': 303,
  '/offline': 200,
};

const examples: Readonly<Record<string, string>> = {
  '/sets/{number}': '/sets/1001',
  '/minifigs/{number}': '/minifigs/fig1',
  '/pictures/set/{number}': '/pictures/set/1001',
  '/pictures/minifig/{number}': '/pictures/minifig/fig1',
  '/themes/{name}': '/themes/Hidden%20Harbor',
};

const exampleOf = (path: string) => examples[path] ?? path.replace(/\{\w+\}/g, '1');

const isSentToSignIn = ({ status, goTo }: Seen) =>
  status === 303 && /^\/sign-in(\?|$)/.test(goTo ?? '');

/** Forms need the token of the browser. */
async function tokenOf(visitor: Visitor): Promise<string> {
  return readForm((await visitor.get('/sign-in')).html, '/sign-in').token ?? '';
}

describe('a stranger', () => {
  test('is sent to sign in by every page route, except for entrances', async () => {
    const stranger = site.visitor();
    const answered: Record<string, number> = {};
    for (const { path, get } of site.routes) {
      const seen = await stranger.get(exampleOf(path));
      expect(seen.html).not.toContain('Hidden');
      if (!isSentToSignIn(seen) && (get || entrances[path])) answered[path] = seen.status;
      else if (!get) expect([303, 405]).toContain(seen.status);
    }
    expect(answered).toEqual(entrances);
  });

  test('cannot send any form, except for those of entrances', async () => {
    const stranger = site.visitor();
    const token = await tokenOf(stranger);
    for (const { path, post } of site.routes) {
      if (!post || path in entrances) continue;
      const seen = await stranger.post(exampleOf(path), { token });
      expect([path, isSentToSignIn(seen)]).toEqual([path, true]);
    }
  });

  test('finds nothing else by following links and guessing addresses', async () => {
    const stranger = site.visitor();
    const waiting = ['/', '/sign-in', '/sign-up', '/password', '/nowhere', '/sets/1001'];
    const shown = new Set<string>();
    for (const path of waiting) {
      const seen = await stranger.get(path);
      expect(seen.html).not.toContain('Hidden');
      if (seen.status === 200) shown.add(path.split('?')[0] ?? '');
      const links = [...seen.html.matchAll(/\s(?:href|src|action)="(\/[^"#]*)"/g)];
      for (const [, link = ''] of links) {
        if (!link.startsWith('/assets/') && !waiting.includes(link)) waiting.push(link);
      }
    }
    expect([...shown].sort()).toEqual([
      '/favicon.svg',
      '/manifest.webmanifest',
      '/password',
      '/sign-in',
      '/sign-up',
      '/touch-icon.png',
    ]);
  });

  test('gets health, OpenAPI and the errors of paid calls, and no restatements', async () => {
    const statusOf = async (path: string) =>
      (await fetch(site.url + path, { redirect: 'manual' })).status;
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/api/plus/v1/openapi.json']) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
    expect(await statusOf('/api/v1/set/1001')).toBe(401);
    expect((await fetch(`${site.url}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(await statusOf('/restatements.json')).toBe(303);
    const robots = await site.visitor().get('/robots.txt');
    expect(robots.html).toBe('User-agent: *\nDisallow: /\n');
    const { html } = await site.visitor().get('/.well-known/security.txt');
    expect(html).toMatch(/^Contact: mailto:security@example.com\nExpires: 20\d\d-.+Z\n/);
  });

  test('cannot sign up without an invitation', async () => {
    const stranger = site.visitor();
    expect((await stranger.get('/sign-up')).html).toContain('You need an invitation');
    const fields = { token: await tokenOf(stranger), email: 'eve@example.com' };
    const sent = await stranger.post('/sign-up', { ...fields, password: 'a long enough password' });
    expect(sent.html).toContain('You need an invitation');
    expect(await site.world.store.accounts.findAccount('eve@example.com', 0)).toBeNull();
  });
});

test('signed-in users see everything, which no shared cache may store', async () => {
  const ann = await site.signedIn('ann@example.com');
  expect((await ann.get('/sets/1001')).html).toContain(title);
  const restatements = await ann.get('/restatements.json');
  expect(JSON.parse(restatements.html)).toEqual({ restatements: [] });
  for (const path of [
    '/restatements',
    '/restatements.json',
    '/llms.txt',
    '/docs',
    '/pictures/set/1001',
  ]) {
    const { status, headers } = await ann.get(path);
    expect([path, status, headers.get('Cache-Control')?.includes('public')]).toEqual([
      path,
      200,
      false,
    ]);
  }
});

test('users of the Free plan are told what it has, and whom to ask', async () => {
  const free = await site.signedIn('free@example.com');
  for (const path of ['/deals', '/account', '/keys']) {
    const { html } = await free.get(path);
    expect([path, html]).toEqual([
      path,
      expect.stringContaining('<a href="mailto:help@example.com">help@example.com</a>'),
    ]);
  }
  expect((await free.get('/deals')).html).toContain('The Free plan has market values');
});
