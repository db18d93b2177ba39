/**
 * The errors of the public API: their status, cost and meaning, and when to try again. The API,
 * test keys, MCP, the clients, the OpenAPI documents and the reference read them from here.
 */
import { apiPrefix, plusPrefix } from './limits.ts';

/**
 * When a status is charged, and when the same call may succeed.
 *
 * - `item`: if an item was looked for, which an unknown path is not.
 * - `change`: only if a change was tried, which is charged first.
 * - `after`: after the seconds in `Retry-After`, which it always has.
 * - `backoff`: after growing pauses, or after `Retry-After` if it has one.
 */
export const statusRules = {
  400: { charge: 'never', retry: 'never' },
  401: { charge: 'never', retry: 'never' },
  403: { charge: 'never', retry: 'never' },
  404: { charge: 'item', retry: 'never' },
  405: { charge: 'never', retry: 'never' },
  409: { charge: 'change', retry: 'never' },
  429: { charge: 'never', retry: 'after' },
  500: { charge: 'change', retry: 'backoff' },
} as const;

export interface ErrorRow {
  readonly status: keyof typeof statusRules;
  readonly meaning: string;
  readonly fix: string;
  readonly example: string;
}

export const errorTable = {
  BadRequest: {
    status: 400,
    meaning: 'The path, a query parameter or the body is invalid; the message names it.',
    fix: 'Fix what the message names. Unknown, repeated and empty parameters are not allowed.',
    example: "Unknown query parameter 'limt'; did you mean 'limit'?",
  },
  MissingApiKey: {
    status: 401,
    meaning: 'The Authorization header is missing, or its scheme is not Bearer.',
    fix: 'Send `Authorization: Bearer` and your key.',
    example: "Send your API key as 'Authorization: Bearer bmk_…'.",
  },
  InvalidApiKey: {
    status: 401,
    meaning: 'The key is malformed, unknown, expired or revoked.',
    fix: 'Check that you copied all 52 characters, or create a new key.',
    example: 'This API key is not valid.',
  },
  TierRequired: {
    status: 403,
    meaning: 'The key is valid, but its account is not on the Reseller plan.',
    fix: 'Ask the operator of the server to move the account to the Reseller plan.',
    example: 'The API is part of the Reseller plan.',
  },
  ScopeRequired: {
    status: 403,
    meaning: 'The key does not have a scope that the call needs; the message names all of them.',
    fix: 'Use another key, or create one with these scopes.',
    example: "This key does not have the scope 'portfolio'. Create a key that has it.",
  },
  NotFound: {
    status: 404,
    meaning: 'The path, set or minifigure does not exist, or the collection is not yours.',
    fix: 'Check the spelling, or search for the item by name.',
    example: "There is no set '99999'.",
  },
  MethodNotAllowed: {
    status: 405,
    meaning: 'The path does not support this method; see the Allow header.',
    fix: 'Use a method listed in `Allow`.',
    example: 'This path answers GET, HEAD and OPTIONS.',
  },
  QuotaExceeded: {
    status: 429,
    meaning: "The key's daily allowance does not cover this request; see Retry-After.",
    fix: 'Wait `Retry-After` seconds, or ask the operator for a larger allowance.',
    example: 'The daily allowance of 1000 calls is used up; it resets at midnight UTC.',
  },
  InternalError: {
    status: 500,
    meaning: 'Something failed on our side; retrying may help.',
    fix: 'Retry after a second, then wait longer each time. If it persists, report `X-Request-Id`.',
    example: 'Something went wrong on our side. Please try again.',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

/** Additional codes of the Plus API. */
export const plusErrorTable = {
  Conflict: {
    status: 409,
    meaning: 'The change does not fit what you have, such as a limit; the message says why.',
    fix: 'Change what the message names.',
    example: 'You have 20 watchlists, which is the most. Delete one first.',
  },
  TooManyRequests: {
    status: 429,
    meaning:
      'The key makes more calls per second than the Plus API allows, too many calls with test ' +
      'keys are waiting, or the account changes or tests webhooks too often; see Retry-After.',
    fix: 'Wait `Retry-After` seconds, then call at most `X-RateLimit-Per-Second` times a second.',
    example: 'This key may call the Plus API 50 times per second. This call was not charged.',
  },
  TooManyStreams: {
    status: 429,
    meaning: 'The key or the server has reached its limit of open streams; see Retry-After.',
    fix: 'Close a stream, or wait `Retry-After` seconds.',
    example: 'This key has 10 streams open, which is the most; end one first.',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export const allErrors = { ...errorTable, ...plusErrorTable } as const;

export type ErrorCode = keyof typeof allErrors;

type StatusOf<Code extends ErrorCode> = (typeof allErrors)[Code]['status'];

/** The codes with one of these rules for trying again. */
type CodeWith<Retry> = {
  [Code in ErrorCode]: (typeof statusRules)[StatusOf<Code>]['retry'] extends Retry ? Code : never;
}[ErrorCode];

export function rulesOf(code: ErrorCode): (typeof statusRules)[StatusOf<ErrorCode>] {
  return statusRules[allErrors[code].status];
}

/** Too many calls at once. In version 1, a 429 is about the allowance and nothing else. */
export const busyCodes = {
  [apiPrefix]: 'InternalError',
  [plusPrefix]: 'TooManyRequests',
} as const satisfies Readonly<Record<string, CodeWith<'after' | 'backoff'>>>;

/** An expected refusal: thrown or returned inside the API, and sent in the error format. */
export class ApiError extends Error {
  readonly status: number;

  constructor(code: CodeWith<'never' | 'backoff'>, message?: string);
  constructor(code: CodeWith<'after' | 'backoff'>, message: string, retryAfterSeconds: number);
  constructor(
    readonly code: ErrorCode,
    message: string = allErrors[code].example,
    /** Whole seconds, at least 1. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.status = allErrors[code].status;
  }
}

/** How something thrown is answered: a fault, which is anything unexpected, without details. */
export function apiErrorOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('InternalError');
}
