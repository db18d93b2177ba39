/** Reports what happens: to the counters always, to the log where its level wants it. */
import type { Clock } from '../domain/kernel/time.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ReportRequest } from './request-outcome.ts';

/** Reports requests. It runs for each: it counts, and writes only what the log's level wants. */
export function requestReporter(log: Log, metrics: Metrics): ReportRequest {
  return (request, outcome) => {
    const ms = performance.now() - request.startedAt;
    metrics.count(request.route, outcome, ms);
    // Whether it is ready is asked for every few seconds, and the answer no is no failure.
    const status = request.route === 'readyz' ? 200 : outcome.status;
    if (status >= log.statusMin) log.request(request, outcome, ms);
  };
}

/** Reports what the upkeep does, by the names that it has for it. */
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
