/** Sites that require a second factor or the identity provider. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Provider } from '../../src/accounts/sign-in/provider.work.ts';
import { totpCode, totpStep } from '../../src/accounts/sign-in/totp.ts';
import { minuteMs } from '../../src/kernel/time.ts';
import { fromBase32 } from '../support/base32.ts';
import { password, type Site, startSite, textOf, type Visitor } from '../support/site.ts';

const required = '/account/required';
const issuer = 'https://id.example.com';
const client = { clientId: 'b', clientSecret: 's', domains: [] };
const provider = new Provider({ issuer, ...client, name: 'Example ID' });
const exampleOf = (path: string) => path.replace(/\{\w+\}/g, '1');

const signIn = async (visitor: Visitor, email: string) =>
  visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });

/** The routes that a visitor reaches, except for those that need no account anyway. */
async function reached(site: Site, visitor: Visitor): Promise<string[]> {
  const paths: string[] = [];
  for (const route of site.routes) {
    if (!route.get || route.access === 'entrance') continue;
    if ((await visitor.get(exampleOf(route.path))).goTo !== required) paths.push(route.path);
  }
  return paths.sort();
}

describe('a second factor', () => {
  let site: Site;

  beforeAll(async () => {
    const access = { signUp: 'open', hasPublicPages: false, requires: 'second-factor' } as const;
    site = await startSite({ site: { access, provider } });
  });

  afterAll(() => site.close());

  test('a password alone only sets one up', async () => {
    const ann = await site.signedIn('ann@example.com', { isOperator: true });
    expect(await reached(site, ann)).toEqual([
      '/account/authenticator',
      '/account/passkeys',
      '/account/provider',
      required,
    ]);
    const page = await ann.get(required);
    expect(textOf(page.html)).toContain('requires more than a password');
    // Forms are refused, too.
    const { token } = { token: /name="token" value="(\w+)"/.exec(page.html)?.[1] ?? '' };
    expect((await ann.post('/keys', { token, name: 'key' })).goTo).toBe(required);
    expect((await ann.post('/operator/invitations', { token, plan: 'free' })).goTo).toBe(required);

    const start = '/account/authenticator/start';
    await ann.submit(await ann.get('/account/authenticator'), start, { password });
    const shown = await ann.get('/account/authenticator');
    const secret = fromBase32(/id="key">([^<]+)</.exec(shown.html)?.[1] ?? '');
    const code = () => totpCode(secret, totpStep(site.world.now));
    await ann.submit(shown, '/account/authenticator/confirm', { code: code() });
    expect((await ann.get('/portfolio')).status).toBe(200);
    expect((await ann.get('/operator')).status).toBe(200);

    site.world.now += minuteMs;
    const again = site.visitor();
    const { goTo, headers } = await signIn(again, 'ann@example.com');
    expect(goTo).toStartWith('/sign-in/code');
    const step = headers.getSetCookie().find((each) => each.startsWith('brickmark_step='));
    expect(step).toEndWith('; Max-Age=600');
    expect((await again.get('/portfolio')).goTo).toStartWith('/sign-in');
    const done = await again.submit(await again.get('/sign-in/code'), '/sign-in/code', {
      code: code(),
    });
    expect(done.goTo).toBe('/today');
    expect((await again.get('/portfolio')).status).toBe(200);
  });

  test('with the password of an account that has a passkey, nothing can be set up', async () => {
    const bob = await site.signedIn('bob@example.com');
    const id = await site.addAccount('bob@example.com');
    await site.world.store.accounts.addPasskey(id, {
      name: 'Phone',
      credentialId: 'bob-phone',
      publicKey: new Uint8Array(4),
      counter: 0,
      createdAt: site.world.now,
    });
    expect(await reached(site, bob)).toEqual([required]);
    const page = await bob.get(required);
    expect(textOf(page.html)).toContain('sign in with your passkey');
    const { token } = { token: /name="token" value="(\w+)"/.exec(page.html)?.[1] ?? '' };
    for (const path of ['/account/authenticator/start', '/account/passkeys/options']) {
      expect((await bob.post(path, { token, password })).goTo).toBe(required);
    }
    expect((await bob.post('/sign-out', { token })).goTo).toBe('/');
  });

  test('nor with the password of an account that is linked to the identity provider', async () => {
    const carl = await site.signedIn('carl@example.com');
    const id = await site.addAccount('carl@example.com');
    const { accounts } = site.world.store;
    await accounts.linkIdentity(id, { issuer, subject: 'carl', at: site.world.now });
    expect(await reached(site, carl)).toEqual([required]);
    expect((await carl.get(required)).html).toContain('href="/sign-in/provider"');
  });
});

describe('the identity provider', () => {
  let site: Site;

  beforeAll(async () => {
    const access = { signUp: 'open', hasPublicPages: true, requires: 'oidc' } as const;
    site = await startSite({ site: { access, provider } });
  });

  afterAll(() => site.close());

  test('a password alone only links it; once it is linked, not even that', async () => {
    const ann = await site.signedIn('ann@example.com');
    const id = await site.addAccount('ann@example.com');
    expect((await ann.get('/portfolio')).goTo).toBe(required);
    expect((await ann.get('/market')).goTo).toBe(required);
    expect((await site.visitor().get('/market')).status).toBe(200);
    expect(textOf((await ann.get(required)).html)).toContain('Link Example ID');
    expect((await ann.get('/account/provider')).status).toBe(200);
    const { accounts } = site.world.store;
    await accounts.linkIdentity(id, { issuer, subject: 'ann', at: site.world.now });
    const thief = await site.signedIn('ann@example.com');
    expect((await thief.get('/account/provider')).goTo).toBe(required);
    const page = await thief.get(required);
    expect(page.html).toContain('href="/sign-in/provider"');
  });
});
