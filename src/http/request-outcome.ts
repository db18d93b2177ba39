/** A request and what came of it, as counters and the log know them. */
import type { EndpointName } from '../contract/all-endpoints.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Caller } from '../domain/account/quota.ts';

/** The paths outside the API; `none` is everything that is not there. */
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

/** What was asked for, by a name from a fixed list: never the URL, which may hold anything. */
export type RouteName = EndpointName | (typeof otherRoutes)[number];

/** A request that has come in. */
export interface IncomingRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: RouteName;
  /** By `performance.now`. */
  readonly startedAt: number;
}

/** How it was answered. */
export interface RequestOutcome {
  readonly status: number;
  readonly code: ErrorCode | null;
  /** What was charged. */
  readonly cost: number;
  /** Null as long as the key is not accepted. */
  readonly caller: Caller | null;
  readonly body: string;
  /** What failed on our side, and the URL whose values must not be repeated. */
  readonly fault?: { readonly error: unknown; readonly url: string } | undefined;
}

/** Called once for every answer. */
export type ReportRequest = (request: IncomingRequest, outcome: RequestOutcome) => void;
