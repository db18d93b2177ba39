/** Errors of calls: an error response of the server, or no response at all. */
import type { ErrorCode } from './types.ts';

/** A key's daily allowance, and the calls left. */
export interface Budget {
  /** The daily allowance. */
  readonly limit: number;
  /** Calls left until the reset. */
  readonly remaining: number;
  /** When the allowance resets, as an ISO 8601 instant: the next midnight UTC. */
  readonly reset: string;
}

/** The facts of an error response. */
export interface ErrorFacts {
  readonly code: ErrorCode | 'UnexpectedResponse';
  readonly message: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly budget: Budget | null;
}

/** An error response. */
export class BrickmarkError extends Error {
  override readonly name = 'BrickmarkError';
  /**
   * The error code, such as `NotFound`. `UnexpectedResponse` means that the response is not from
   * Brickmark: the address is wrong, or a proxy failed.
   */
  readonly code: ErrorCode | 'UnexpectedResponse';
  /** The HTTP status. */
  readonly status: number;
  /** ID of the response. Include it when you report a problem. */
  readonly requestId: string | null;
  /** Seconds to wait before trying again; null if the server does not say. */
  readonly retryAfter: number | null;
  /** The calls left; null if the response does not have them. */
  readonly budget: Budget | null;

  constructor(facts: ErrorFacts) {
    super(facts.message);
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.budget = facts.budget;
  }
}

/** No response: the server could not be reached, the connection was lost, or the call timed out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Whether the call timed out (`timeoutMs`). It may have been charged, and is not retried. */
  readonly isTimeout: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTimeout?: boolean } = {}) {
    super(message, options);
    this.isTimeout = options.isTimeout ?? false;
  }
}
