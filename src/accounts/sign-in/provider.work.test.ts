/** Visits to an identity provider that accepts every code, however often. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { newToken } from './open-session.work.ts';
import { Provider, type ProviderVisit, providerVisitMs } from './provider.work.ts';

const shared = shareStore();
const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const visitor = { network: '192.0.2.1', agent: 'Browser', at: now };
const base64 = (data: Uint8Array) => Buffer.from(data).toString('base64url');
const textPart = (data: object) => base64(Buffer.from(JSON.stringify(data)));

let server: Bun.Server<undefined>;
let provider: Provider;
/** The subject and the nonce of the next ID token. */
let subject = 'ann';
let nonce = '';
let codes = 0;

beforeAll(async () => {
  const kind = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  const pair = await crypto.subtle.generateKey({ ...kind, ...size }, true, ['sign', 'verify']);
  const key = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid: '1' };
  const sign = async (claims: object) => {
    const text = `${textPart({ alg: 'RS256', kid: '1' })}.${textPart(claims)}`;
    const signature = await crypto.subtle.sign(kind, pair.privateKey, Buffer.from(text));
    return `${text}.${base64(new Uint8Array(signature))}`;
  };
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/.well-known/openid-configuration': () =>
        Response.json({
          issuer: issuer(),
          authorization_endpoint: `${issuer()}/auth`,
          token_endpoint: `${issuer()}/token`,
          jwks_uri: `${issuer()}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      '/keys': () => Response.json({ keys: [key] }),
      '/token': async () => {
        codes++;
        const iat = Math.floor(Date.now() / 1000);
        const about = { iss: issuer(), aud: 'brickmark', iat, exp: iat + 60 };
        const id_token = await sign({ ...about, sub: subject, nonce, email: 'a@example.com' });
        return Response.json({ access_token: 'x', token_type: 'bearer', id_token });
      },
    },
  });
  const client = { clientId: 'brickmark', clientSecret: 'secret', name: 'Example ID', domains: [] };
  provider = new Provider({ issuer: issuer(), ...client });
});

afterAll(() => server.stop(true));

const issuer = () => `http://127.0.0.1:${server.port}`;

const deps = () => ({ accounts: shared.store.accounts, randomBytes });

/** Starts a visit; the query is what the provider sends back. */
async function leave(accountId: number | null = null) {
  const purpose = accountId === null ? 'sign in' : 'link in session 1';
  const returnUrl = 'http://127.0.0.1/sign-in/provider/return';
  const visit: ProviderVisit = { seed: newToken(deps()), purpose, accountId, returnUrl };
  const sent = new URL((await provider.start(deps(), visit, visitor)) ?? '').searchParams;
  nonce = sent.get('nonce') ?? '';
  return { visit, query: new URLSearchParams({ code: '1', state: sent.get('state') ?? '' }) };
}

test('of many returns of one visit at once, one is accepted, and one code exchanged', async () => {
  for (let round = 0; round < 5; round++) {
    const { visit, query } = await leave();
    codes = 0;
    const returns = Array.from({ length: 8 }, () =>
      provider.finish(deps(), visit, { query, at: now }),
    );
    const settled = await Promise.allSettled(returns);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(codes).toBe(1);
    await expect(provider.finish(deps(), visit, { query, at: now })).rejects.toThrow('came before');
  }
});

test('a return is accepted for ten minutes, and only by whom the visit was for', async () => {
  const late = await leave();
  const at = now + providerVisitMs;
  await expect(provider.finish(deps(), late.visit, { query: late.query, at })).rejects.toThrow();
  const { visit, query } = await leave((await shared.addOwner()).id);
  const other = { ...visit, accountId: (await shared.addOwner()).id };
  const finish = (each: ProviderVisit) => provider.finish(deps(), each, { query, at: at - 1 });
  await expect(finish(other)).rejects.toThrow('is not of this visit');
  expect(await finish(visit)).toMatchObject({ subject: 'ann' });
});

test('an ID token with an empty subject is refused', async () => {
  const { visit, query } = await leave();
  subject = '';
  const finished = provider.finish(deps(), visit, { query, at: now });
  await expect(finished).rejects.toThrow('empty subject');
});

test('a network can start 300 visits in 15 minutes', async () => {
  const visit = { seed: 'x', purpose: 'sign in', accountId: null, returnUrl: issuer() };
  const other = { ...visitor, network: '198.51.100.1' };
  const start = (count: number) => provider.start(deps(), { ...visit, seed: String(count) }, other);
  for (let count = 0; count < 300; count++) expect(await start(count)).not.toBeNull();
  expect(await start(300)).toBeNull();
});
