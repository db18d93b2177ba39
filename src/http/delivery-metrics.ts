/** Metrics of deliveries. */

import { channelKinds } from '../domain/delivery/channels.ts';
import { type DeliveryFigures, tryOutcomes } from '../domain/delivery/delivery.ts';
import { secondMs } from '../domain/kernel/time.ts';
import { type Metric, single } from './metrics-text.ts';

/** `silentMs` is the time since the last heartbeat of the process that sends, if it runs here. */
export function deliveryMetrics(figures: DeliveryFigures, at: number, silentMs = 0): Metric[] {
  const { waiting, oldestAt, dueSince, tallies } = figures;
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, at - since) / secondMs);
  const counted = new Map(tallies.map(({ kind, outcome, count }) => [`${kind} ${outcome}`, count]));
  return [
    single('brickmark_deliveries_waiting', 'gauge', {
      help: 'Messages waiting for their first or next try.',
      value: waiting,
    }),
    single('brickmark_delivery_oldest_seconds', 'gauge', {
      help: 'How long the oldest message has waited.',
      value: age(oldestAt),
    }),
    single('brickmark_delivery_delay_seconds', 'gauge', {
      help: 'How long the next channel has been due; a few seconds in normal operation.',
      // A process that stands still does not notice what is due either.
      value: Math.max(age(dueSince), silentMs / secondMs),
    }),
    {
      name: 'brickmark_delivery_tries_total',
      type: 'counter',
      help: 'Delivery attempts by kind of channel and outcome.',
      samples: channelKinds.flatMap((channel) =>
        tryOutcomes.map((outcome) => ({
          labels: { channel, outcome },
          value: counted.get(`${channel} ${outcome}`) ?? 0,
        })),
      ),
    },
  ];
}
