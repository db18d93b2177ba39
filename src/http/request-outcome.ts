/** A request and its outcome, for metrics and log. */

import type { Caller } from '../accounts/keys/quota.ts';
import type { EndpointName } from '../contract/all-endpoints.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { TextParts } from './text-parts.ts';

/** Paths outside the API; `none` is any unknown path. */
export const otherRoutes = [
  'healthz',
  'readyz',
  'openapi',
  'plusOpenapi',
  'restatements',
  'sheetLink',
  'mcp',
  'page',
  'none',
] as const;

/** A name from a fixed list: never the URL, which can contain anything. */
export type RouteName = EndpointName | (typeof otherRoutes)[number];

export interface IncomingRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: RouteName;
  /** By `performance.now`. */
  readonly startedAt: number;
}

export function incoming(route: RouteName, method: string): IncomingRequest {
  return { requestId: crypto.randomUUID(), method, route, startedAt: performance.now() };
}

export interface RequestOutcome {
  readonly status: number;
  readonly code: ErrorCode | null;
  /** Calls charged. */
  readonly cost: number;
  /** Null until the key is accepted. */
  readonly caller: Caller | null;
  readonly body: TextParts;
  /** A fault, with the URL whose values must not be logged. */
  readonly fault?: { readonly error: unknown; readonly url: string } | undefined;
}

/** Called once per response. */
export type ReportRequest = (request: IncomingRequest, outcome: RequestOutcome) => void;
