/** What calls fail with: an error that the server answers, or no answer at all. */
import type { ErrorCode } from './types.ts';

/** A key's daily allowance, and how much of it remains. */
export interface Budget {
  /** The daily allowance. */
  readonly limit: number;
  /** Calls left until the reset. */
  readonly remaining: number;
  /** When the allowance resets, as an ISO 8601 instant: the next midnight UTC. */
  readonly reset: string;
}

/** What is known of an answer that is an error. */
export interface ErrorFacts {
  readonly code: ErrorCode | 'UnexpectedResponse';
  readonly message: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly budget: Budget | null;
}

/** An answer that is an error. */
export class BrickmarkError extends Error {
  override readonly name = 'BrickmarkError';
  /**
   * What went wrong, such as `NotFound`. `UnexpectedResponse`: the answer is not one of Brickmark,
   * because the address is wrong or a proxy answered.
   */
  readonly code: ErrorCode | 'UnexpectedResponse';
  /** The HTTP status. */
  readonly status: number;
  /** Identifies the answer; quote it when you report a problem. */
  readonly requestId: string | null;
  /** Seconds after which to try again; null unless the server says so. */
  readonly retryAfter: number | null;
  /** The remaining allowance; null where the answer does not say. */
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

/** No answer: the server could not be reached, the connection was lost, or time ran out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Whether `timeoutMs` ended the call, which the server may have charged. It is not retried. */
  readonly isTimeout: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTimeout?: boolean } = {}) {
    super(message, options);
    this.isTimeout = options.isTimeout ?? false;
  }
}
