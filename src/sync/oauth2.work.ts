/** OAuth 2 client credentials grant (RFC 6749, 4.4). */
import { asObject } from '../kernel/json.ts';
import { type Clock, minuteMs, secondMs } from '../kernel/time.ts';
import { type SourceClient, SourceError } from './client.work.ts';
import { parseJson } from './responses.work.ts';
import type { Secret } from './secret.ts';

/** Tokens are renewed this long before they expire. */
const tokenLeftMs = 5 * minuteMs;

export interface OAuth2Application {
  /** For messages, such as `eBay`. */
  readonly service: string;
  readonly tokenUrl: URL;
  readonly clientId: Secret;
  readonly clientSecret: Secret;
  readonly scope: string;
}

/** Kept in memory only. */
export class OAuth2Token {
  private held: { readonly token: string; readonly until: number } | null = null;

  constructor(
    private readonly application: OAuth2Application,
    private readonly clock: Clock,
  ) {}

  /** The value of the `Authorization` header. */
  async authorize(client: SourceClient): Promise<string> {
    if (this.held === null || this.clock() >= this.held.until - tokenLeftMs) {
      this.held = await this.ask(client);
    }
    return `Bearer ${this.held.token}`;
  }

  /** Call this if the source rejects the token. */
  forget(): void {
    this.held = null;
  }

  private async ask(client: SourceClient) {
    const { service, tokenUrl, clientId, clientSecret, scope } = this.application;
    const pair = [clientId, clientSecret]
      .map((some) => encodeURIComponent(some.reveal()))
      .join(':');
    const askedAt = this.clock();
    const answer = await client.send({
      url: tokenUrl,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
      returnedErrors: [400, 401],
    });
    const body = asObject(parseJson(answer, service)) ?? {};
    if (answer.status >= 400) throw rejection(service, body.error);
    const { access_token: token, expires_in: seconds } = body;
    if (typeof token !== 'string' || typeof seconds !== 'number') {
      throw new SourceError(`${service} sent no access token.`, 'later');
    }
    return { token, until: askedAt + seconds * secondMs };
  }
}

/** Errors of RFC 6749, 5.2, that operators can fix. */
function rejection(service: string, error: unknown): SourceError {
  if (error === 'invalid_client') {
    return new SourceError(
      `${service} rejected the client ID and secret. Check both in your developer account there.`,
      'stopped',
    );
  }
  if (error === 'invalid_scope' || error === 'unauthorized_client') {
    return new SourceError(
      `This application has no access to ${service}. Request access there, then try again.`,
      'stopped',
    );
  }
  return new SourceError(`${service} did not issue an access token.`, 'later');
}
