/** How sources are called: bounded in time and size, on one host, no secret in an error. */

/** A call. */
export interface SourceRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What an earlier answer said of itself: it is sent again only if it has changed since. */
  readonly unlessSame?: Validators;
  /** The answer may be so large, unpacked or not. */
  readonly bytesMax?: number;
  readonly timeoutMs?: number;
}

/** What a server says of a version of a file. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** An answer of a source, whatever its status below 400, and 404. */
export interface SourceResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Empty for a 304. */
  readonly bytes: Uint8Array;
  readonly validators: Validators;
}

/** Calls sources. Throws a `SourceError` for everything but an answer that can be used. */
export interface SourceClient {
  send(request: SourceRequest): Promise<SourceResponse>;
}

/**
 * Why there is no answer. `later`: trying again may help, after so long if the source said so;
 * `stopped`: somebody has to do what the message says; `item`: this question alone cannot be
 * answered.
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
