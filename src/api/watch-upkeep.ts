/** Tells the log and the metrics what the upkeep does. */
import type { Clock } from '../domain/kernel/time.ts';
import type { UpkeepEvents } from '../publish/upkeep.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What the upkeep reports to. */
export function watchUpkeep(log: Log, { upkeep }: Metrics, clock: Clock): UpkeepEvents {
  return {
    onRound: (items) => {
      upkeep.rounds++;
      upkeep.published += items;
      upkeep.lastSuccessAt = clock();
    },
    onPublished: (items) => log.event('published', { items }),
    onFailure: (error) => {
      upkeep.rounds++;
      upkeep.failures++;
      log.failure('upkeep', error);
    },
  };
}
