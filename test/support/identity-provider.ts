/** A real identity provider, in this process: anybody can sign in there under any name. */
import type { Server } from 'node:http';
import Provider from 'oidc-provider';

export interface IdentityProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

export const client = { id: 'brickmark', secret: 'a secret of the client' };

/**
 * The email of `ann` is ann@example.com; the one of `unverified-…` is not verified. With
 * `forgets`, a code is accepted any number of times.
 */
export async function startIdentityProvider(
  port: number,
  returnUrls: string[],
  { forgets = false } = {},
): Promise<IdentityProvider> {
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: returnUrls,
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['key of the test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => ({
        sub: accountId,
        email: `${accountId.replace('unverified-', '')}@example.com`,
        email_verified: !accountId.startsWith('unverified-'),
      }),
    }),
  });
  if (forgets) provider.AuthorizationCode.prototype.consume = async () => {};
  const server: Server = await new Promise((resolve) => {
    const listening = provider.listen(port, '127.0.0.1', () => resolve(listening));
  });
  return {
    issuer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
