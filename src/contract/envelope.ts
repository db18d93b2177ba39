/** The format of every response: the envelope of a 200, the error format, the headers. */
import type { TSchema } from 'typebox';
import Type from 'typebox';
import type { ErrorCode } from './errors.ts';
import { count, instant, oneOf, record, text } from './fields.ts';

export const RateLimit = record('RateLimit', "The key's daily allowance.", {
  limit: Type.Integer({
    minimum: 1,
    format: 'int32',
    description: 'Daily allowance of the key.',
  }),
  remaining: count('Calls left until the reset.'),
  reset: instant('When the allowance resets: the next midnight UTC.'),
});

export const Meta = record('Meta', 'Metadata about the response.', {
  request_id: Type.String({ format: 'uuid', description: 'Same as `X-Request-Id`.' }),
  api_version: text('API version: `1`.'),
  rate_limit: RateLimit,
});

export function envelope(name: string, data: TSchema): TSchema {
  return record(name, 'The data and its metadata.', { data, meta: Meta });
}

export function errorShape(codes: readonly ErrorCode[]): TSchema {
  const detail = record('ErrorDetail', 'The error.', {
    code: oneOf(codes, 'The error code.'),
    message: text('What went wrong, in words. The wording may change.'),
  });
  return record('ErrorResponse', 'The body of every error.', { error: detail });
}

export const responseHeaders = {
  'X-Request-Id': 'ID of the response. Include it when you report a problem.',
  'X-API-Version': 'API version: `1`.',
  'X-RateLimit-Limit': 'Daily allowance of the key.',
  'X-RateLimit-Remaining': 'Calls left until the reset.',
  'X-RateLimit-Reset': 'When the allowance resets, in ISO 8601: the next midnight UTC.',
  ETag: 'Version of `data`; changes when `data` changes. Only on 200 and 304, for GET and HEAD.',
  'Retry-After':
    'Seconds to wait before trying again. On 429, those until the reset; on 500, only for a test ' +
    'key with too many calls at once.',
} as const;

export const partHeaders = {
  'Content-Range': 'The bytes of the file that are sent, and its length. Only on 206 and 416.',
} as const;

/** Headers about the key, on every response to an accepted one. Added after version 1. */
export const keyHeaders = {
  'X-Key-Expires': 'When the key expires, in ISO 8601. Only in the last 14 days before that.',
  'X-Key-Test': '`true`: a test key was used, so the data is fixed. Only for test keys.',
} as const;

export const plusHeaders = {
  'X-RateLimit-Cost': 'Calls charged for this response; 0 if it was free.',
  'X-RateLimit-Per-Second': 'Calls per second that a key may make to the Plus API.',
} as const;

/** Headers of endpoints that will be removed. */
export const endingHeaders = {
  Deprecation: 'Since when the endpoint is deprecated, as `@` and a Unix time (RFC 9745).',
  Sunset: 'When the endpoint will be removed, as an HTTP date (RFC 8594).',
} as const;
