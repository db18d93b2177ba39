/** The HTTP client for sources: limited in time and size, for one host, no secrets in errors. */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { nounText } from '../kernel/format.ts';
import { type Clock, dayMs, secondMs } from '../kernel/time.ts';
import { redact, Secret } from './secret.ts';

export interface SourceRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Validators of an earlier response, for a conditional request. */
  readonly unlessSame?: Validators;
  /** Error statuses that are returned instead of thrown, such as a 429 with a retry time. */
  readonly returnedErrors?: readonly number[];
  /** Error bodies are not quoted, because they may contain a secret in any encoding. */
  readonly hidesErrors?: boolean;
  /** Limit before and after decompression. */
  readonly bytesMax?: number;
  /** For the whole exchange, including redirects and body. */
  readonly timeoutMs?: number;
}

/** A type, because cursors contain it: an interface is not a JSON value to the compiler. */
export type Validators = {
  readonly etag: string | null;
  readonly lastModified: string | null;
};

/** The status is below 400, 404, or one of `returnedErrors`. */
export interface SourceResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Decompressed; empty for a 304. */
  readonly bytes: Uint8Array;
  readonly validators: Validators;
}

/** Throws a `SourceError` for all other responses. */
export interface SourceClient {
  send(request: SourceRequest): Promise<SourceResponse>;
}

/**
 * Why there is no response. `later`: a retry may help, after `retryAfterMs` if given; `stopped`:
 * the operator must act on the message; `item`: only this question cannot be answered.
 */
export class SourceError extends Error {
  constructor(
    message: string,
    readonly kind: 'later' | 'stopped' | 'item',
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

const bytesMaxDefault = 32 * 1024 * 1024;
const defaultTimeoutMs = 60_000;
const redirectsMax = 5;

/** Longer waits are cut to a day, since the source may have recovered. */
const retryAfterMsMax = dayMs;

/** Characters of an error body that are quoted to the operator. */
const quoteLengthMax = 200;

export type Fetch = (url: URL, init: BunFetchRequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Such as `brickmark/1.0 (+https://brickmark.example.com)`. */
  readonly userAgent: string;
  readonly clock: Clock;
  /** Redacted in errors. */
  readonly secrets: readonly Secret[];
  readonly fetch?: Fetch;
}

export function makeSourceClient(options: ClientOptions): SourceClient {
  // On a reused connection, a request whose response is cut off would silently be sent twice.
  const once = { keepalive: false };
  const send = options.fetch ?? ((url, init) => fetch(url, { ...init, ...once }));
  return {
    async send(request) {
      const signal = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs);
      try {
        return await exchange({ request, options, send, signal });
      } catch (error) {
        throw withoutSecrets(explained(error, request, signal), request, options.secrets);
      }
    },
  };
}

interface Call {
  readonly request: SourceRequest;
  readonly options: ClientOptions;
  readonly send: Fetch;
  readonly signal: AbortSignal;
}

async function exchange(call: Call): Promise<SourceResponse> {
  const { request, options } = call;
  const response = await follow(call);
  const { status, headers } = response;
  const isReturned = status < 300 || status === 304 || status === 404;
  if (isReturned || request.returnedErrors?.includes(status)) {
    if (status === 304 && !isConditional(request)) {
      throw new SourceError(`${shownUrl(request)} answered 304 to a first request.`, 'later');
    }
    const bytes = status === 304 ? new Uint8Array() : await readBody(response, call);
    return { status, headers, bytes, validators: validatorsOf(headers) };
  }
  throw statusError(call, response, await quote(response, call), options.clock());
}

/** Follows redirects to the same host. */
async function follow({ request, options, send, signal }: Call): Promise<Response> {
  let { url } = request;
  for (let redirects = 0; ; redirects++) {
    requireSafe(url);
    const response = await send(url, {
      method: request.method ?? 'GET',
      headers: headersOf(request, options.userAgent),
      body: request.body ?? null,
      redirect: 'manual',
      // Decompressed here, with a limit.
      decompress: false,
      signal,
    });
    const location = [301, 302, 303, 307, 308].includes(response.status)
      ? response.headers.get('Location')
      : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (redirects === redirectsMax) {
      throw new SourceError(`${shownUrl(request)} redirects too many times.`, 'later');
    }
    url = redirected(request, url, URL.parse(location, url));
  }
}

function redirected(request: SourceRequest, from: URL, to: URL | null): URL {
  if (request.method === 'POST' || to === null) {
    throw new SourceError(`${shownUrl(request)} redirects. Check 'url'.`, 'stopped');
  }
  const isUpgraded = from.protocol === 'http:' && to.protocol === 'https:';
  if (to.hostname === from.hostname && (to.origin === from.origin || isUpgraded)) return to;
  throw new SourceError(
    `${shownUrl(request)} redirects to ${to.protocol}//${to.host}. Requests are not sent to ` +
      "another host. If the source has moved, set 'url' to its new address.",
    'stopped',
  );
}

function requireSafe(url: URL): void {
  if (isSafe(url)) return;
  throw new SourceError(
    `${url.protocol}//${url.host} is not https. Set 'url' to an https address.`,
    'stopped',
  );
}

/** HTTPS, or HTTP to this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function headersOf(request: SourceRequest, userAgent: string): Record<string, string> {
  const { etag, lastModified } = request.unlessSame ?? noValidators;
  return {
    'User-Agent': userAgent,
    'Accept-Encoding': 'gzip',
    ...(etag !== null && { 'If-None-Match': etag }),
    ...(lastModified !== null && { 'If-Modified-Since': lastModified }),
    ...request.headers,
  };
}

export const noValidators: Validators = { etag: null, lastModified: null };

function isConditional({ unlessSame }: SourceRequest): boolean {
  return unlessSame !== undefined && (unlessSame.etag ?? unlessSame.lastModified) !== null;
}

function validatorsOf(headers: Headers): Validators {
  return { etag: headers.get('ETag'), lastModified: headers.get('Last-Modified') };
}

const unpack = promisify(gunzip);

/** Throws if the body is incomplete or too large. */
async function readBody(response: Response, { request }: Call): Promise<Uint8Array> {
  const bytesMax = request.bytesMax ?? bytesMaxDefault;
  const bytes = await readBytes(response, bytesMax);
  if (bytes === null) throw tooLarge(request, bytesMax);
  const packing = (response.headers.get('Content-Encoding') ?? 'identity').trim().toLowerCase();
  if (packing === 'identity' || bytes.length === 0) return bytes;
  if (packing !== 'gzip' && packing !== 'x-gzip') {
    throw new SourceError(
      `${shownUrl(request)} sent a response in an encoding that is not supported.`,
      'later',
    );
  }
  try {
    return await unpack(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(request, bytesMax);
    throw new SourceError(
      `${shownUrl(request)} sent a response that cannot be decompressed.`,
      'later',
    );
  }
}

function tooLarge(request: SourceRequest, bytesMax: number): SourceError {
  const megabytes = Math.ceil(bytesMax / 1024 / 1024);
  return new SourceError(`${shownUrl(request)} sent more than ${megabytes} MB.`, 'later');
}

/** Null if the body exceeds the limit. */
async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the body and closes the connection.
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > bytesMax) return null;
    parts.push(part);
  }
  const announced = response.headers.get('Content-Length');
  if (announced !== null && Number(announced) !== size) throw new CutShort();
  return Buffer.concat(parts, size);
}

class CutShort extends Error {}

/** The error body in one line; empty for HTML pages. */
async function quote(response: Response, call: Call): Promise<string> {
  const isText = /json|text\/plain/.test(response.headers.get('Content-Type') ?? '');
  if (!isText || call.request.hidesErrors) {
    await response.body?.cancel();
    return '';
  }
  const bytes = await readBody(response, call).catch(() => new Uint8Array());
  // Redact before truncating, so that no part of a secret is left.
  const text = redactSent(new TextDecoder().decode(bytes), call.request, call.options.secrets);
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line === '' ? '' : ` It says: ${line.slice(0, quoteLengthMax)}`;
}

/** Advice for errors that only the operator can fix. */
const advice: Readonly<Record<number, string>> = {
  401: 'rejected the key. Check that it is correct and has not expired',
  402: 'requires payment. Check your plan there',
  403: 'denied access. Check what the key is allowed to do, and from which IP address',
  407: 'cannot be reached: the proxy requires a password. Check HTTPS_PROXY',
};

/** Statuses about the requested item, not about credentials or the request. */
const itemStatuses = [400, 409, 410, 413, 414, 422, 451];

function statusError(
  { request }: Call,
  { status, headers }: Response,
  quoted: string,
  at: number,
): SourceError {
  const shown = shownUrl(request);
  const advised = advice[status];
  if (advised !== undefined) {
    return new SourceError(`${shown} ${advised} (${status}).${quoted}`, 'stopped');
  }
  if (status === 429 || status === 408 || status === 425 || status >= 500) {
    const words = status === 429 ? 'is limiting requests' : 'returned a server error';
    return new SourceError(
      `${shown} ${words} (${status}).${quoted}`,
      'later',
      retryAfter(headers, at),
    );
  }
  const kind = itemStatuses.includes(status) ? 'item' : 'stopped';
  return new SourceError(`${shown} rejected the request (${status}).${quoted}`, kind);
}

/** Parses `Retry-After`, in seconds or as a date; null if absent. */
export function retryAfter(headers: Headers, at: number): number | null {
  const text = headers.get('Retry-After')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * secondMs : Date.parse(text) - at;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), retryAfterMsMax);
}

function explained(error: unknown, request: SourceRequest, signal: AbortSignal): SourceError {
  if (error instanceof SourceError) return error;
  const shown = shownUrl(request);
  if (signal.aborted) {
    const seconds = Math.ceil((request.timeoutMs ?? defaultTimeoutMs) / secondMs);
    return new SourceError(
      `${shown} did not respond within ${nounText(seconds, 'second')}.`,
      'later',
    );
  }
  if (error instanceof CutShort) {
    return new SourceError(`${shown} sent an incomplete response.`, 'later');
  }
  // A body may fail with an error without properties.
  const { code } = (error ?? {}) as { code?: unknown };
  const words = connectionProblem(String(code));
  return new SourceError(`${shown} ${words} (${code ?? 'no code'}).`, 'later');
}

const brokenConnections: Readonly<Record<string, string>> = {
  ENOTFOUND: "was not found. Check 'url' and the DNS settings of this server",
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection before its response was complete',
};

function connectionProblem(code: string): string {
  if (/CERT|SIGN|TLS|SSL|EPROTO/.test(code)) {
    return "has a certificate that is not trusted, or does not support TLS. Check 'url'";
  }
  return brokenConnections[code] ?? 'sent an incomplete response';
}

/** The URL without the values of its query, which may be keys. */
function shownUrl({ url }: SourceRequest): string {
  const names = [...new Set(url.searchParams.keys())].map((name) => `${name}=…`).join('&');
  return `${url.origin}${url.pathname}${names === '' ? '' : `?${names}`}`;
}

function withoutSecrets(
  error: SourceError,
  request: SourceRequest,
  secrets: readonly Secret[],
): SourceError {
  const message = redactSent(error.message, request, secrets);
  return message === error.message
    ? error
    : new SourceError(message, error.kind, error.retryAfterMs);
}

/** Redacts secrets, and tokens they were exchanged for. */
function redactSent(text: string, request: SourceRequest, secrets: readonly Secret[]): string {
  const sent = new Headers(request.headers).get('Authorization') ?? '';
  const parts = sent
    .split(/[\s,"=]+/)
    .filter((part) => part.length >= sentLengthMin && !part.startsWith('oauth_'));
  return redact(text, [...secrets, ...parts.map((part) => new Secret(part))]);
}

/** Shorter parts of an `Authorization` header are words such as `Bearer`. */
const sentLengthMin = 16;
