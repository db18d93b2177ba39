/** OAuth 2 client credentials: tokens are reused until shortly before they expire. */
import { describe, expect, test } from 'bun:test';
import { clientOf } from '../../test/support/source-client.ts';
import { SourceError } from './client.work.ts';
import { OAuth2Token } from './oauth2.work.ts';
import { Secret } from './secret.ts';

const application = {
  service: 'eBay',
  tokenUrl: new URL('https://api.example.com/identity/v1/oauth2/token'),
  clientId: new Secret('id'),
  clientSecret: new Secret('pa:ss'),
  scope: 'https://api.example.com/oauth/api_scope/insights',
};

/** A server that numbers its tokens, with a shared clock. */
function setUp(answer?: () => Response) {
  const time = { now: Date.UTC(2026, 10, 16) };
  let count = 0;
  const client = clientOf(
    answer ?? (() => Response.json({ access_token: `t${++count}`, expires_in: 7200 })),
  );
  return { time, client, token: new OAuth2Token(application, () => time.now) };
}

test('a token is requested with ID, secret and scope', async () => {
  const { client, token } = setUp();
  expect(await token.authorize(client)).toBe('Bearer t1');
  const [sent] = client.sent;
  expect(sent?.headers?.authorization).toBe(`Basic ${btoa('id:pa%3Ass')}`);
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    grant_type: 'client_credentials',
    scope: application.scope,
  });
});

test('a token is reused until five minutes before it expires', async () => {
  const { time, client, token } = setUp();
  await token.authorize(client);
  time.now += 115 * 60_000 - 1;
  expect(await token.authorize(client)).toBe('Bearer t1');
  time.now += 1;
  expect(await token.authorize(client)).toBe('Bearer t2');
  expect(client.sent).toHaveLength(2);
});

test('a rejected token is requested again', async () => {
  const { client, token } = setUp();
  await token.authorize(client);
  token.forget();
  expect(await token.authorize(client)).toBe('Bearer t2');
});

describe('no token', () => {
  test.each([
    [401, { error: 'invalid_client' }, 'stopped', /client ID and secret/],
    [400, { error: 'invalid_scope' }, 'stopped', /no access to eBay/],
    [400, { error: 'server_busy' }, 'later', /did not issue an access token/],
    [200, { token: 'x' }, 'later', /sent no access token/],
  ] as const)(
    'is got with status %i and %o, and the reason is said',
    async (status, body, kind, words) => {
      const { client, token } = setUp(() => Response.json(body, { status }));
      const error = await token.authorize(client).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ kind, message: expect.stringMatching(words) });
    },
  );

  test('incomplete responses are temporary errors', async () => {
    const { client, token } = setUp(() => new Response('{"access_to'));
    await expect(token.authorize(client)).rejects.toMatchObject({ kind: 'later' });
  });
});
