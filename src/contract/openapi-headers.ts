/** Response headers in the OpenAPI documents. */
import {
  type endingHeaders,
  type keyHeaders,
  type partHeaders,
  type plusHeaders,
  responseHeaders,
} from './envelope.ts';
import { plusRateDefault } from './limits.ts';

/** By name. The document of version 1 has only its own. */
export type HeaderTexts = Readonly<Partial<Record<HeaderName, string>>>;

/** The contract's headers, and the standard HTTP headers with the same meaning. */
type HeaderName =
  | keyof typeof responseHeaders
  | keyof typeof httpHeaders
  | keyof typeof keyHeaders
  | keyof typeof plusHeaders
  | keyof typeof partHeaders
  | keyof typeof endingHeaders;

const httpHeaders = {
  'Access-Control-Allow-Origin': 'Web pages of any origin can call the API. Cookies are not used.',
  Allow: 'The methods that the path supports. Only on 405.',
  'WWW-Authenticate': 'How to authenticate. Only on 401.',
} as const;

/** Descriptions unless an API has its own. */
export const headerTexts: HeaderTexts = { ...responseHeaders, ...httpHeaders };

export function headerComponents(texts: HeaderTexts): Record<string, unknown> {
  const names = Object.keys(texts) as HeaderName[];
  return Object.fromEntries(
    names.map((name) => [name, { description: texts[name], ...headerShapes[name] }]),
  );
}

/** References to the headers of a response by status; a tagged one has an `ETag`. */
export function headerReferences(
  texts: HeaderTexts,
  status: number,
  { isTagged = false, hasRetry = false },
): Record<string, unknown> {
  const names = Object.keys(texts) as HeaderName[];
  const isSent = (name: HeaderName) => {
    if (name === 'ETag') return isTagged;
    return name === 'Retry-After' ? hasRetry : isSentWith(name, status);
  };
  return Object.fromEntries(
    names.filter(isSent).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function isSentWith(name: HeaderName, status: number): boolean {
  if (name === 'Allow') return status === 405;
  if (name === 'WWW-Authenticate') return status === 401;
  if (name === 'X-RateLimit-Cost' || name === 'X-RateLimit-Per-Second') return true;
  // Before authentication there is no allowance to report.
  const isBeforeKey = status === 401 || status === 405;
  return !(isBeforeKey && /^X-(RateLimit|Key)-/.test(name));
}

export const etagExample = 'W/"2pQx0mJc5s1bVqk9ZtY7Hw"';

export const requestIdExample = '0b6a1f6e-5a0c-4f0e-9d55-3f1f6d1c2a77';
export const rateLimitExample = {
  limit: 1000,
  remaining: 958,
  reset: '2026-11-16T00:00:00.000Z',
} as const;

const seconds = { type: 'integer', format: 'int32', minimum: 1 };
const calls = (minimum: number) => ({ type: 'integer', format: 'int32', minimum });

const headerShapes: Readonly<
  Record<HeaderName, { readonly schema: object; readonly example: unknown }>
> = {
  'X-Request-Id': { schema: { type: 'string', format: 'uuid' }, example: requestIdExample },
  'X-API-Version': { schema: { type: 'string', const: '1' }, example: '1' },
  'X-RateLimit-Limit': { schema: calls(1), example: rateLimitExample.limit },
  'X-RateLimit-Remaining': { schema: calls(0), example: rateLimitExample.remaining },
  'X-RateLimit-Reset': {
    schema: { type: 'string', format: 'date-time' },
    example: rateLimitExample.reset,
  },
  'X-Key-Expires': {
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-29T00:00:00.000Z',
  },
  'X-Key-Test': { schema: { type: 'string', const: 'true' }, example: 'true' },
  'X-RateLimit-Cost': { schema: calls(0), example: 1 },
  'X-RateLimit-Per-Second': { schema: calls(1), example: plusRateDefault },
  'Content-Range': { schema: { type: 'string' }, example: 'bytes 1048576-2097151/2097152' },
  Deprecation: { schema: { type: 'string', pattern: '^@\\d+$' }, example: '@1798761600' },
  Sunset: { schema: { type: 'string' }, example: 'Thu, 01 Jul 2027 00:00:00 GMT' },
  ETag: { schema: { type: 'string' }, example: etagExample },
  'Retry-After': { schema: seconds, example: 43_200 },
  'Access-Control-Allow-Origin': { schema: { type: 'string', const: '*' }, example: '*' },
  Allow: { schema: { type: 'string' }, example: 'GET, HEAD, OPTIONS' },
  'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' }, example: 'Bearer' },
};
