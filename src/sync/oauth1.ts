/** OAuth 1.0a request signing with HMAC-SHA1 (RFC 5849), for BrickLink. */
import { createHmac } from 'node:crypto';
import { compareText } from '../catalog/items/numbers.ts';
import type { Secret } from './secret.ts';

export interface OAuth1Keys {
  readonly consumerKey: Secret;
  readonly consumerSecret: Secret;
  readonly token: Secret;
  readonly tokenSecret: Secret;
}

export interface OAuth1Moment {
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Unique within a second. */
  readonly nonce: string;
}

/** The `Authorization` header of a request without a body. */
export function signOAuth1(
  call: { readonly method: string; readonly url: URL },
  keys: OAuth1Keys,
  moment: OAuth1Moment,
): string {
  const ours: readonly Pair[] = [
    ['oauth_consumer_key', keys.consumerKey.reveal()],
    ['oauth_nonce', moment.nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(moment.timestamp)],
    ['oauth_token', keys.token.reveal()],
    ['oauth_version', '1.0'],
  ];
  const key = [keys.consumerSecret, keys.tokenSecret]
    .map((some) => encode(some.reveal()))
    .join('&');
  const text = signatureText(call, ours);
  const signature = createHmac('sha1', key).update(text).digest('base64');
  const sent: readonly Pair[] = [...ours, ['oauth_signature', signature]];
  return `OAuth ${sent.map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`;
}

type Pair = readonly [name: string, value: string];

/** The signature base string (RFC 5849, 3.4.1). */
export function signatureText(
  { method, url }: { readonly method: string; readonly url: URL },
  ours: readonly Pair[],
): string {
  const pairs = [...url.searchParams, ...ours]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort((a, b) => compareText(a[0], b[0]) || compareText(a[1], b[1]));
  const parameters = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  return [method.toUpperCase(), `${url.origin}${url.pathname}`, parameters].map(encode).join('&');
}

/** Percent encoding (RFC 5849, 3.6). */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
