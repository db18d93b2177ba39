/** Calls over HTTP: URL, key, timeout, retries and errors. */

import type { AnswerCache } from './answer-cache.ts';
import { BrickmarkError, type Budget, NetworkError } from './errors.ts';
import { Deadline, type Surroundings } from './pause.ts';
import { retryRules } from './rules.ts';
import type { ErrorCode } from './types.ts';

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** How a method sends its call, the path with parameters in braces, and what else it sends. */
export type Call = readonly [
  by: 'get' | 'post' | 'postOnce' | 'put' | 'patch' | 'delete',
  path: string,
  sent?: 'query' | 'body',
];

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent again only if it was refused, since each call changes something. */
  readonly isOnce?: boolean;
}

export interface TransportSettings {
  /** Without a trailing slash. */
  readonly base: string;
  readonly key: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly retries: number;
  readonly timeoutMs: number;
  /** The most that a call waits in total for `Retry-After`. */
  readonly waitSecondsMax: number;
  readonly signal: AbortSignal | undefined;
  readonly onBudget: ((budget: Budget) => void) | undefined;
  /** Null: no cache. */
  readonly kept: AnswerCache | null;
  readonly surroundings: Surroundings;
}

export interface PauseBounds {
  readonly msMin: number;
  readonly msMax: number;
}

const callPauses: PauseBounds = { msMin: 250, msMax: 8_000 };

/** A successful response whose body is being read. */
export interface Connection {
  readonly response: Response;
  /** Aborts reading; clear it when done. */
  readonly deadline: Deadline;
}

export class Transport {
  /** From the last response. */
  budget: Budget | null = null;
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Returns `data`. */
  get<T>(path: string, query: object | undefined, options?: CallOptions): Promise<T> {
    return this.#read(`${path}${queryText(query)}`, options);
  }

  /** Returns `data`. */
  post<T>(path: string, body: object, options?: CallOptions): Promise<T> {
    return this.#send({ method: 'POST', path, body: JSON.stringify(body) }, options);
  }

  /** The same for a change that each call makes again: it is not retried. */
  postOnce<T>(path: string, body: object, options?: CallOptions): Promise<T> {
    const request = { method: 'POST', path, body: JSON.stringify(body), isOnce: true } as const;
    return this.#send(request, options);
  }

  /** Returns `data`. */
  put<T>(path: string, body: object, options?: CallOptions): Promise<T> {
    return this.#send({ method: 'PUT', path, body: JSON.stringify(body) }, options);
  }

  /** Returns `data`. */
  patch<T>(path: string, body: object, options?: CallOptions): Promise<T> {
    return this.#send({ method: 'PATCH', path, body: JSON.stringify(body) }, options);
  }

  /** Returns `data`. */
  delete<T>(path: string, query: object | undefined, options?: CallOptions): Promise<T> {
    return this.#send({ method: 'DELETE', path: `${path}${queryText(query)}` }, options);
  }

  /** Sends a request once; rejects if the response is an error. */
  async connect(request: Request, options?: CallOptions): Promise<Connection> {
    const { base, key, fetch, timeoutMs, onBudget, surroundings } = this.#settings;
    const { method, path, body } = request;
    const headers: Record<string, string> = { ...request.headers, Authorization: `Bearer ${key}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const deadline = this.#deadline(options);
    deadline.within(timeoutMs);
    try {
      deadline.signal.throwIfAborted();
      const response = await fetch(`${base}${path}`, {
        method,
        headers,
        signal: deadline.signal,
        // The key must not be sent to another host.
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      const budget = budgetOf(response.headers);
      this.budget = budget ?? this.budget;
      if (budget) onBudget?.(budget);
      if (!response.ok && response.status !== 304)
        throw await errorOf(response, { budget, now: surroundings.now() });
      return { response, deadline };
    } catch (error) {
      deadline.clear();
      throw this.faultOf(error, deadline);
    }
  }

  /** Tries again where that can help: after a fault, or when the server says that it will. */
  async attempt<T>(run: () => Promise<T>, options?: CallOptions, isOnce = false): Promise<T> {
    const { waitSecondsMax } = this.#settings;
    const retries = isOnce ? 0 : this.#settings.retries;
    let secondsWaited = 0;
    for (let failures = 0; ; ) {
      try {
        return await run();
      } catch (error) {
        const seconds = secondsToWait(error);
        const canWait = secondsWaited + seconds <= waitSecondsMax;
        const isFailure = retryOf(error) !== 'after';
        if (isFailure ? failures >= retries || !mayRepeat(error) : !canWait) throw error;
        if (canWait) {
          secondsWaited += seconds;
          await this.wait(seconds * 1000, options);
        } else await this.pause(failures, callPauses, options);
        if (isFailure) failures++;
      }
    }
  }

  /** Exponential backoff with jitter. */
  pause(failures: number, bounds: PauseBounds, options?: CallOptions): Promise<void> {
    const ms = Math.min(bounds.msMin * 2 ** failures, bounds.msMax);
    return this.wait(ms * (0.5 + this.#settings.surroundings.random() / 2), options);
  }

  async wait(ms: number, options?: CallOptions): Promise<void> {
    const deadline = this.#deadline(options);
    try {
      await this.#settings.surroundings.sleep(ms, deadline.signal);
    } finally {
      deadline.clear();
    }
  }

  /** Maps an exception during a call to the error that the call rejects with. */
  faultOf(error: unknown, deadline: Deadline): unknown {
    const { base } = this.#settings;
    if (deadline.isLate)
      return new NetworkError(`${base} did not respond in time.`, { isTimeout: true });
    if (deadline.signal.aborted) return deadline.signal.reason;
    if (error instanceof BrickmarkError) return error;
    return new NetworkError(`No response from ${base}: ${reasonOf(error)}`, {
      cause: error,
    });
  }

  /** With a conditional request if the response is cached. */
  #read<T>(path: string, options?: CallOptions): Promise<T> {
    const { kept } = this.#settings;
    const known = kept?.find(path);
    const headers: Record<string, string> = known ? { 'If-None-Match': known.tag } : {};
    const read = async (response: Response) => {
      const isKnown = response.status === 304 && known;
      const text = isKnown ? known.text : await response.text();
      const data = dataOf<T>(response, text);
      kept?.keep(path, isKnown ? known.tag : response.headers.get('ETag'), text);
      return data;
    };
    return this.#call({ method: 'GET', path, headers }, read, options);
  }

  #send<T>(request: Request, options?: CallOptions): Promise<T> {
    const read = async (response: Response) => dataOf<T>(response, await response.text());
    return this.#call(request, read, options);
  }

  #call<T>(
    request: Request,
    read: (response: Response) => Promise<T>,
    options?: CallOptions,
  ): Promise<T> {
    const run = async () => {
      const { response, deadline } = await this.connect(request, options);
      try {
        return await read(response);
      } catch (error) {
        throw this.faultOf(error, deadline);
      } finally {
        deadline.clear();
      }
    };
    return this.attempt(run, options, request.isOnce);
  }

  #deadline(options: CallOptions | undefined): Deadline {
    return new Deadline([this.#settings.signal, options?.signal]);
  }
}

/** A path of texts with values in between. */
export function pathOf(texts: readonly string[], ...values: (string | number)[]): string {
  return texts.reduce((path, text, index) => `${path}${segment(values[index - 1] ?? '')}${text}`);
}

function segment(value: string | number): string {
  // Addresses take these for folders, however they are written.
  if (value === '.' || value === '..') throw new TypeError(`'${value}' is not a valid number.`);
  return encodeURIComponent(value);
}

/** Omits undefined parameters. */
export function queryText(query: object | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    pairs.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = String(pairs);
  return text && `?${text}`;
}

function budgetOf(headers: Headers): Budget | null {
  const limit = headers.get('X-RateLimit-Limit');
  const remaining = headers.get('X-RateLimit-Remaining');
  const reset = headers.get('X-RateLimit-Reset');
  if (limit === null || remaining === null || reset === null) return null;
  return { limit: Number(limit), remaining: Number(remaining), reset };
}

function dataOf<T>(response: Response, text: string): T {
  const data = parsed<{ readonly data?: T }>(text)?.data;
  if (data === undefined) throw unexpected(response);
  return data;
}

async function errorOf(
  response: Response,
  { budget, now }: { readonly budget: Budget | null; readonly now: number },
): Promise<BrickmarkError> {
  const error = parsed<{ readonly error?: { code?: ErrorCode; message?: string } }>(
    await response.text(),
  )?.error;
  const retryAfter = retrySeconds(response.headers.get('Retry-After'), now);
  if (typeof error?.code !== 'string') return unexpected(response, retryAfter);
  return new BrickmarkError({
    code: error.code,
    message: String(error.message),
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfter,
    budget,
  });
}

/** `Retry-After` in seconds; proxies may send a date. */
function retrySeconds(text: string | null, now: number): number | null {
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

function unexpected(response: Response, retryAfter: number | null = null): BrickmarkError {
  const { status, headers } = response;
  return new BrickmarkError({
    code: 'UnexpectedResponse',
    message: unexpectedMessage(response),
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfter,
    budget: null,
  });
}

function unexpectedMessage({ status, type }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return 'The server redirects to another address; use that address as the url.';
  if (status === 429)
    return 'A proxy in front of the server limits requests (status 429); try again later.';
  return `The response (status ${status}) is not from Brickmark; check the url.`;
}

function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Why a connection failed: platforms nest it in one or two generic errors. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = error as { readonly code?: unknown };
  return error.message || String(code ?? error.name);
}

/** By `Retry-After`; infinite if the server does not say. */
function secondsToWait(error: unknown): number {
  const after = error instanceof BrickmarkError ? error.retryAfter : null;
  return after === null ? Number.POSITIVE_INFINITY : Math.max(1, after);
}

/** `after`: it was refused for now, and nothing was done or charged. */
export function retryOf(error: unknown): 'after' | 'backoff' | 'never' {
  if (error instanceof NetworkError) return 'backoff';
  if (!(error instanceof BrickmarkError)) return 'never';
  // Other statuses from 500 on are those of proxies that have lost the server.
  return retryRules[error.status] ?? (error.status >= 500 ? 'backoff' : 'never');
}

/** After a timeout, the server may still be working, and charge each attempt. */
function mayRepeat(error: unknown): boolean {
  return retryOf(error) === 'backoff' && !(error instanceof NetworkError && error.isTimeout);
}
