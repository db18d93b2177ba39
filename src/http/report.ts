/** Reports requests and upkeep to metrics and log. */
import type { Caller } from '../accounts/keys/quota.ts';
import type { Clock } from '../kernel/time.ts';
import { isUnready, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ReportRequest, RequestOutcome, RouteName } from './request-outcome.ts';

export type CountUse = (caller: Caller, route: RouteName, outcome: RequestOutcome) => void;

/** Called for each request. */
export function requestReporter(log: Log, metrics: Metrics, countUse?: CountUse): ReportRequest {
  return (request, outcome) => {
    // Test keys can force errors, which would look like faults of the server; those have none.
    if (outcome.caller?.isTest && !outcome.fault) {
      metrics.testCalls++;
      return;
    }
    const ms = performance.now() - request.startedAt;
    metrics.count(request.route, outcome, ms);
    // The calls of its tools are counted.
    if (outcome.caller && request.route !== 'mcp') {
      countUse?.(outcome.caller, request.route, outcome);
    }
    const status = isUnready(request, outcome) ? 200 : outcome.status;
    if (status >= log.statusMin) log.request(request, outcome, ms);
  };
}

export function upkeepReporter(log: Log, { upkeep }: Metrics, clock: Clock) {
  return {
    onRound: (items: number) => {
      upkeep.rounds++;
      upkeep.published += items;
      upkeep.lastSuccessAt = clock();
    },
    onPublished: (items: number) => log.event('published', { items }),
    onFailure: (error: unknown) => {
      upkeep.rounds++;
      upkeep.failures++;
      log.failure('upkeep', error);
    },
  };
}
