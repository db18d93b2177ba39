/** HTTP responses: the envelope, errors and headers. */

import { isEndingSoon } from '../accounts/keys/key-expiry.ts';
import type { Admission, Caller } from '../accounts/keys/quota.ts';
import {
  endingHeaders,
  keyHeaders,
  partHeaders,
  plusHeaders,
  responseHeaders,
} from '../contract/envelope.ts';
import type { ApiError } from '../contract/errors.ts';
import { apiVersion } from '../contract/limits.ts';
import { streamedIfLong } from '../http/streamed.ts';
import type { TextParts } from '../http/text-parts.ts';
import { formatInstant, nextMidnight, secondMs } from '../kernel/time.ts';
import type { AnswerData } from './answer-data.ts';
import type { ContentCoding } from './content-coding.ts';
import type { WholeAnswer } from './handler.ts';

type KeyHeaders = Readonly<Partial<Record<keyof typeof keyHeaders, string>>>;

/** The allowance of a key and its end, as in headers; `meta` has the allowance. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
  /** Headers about the key, which most keys have none of. */
  readonly keyHeaders?: KeyHeaders | null;
}

const exposedHeaders = [...Object.keys(responseHeaders), ...Object.keys(keyHeaders)].join(', ');
const plusExposed = [
  exposedHeaders,
  ...Object.keys(plusHeaders),
  ...Object.keys(endingHeaders),
  ...Object.keys(partHeaders),
].join(', ');
const jsonType = 'application/json; charset=utf-8';

let lastReset: { readonly at: number; readonly text: string } | null = null;

export function rateLimitOf(admission: Admission, at: number): RateLimit {
  const reset = nextMidnight(at);
  if (lastReset?.at !== reset) lastReset = { at: reset, text: formatInstant(reset) };
  const { allowance } = admission.caller;
  return {
    limit: allowance,
    // Not negative if the allowance was lowered below today's use.
    remaining: Math.max(0, allowance - admission.used),
    reset: lastReset.text,
    keyHeaders: keyHeadersOf(admission.caller, at),
  };
}

function keyHeadersOf({ expiresAt, isTest }: Caller, at: number): KeyHeaders | null {
  const isEnding = isEndingSoon(expiresAt, at);
  if (!isEnding && !isTest) return null;
  return {
    ...(isEnding && { 'X-Key-Expires': formatInstant(expiresAt) }),
    ...(isTest && { 'X-Key-Test': 'true' }),
  };
}

function withHeaders(headers: Headers, added: Readonly<Record<string, string>>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(added)) all.set(name, value);
  return all;
}

/** Additional facts of Plus API responses. */
export interface PlusFacts {
  /** Calls charged. */
  readonly cost: number;
  readonly perSecond: number;
  /** Headers about the end of the endpoint; null for almost all. */
  readonly ending: Readonly<Record<string, string>> | null;
}

export interface DataContext {
  readonly requestId: string;
  readonly rate: RateLimit;
  /** Null for responses that are not cacheable, such as those to a POST. */
  readonly tag: string | null;
  /** Null or undefined for version 1. */
  readonly plus?: PlusFacts | null;
}

/**
 * The headers of every response of a kind. One object is updated and copied into each response:
 * creating nine headers each time took a tenth of the time of a request.
 */
class SharedHeaders {
  private readonly headers: Headers;
  /** The allowance that the headers have. */
  private rate: RateLimit | null = null;
  /** The same for the Plus API. */
  private readonly plus: SharedHeaders | null;

  constructor(
    fixed: Readonly<Record<string, string>>,
    { isPlus }: { readonly isPlus: boolean } = { isPlus: false },
  ) {
    this.headers = new Headers({ ...fixed, Vary: 'Accept-Encoding', ...commonHeaders('') });
    if (isPlus) this.headers.set('Access-Control-Expose-Headers', plusExposed);
    this.plus = isPlus ? null : new SharedHeaders(fixed, { isPlus: true });
  }

  /** Valid until the next call. */
  of(context: DataContext): Headers {
    const { plus } = context;
    if (!plus || this.plus === null) return this.update(context);
    const headers = this.plus.update(context);
    headers.set('X-RateLimit-Cost', String(plus.cost));
    headers.set('X-RateLimit-Per-Second', String(plus.perSecond));
    if (plus.ending === null) return headers;
    return withHeaders(headers, plus.ending);
  }

  private update({ requestId, rate, tag }: DataContext): Headers {
    const { headers } = this;
    headers.set('X-Request-Id', requestId);
    headers.set('X-RateLimit-Remaining', String(rate.remaining));
    if (tag === null) headers.delete('ETag');
    else headers.set('ETag', tag);
    if (rate.limit !== this.rate?.limit || rate.reset !== this.rate.reset) {
      headers.set('X-RateLimit-Limit', String(rate.limit));
      headers.set('X-RateLimit-Reset', rate.reset);
      this.rate = rate;
    }
    return rate.keyHeaders ? withHeaders(headers, rate.keyHeaders) : headers;
  }
}

const dataHeaders = new SharedHeaders({ 'Content-Type': jsonType });
const compressedHeaders: Readonly<Record<ContentCoding, SharedHeaders>> = {
  zstd: new SharedHeaders({ 'Content-Type': jsonType, 'Content-Encoding': 'zstd' }),
  gzip: new SharedHeaders({ 'Content-Type': jsonType, 'Content-Encoding': 'gzip' }),
};
const notModifiedHeaders = new SharedHeaders({});

/** `data` and `meta`. */
export function dataBody({ text }: AnswerData, requestId: string, rate: RateLimit): TextParts {
  const meta =
    `,"meta":{"request_id":"${requestId}","api_version":"${apiVersion}",` +
    `"rate_limit":{"limit":${rate.limit},"remaining":${rate.remaining},"reset":"${rate.reset}"}}}`;
  return typeof text === 'string' ? `{"data":${text}${meta}` : ['{"data":', ...text, meta];
}

export function respondData(body: TextParts, context: DataContext): Response {
  return new Response(streamedIfLong(body), { headers: dataHeaders.of(context) });
}

export function respondCompressed(
  body: Uint8Array<ArrayBuffer>,
  coding: ContentCoding,
  context: DataContext,
): Response {
  return new Response(streamedIfLong(body), { headers: compressedHeaders[coding].of(context) });
}

export function respondNotModified(context: DataContext): Response {
  return new Response(null, { status: 304, headers: notModifiedHeaders.of(context) });
}

/** A stream or file, with the headers of every 200 and its own; or nothing of it. */
export function respondWhole(
  body: BodyInit | null,
  answer: { readonly status: 200 | 304 | 416; readonly headers: WholeAnswer['headers'] },
  { requestId, rate, tag, plus }: DataContext,
): Response {
  return new Response(body, {
    status: answer.status,
    headers: {
      ...commonHeaders(requestId),
      ...rateHeaders(rate),
      ...plusHeadersOf(plus ?? null),
      ...(tag !== null && { ETag: tag }),
      ...answer.headers,
    },
  });
}

export interface ErrorContext {
  readonly requestId: string;
  /** Null or undefined for version 1. */
  readonly plus?: PlusFacts | null;
  /** Set once the key is accepted. */
  readonly rate?: RateLimit | undefined;
  /** The methods of the path, for a 405. */
  readonly allow?: string | undefined;
}

/** An error in the contract's format. */
export function errorBody({ code, message }: ApiError): string {
  return JSON.stringify({ error: { code, message } });
}

export function respondError(error: ApiError, body: string, context: ErrorContext): Response {
  const { rate, allow } = context;
  return new Response(body, {
    status: error.status,
    headers: {
      'Content-Type': jsonType,
      ...commonHeaders(context.requestId),
      ...(rate && rateHeaders(rate)),
      ...plusHeadersOf(context.plus ?? null),
      ...errorHeaders(error, allow),
    },
  });
}

/** The headers of an error; `allow` has the methods of the path. */
export function errorHeaders(
  { status, retryAfterSeconds }: ApiError,
  allow: string | undefined,
): Record<string, string> {
  return {
    ...(status === 405 && allow && { Allow: allow }),
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }),
  };
}

/** Also answers CORS preflight requests. */
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

/** Rounded up, so at least 1. */
export function secondsUntilReset(at: number): number {
  return Math.ceil((nextMidnight(at) - at) / secondMs);
}

export function rateHeaders(rate: RateLimit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': rate.reset,
    ...rate.keyHeaders,
  };
}

function plusHeadersOf(plus: PlusFacts | null): Record<string, string> {
  if (plus === null) return {};
  return {
    'Access-Control-Expose-Headers': plusExposed,
    'X-RateLimit-Cost': String(plus.cost),
    'X-RateLimit-Per-Second': String(plus.perSecond),
    ...plus.ending,
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
