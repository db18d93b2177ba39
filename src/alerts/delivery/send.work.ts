/**
 * Sends a message over HTTP to a checked address. Each message has its own connection to an IP
 * address that was checked, without redirects or proxies; `node:https` connects to the given
 * address and verifies the certificate by host name.
 */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { nounText } from '../../kernel/format.ts';
import { dayMs, secondMs } from '../../kernel/time.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { findTarget, type Guard, type Target, TargetError } from './target.work.ts';

/** For lookup, connection, request and response. */
const timeoutMsDefault = 15 * secondMs;

/** For connecting to an address, if there are others to try. */
const connectMsDefault = 4 * secondMs;

/** Bytes of a response that are stored. */
export const answerBytesMax = 1024;

/** Once a response has begun, time to wait for its first bytes. */
const answerMsDefault = 2 * secondMs;

/** The maximum accepted `Retry-After`. */
const retryAfterMsMax = dayMs;

export interface HttpMessage {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response with any status. */
export interface HttpAnswer {
  readonly status: number;
  /** The first bytes, as text. */
  readonly text: string;
  /** From `Retry-After`; null: not sent. */
  readonly retryAfterMs: number | null;
}

/** Why there is no response, as a sentence for the owner of the channel. */
export class SendError extends Error {}

/** No connection was established in time, so nothing was sent. */
class NoConnectionError extends SendError {}

export interface SendOptions extends Guard {
  readonly userAgent: string;
  /** An additional certificate authority, for tests. */
  readonly ca?: string;
  readonly timeoutMs?: number;
  readonly connectMs?: number;
  readonly answerMs?: number;
}

/** Throws a `SendError` if there is no response. */
export async function sendHttp(message: HttpMessage, options: SendOptions): Promise<HttpAnswer> {
  const { timeoutMs = timeoutMsDefault } = options;
  const stop = new AbortController();
  const tooLate = () =>
    new SendError(`No answer within ${nounText(timeoutMs / secondMs, 'second')}.`);
  try {
    return await withTimeout(exchange(message, options, stop.signal), timeoutMs, tooLate);
  } catch (error) {
    if (error instanceof SendError) throw error;
    if (error instanceof TargetError) throw new SendError(error.message);
    throw new SendError(wordsOf((error as { code?: unknown }).code));
  } finally {
    stop.abort();
  }
}

/** Errors before anything was sent: another address may work. */
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
]);

async function exchange(
  message: HttpMessage,
  options: SendOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const target = await findTarget(message.address, options);
  let fault: unknown = new SendError('The host has no address.');
  for (const [index, address] of target.addresses.entries()) {
    if (signal.aborted) break;
    const isLast = index === target.addresses.length - 1;
    const connectMs = isLast ? null : (options.connectMs ?? connectMsDefault);
    try {
      return await post({ target, address, connectMs, message, options, signal });
    } catch (error) {
      fault = error;
      const isUnreachable = unreachable.has((error as { code?: unknown }).code);
      if (!isUnreachable && !(error instanceof NoConnectionError)) break;
    }
  }
  throw fault;
}

interface Post {
  readonly target: Target;
  /** The IP address to connect to, one of the target's. */
  readonly address: string;
  /** Null: limited only by the overall timeout. */
  readonly connectMs: number | null;
  readonly message: HttpMessage;
  readonly options: SendOptions;
  readonly signal: AbortSignal;
}

function post(what: Post): Promise<HttpAnswer> {
  const { target, address, connectMs, message, options, signal } = what;
  const { url } = target;
  const isTls = url.protocol === 'https:';
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const body = Buffer.from(message.body);
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const request = (isTls ? https : http).request({
    host: address,
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    // A reused connection could be closed by the server, and the message would be sent twice
    // unnoticed.
    agent: false,
    ...(isTls && isIP(name) === 0 && { servername: name }),
    ...(isTls && options.ca !== undefined && { ca: options.ca }),
    headers: {
      Host: url.host,
      'User-Agent': options.userAgent,
      'Content-Length': String(body.length),
      Connection: 'close',
      ...message.headers,
    },
  });
  const close = () => request.destroy();
  signal.addEventListener('abort', close, { once: true });
  if (connectMs !== null) {
    const late = setTimeout(() => {
      reject(new NoConnectionError('Connecting took too long.'));
      close();
    }, connectMs);
    request.on('close', () => clearTimeout(late));
    // Nothing is sent before this event.
    const connected = isTls ? 'secureConnect' : 'connect';
    request.on('socket', (socket) => socket.once(connected, () => clearTimeout(late)));
  }
  let isAnswered = false;
  request.on('response', (response) => {
    isAnswered = true;
    readBeginning(response, options.answerMs ?? answerMsDefault).then((text) => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, text, retryAfterMs: retryAfterMs(headers['retry-after']) });
      // The rest of the response is not needed.
      close();
    });
  });
  const fail = (error: unknown) => {
    if (!isAnswered) reject(error);
  };
  request.on('error', fail);
  request.on('close', () => fail(new SendError('The connection was closed without an answer.')));
  request.end(body);
  return promise;
}

/** Returns fewer bytes if the response is incomplete or takes too long. */
function readBeginning(response: http.IncomingMessage, waitMs: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parts: Buffer[] = [];
  let size = 0;
  response.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size >= answerBytesMax) resolve();
  });
  for (const event of ['end', 'close', 'error', 'aborted']) response.on(event, () => resolve());
  const late = setTimeout(resolve, waitMs);
  return promise.then(() => {
    clearTimeout(late);
    const bytes = Buffer.concat(parts).subarray(0, answerBytesMax);
    // PostgreSQL text cannot contain NUL.
    return new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');
  });
}

function retryAfterMs(header: string | undefined): number | null {
  const seconds = /^\d{1,9}(\.\d+)?$/.test(header ?? '') ? Number(header) : null;
  return seconds === null ? null : Math.min(Math.ceil(seconds * secondMs), retryAfterMsMax);
}

const brokenConnections: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without an answer.',
  ENETUNREACH: 'The network is unreachable.',
  EHOSTUNREACH: 'The server is unreachable.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
};

function wordsOf(code: unknown): string {
  const known = brokenConnections[String(code)];
  if (known !== undefined) return known;
  if (/CERT|SIGN|TLS|SSL|EPROTO|ISSUER/.test(String(code))) {
    return `The certificate is not trusted, or the server does not support TLS (${code}).`;
  }
  return `The server could not be reached (${code ?? 'no code'}).`;
}
