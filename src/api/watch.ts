/** What is told about each answer: to the counters always, to the log where its level wants it. */
import type { EndpointName } from '../contract/endpoints.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Caller } from '../domain/account/quota.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** The paths outside the API; `none` is everything that is not there. */
export const aroundRoutes = [
  'healthz',
  'readyz',
  'openapi',
  'restatements',
  'page',
  'none',
] as const;

/** What was asked for, by a name from a fixed list: never the URL, which may hold anything. */
export type RouteName = EndpointName | (typeof aroundRoutes)[number];

/** A request that has come in. */
export interface Begun {
  readonly requestId: string;
  readonly method: string;
  readonly route: RouteName;
  /** By `performance.now`. */
  readonly startedAt: number;
}

/** How it was answered. */
export interface Ended {
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

/** Told once about every answer. */
export type Watch = (begun: Begun, ended: Ended) => void;

/** Tells both. It runs for every request: it counts, and writes only what the log's level wants. */
export function makeWatch(log: Log, metrics: Metrics): Watch {
  return (begun, ended) => {
    const ms = performance.now() - begun.startedAt;
    metrics.count(begun.route, ended, ms);
    // Whether it is ready is asked for every few seconds, and the answer no is no failure.
    const status = begun.route === 'readyz' ? 200 : ended.status;
    if (status >= log.statusMin) log.request(begun, ended, ms);
  };
}
