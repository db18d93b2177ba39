/** Answers on the wire: the envelope, the errors and the headers around them. */
import { responseHeaders } from '../contract/envelope.ts';
import { allErrors, type ErrorCode } from '../contract/errors.ts';
import { apiVersion } from '../contract/limits.ts';
import type { Admission } from '../domain/account/quota.ts';
import { formatInstant, nextMidnight, secondMs } from '../domain/kernel/time.ts';
import { streamedIfLong } from '../http/streamed.ts';
import type { ContentCoding } from './content-coding.ts';
import type { WholeAnswer } from './handler.ts';

/** The allowance of a key, as headers and `meta` show it. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
}

const exposedHeaders = Object.keys(responseHeaders).join(', ');
const jsonType = 'application/json; charset=utf-8';

let lastReset = { at: 0, text: '' };

/** The allowance after an admission. */
export function rateLimitOf(admission: Admission, at: number): RateLimit {
  const reset = nextMidnight(at);
  if (reset !== lastReset.at) lastReset = { at: reset, text: formatInstant(reset) };
  const { allowance } = admission.caller;
  return {
    limit: allowance,
    // An allowance that was lowered below today's use leaves nothing, not less than nothing.
    remaining: Math.max(0, allowance - admission.used),
    reset: lastReset.text,
  };
}

/** What an answer to an accepted key carries besides its body. */
export interface DataContext {
  readonly requestId: string;
  readonly rate: RateLimit;
  /** Null where there is none: what was sent as a body cannot be asked for again. */
  readonly tag: string | null;
}

/**
 * The headers of every answer of a kind. One object, changed where it must be and then copied into
 * each response: building nine headers anew was a tenth of the time that a request takes.
 */
class SharedHeaders {
  private readonly headers: Headers;
  private limit = -1;
  private reset = '';

  constructor(fixed: Readonly<Record<string, string>>) {
    this.headers = new Headers({ ...fixed, Vary: 'Accept-Encoding', ...commonHeaders('') });
  }

  /** Those of one answer, until the next one is made. */
  of({ requestId, rate, tag }: DataContext): Headers {
    const { headers } = this;
    headers.set('X-Request-Id', requestId);
    headers.set('X-RateLimit-Remaining', String(rate.remaining));
    if (tag === null) headers.delete('ETag');
    else headers.set('ETag', tag);
    if (rate.limit !== this.limit || rate.reset !== this.reset) {
      headers.set('X-RateLimit-Limit', String(rate.limit));
      headers.set('X-RateLimit-Reset', rate.reset);
      this.limit = rate.limit;
      this.reset = rate.reset;
    }
    return headers;
  }
}

const dataHeaders = new SharedHeaders({ 'Content-Type': jsonType });
const compressedHeaders: Readonly<Record<ContentCoding, SharedHeaders>> = {
  zstd: new SharedHeaders({ 'Content-Type': jsonType, 'Content-Encoding': 'zstd' }),
  gzip: new SharedHeaders({ 'Content-Type': jsonType, 'Content-Encoding': 'gzip' }),
};
const notModifiedHeaders = new SharedHeaders({});

/** Finished JSON in the envelope. */
export function dataBody(data: string, requestId: string, rate: RateLimit): string {
  return (
    `{"data":${data},"meta":{"request_id":"${requestId}","api_version":"${apiVersion}",` +
    `"rate_limit":{"limit":${rate.limit},"remaining":${rate.remaining},"reset":"${rate.reset}"}}}`
  );
}

/** A 200 with a body in the envelope. */
export function respondData(body: string, context: DataContext): Response {
  return new Response(streamedIfLong(body), { headers: dataHeaders.of(context) });
}

/** The same with a body that was compressed. */
export function respondCompressed(
  body: Uint8Array<ArrayBuffer>,
  coding: ContentCoding,
  context: DataContext,
): Response {
  return new Response(streamedIfLong(body), { headers: compressedHeaders[coding].of(context) });
}

/** A 304: what the caller has kept is what a 200 would bring. */
export function respondNotModified(context: DataContext): Response {
  return new Response(null, { status: 304, headers: notModifiedHeaders.of(context) });
}

/** A body that is written as it is, with the headers of every 200 and its own; or its 304. */
export function respondWhole(
  body: BodyInit | null,
  { status, headers }: { readonly status: 200 | 304; readonly headers: WholeAnswer['headers'] },
  { requestId, rate, tag }: DataContext,
): Response {
  return new Response(body, {
    status,
    headers: {
      ...commonHeaders(requestId),
      ...rateHeaders(rate),
      ...(tag !== null && { ETag: tag }),
      ...headers,
    },
  });
}

/** What an error answer carries besides its code and message. */
export interface ErrorContext {
  readonly requestId: string;
  /** Known once the key is accepted. */
  readonly rate?: RateLimit | undefined;
  /** The methods that the path answers, for a 405. */
  readonly allow?: string | undefined;
  /** When to come back, for a 429. */
  readonly retryAfterSeconds?: number | undefined;
}

/** An error in the contract's shape. */
export function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/** An answer with the body of an error. */
export function respondError(code: ErrorCode, body: string, context: ErrorContext): Response {
  const { rate, allow, retryAfterSeconds } = context;
  return new Response(body, {
    status: allErrors[code].status,
    headers: {
      'Content-Type': jsonType,
      ...commonHeaders(context.requestId),
      ...(rate && rateHeaders(rate)),
      ...(allow && { Allow: allow }),
      ...(code === 'MissingApiKey' || code === 'InvalidApiKey'
        ? { 'WWW-Authenticate': 'Bearer' }
        : {}),
      ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }),
    },
  });
}

/** The answer to OPTIONS, which is also what a browser asks before its first call. */
export function respondOptions(
  allow: string,
  requestId: string,
  headers: readonly string[] = [],
): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders(requestId),
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': ['Authorization', 'Content-Type', ...headers].join(', '),
      'Access-Control-Max-Age': '86400',
    },
  });
}

/** Whole seconds until the allowance is whole again, at least 1. */
export function secondsUntilReset(at: number): number {
  return Math.max(1, Math.ceil((nextMidnight(at) - at) / secondMs));
}

/** The allowance as headers. */
export function rateHeaders(rate: RateLimit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': rate.reset,
  };
}

function commonHeaders(requestId: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposedHeaders,
    'X-Request-Id': requestId,
    'X-API-Version': apiVersion,
  };
}
