/** Metrics of what the store has: copied bulk files, deliveries and synced sources. */
import { channelKinds } from '../domain/delivery/channels.ts';
import { type DeliveryFigures, tryOutcomes } from '../domain/delivery/delivery.ts';
import { secondMs } from '../domain/kernel/time.ts';
import type { BulkExport } from '../domain/market/bulk-export.ts';
import { type Freshness, freshnessOf } from '../domain/sync/freshness.ts';
import type { NamedState, SourceState } from '../domain/sync/source-state.ts';
import { gauge, type Metric } from './metrics-text.ts';

/** Null: no files were ever copied. */
export function bulkMetrics(state: BulkExport | null): Metric[] {
  if (state === null) return [];
  return [
    gauge(
      'bulk_export_last_success_timestamp_seconds',
      'When bulk files were last copied to their target; 0 before the first time.',
      (state.exportedAt ?? 0) / secondMs,
    ),
    gauge(
      'bulk_export_failures',
      'Consecutive failed attempts to copy bulk files.',
      state.failures,
    ),
  ];
}

/** `silentMs` is the time since the last heartbeat of the process that sends, if it runs here. */
export function deliveryMetrics(figures: DeliveryFigures, at: number, silentMs = 0): Metric[] {
  const { waiting, oldestAt, dueSince, tallies } = figures;
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, at - since) / secondMs);
  const counted = new Map(tallies.map(({ kind, outcome, count }) => [`${kind} ${outcome}`, count]));
  return [
    gauge('deliveries_waiting', 'Messages waiting for their first or next try.', waiting),
    gauge('delivery_oldest_seconds', 'How long the oldest message has waited.', age(oldestAt)),
    gauge(
      'delivery_delay_seconds',
      'How long the next channel has been due; a few seconds in normal operation.',
      // A process that stands still does not notice what is due either.
      Math.max(age(dueSince), silentMs / secondMs),
    ),
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

/** Null: the source has no such value. */
type Read = (state: SourceState, freshness: Freshness) => number | null;

/** By what follows `brickmark_sync_`. */
const sourceMetrics: Readonly<Record<string, readonly [help: string, read: Read]>> = {
  last_success_timestamp_seconds: [
    'When data from the source was last imported; 0 before the first import.',
    ({ lastSuccessAt }) => seconds(lastSuccessAt) ?? 0,
  ],
  last_error_timestamp_seconds: [
    'When a call to the source last failed; 0 if none did.',
    ({ lastError }) => seconds(lastError?.at) ?? 0,
  ],
  failures: ['Consecutive failed calls to the source.', ({ failures }) => failures],
  stopped: [
    'Whether the source is stopped until the operator fixes its error.',
    (_, { standing }) => +(standing === 'stopped'),
  ],
  next_call_timestamp_seconds: [
    'When the source is called next.',
    // 0 until the first round has ended.
    ({ nextAt }) => seconds(nextAt || null),
  ],
  budget_left: ['Calls or tokens left in the budget.', (_, { left }) => left],
  budget_reset_timestamp_seconds: [
    'When the budget grows again.',
    (_, { moreAt }) => seconds(moreAt),
  ],
  questions: ['Questions for the source.', (state) => state.coverage?.questions ?? null],
  never_asked: ['Questions never asked.', (state) => state.coverage?.neverAsked ?? null],
  oldest_answer_timestamp_seconds: [
    'When the oldest answer was fetched.',
    (state) => seconds(state.coverage?.oldestAt),
  ],
  median_answer_timestamp_seconds: [
    'When the median answer was fetched.',
    (state) => seconds(state.coverage?.medianAt),
  ],
  calls_today: ['Calls to the source on this UTC day.', (_, { today }) => today.calls],
  rows_today: ['Rows imported from the source on this UTC day.', (_, { today }) => today.rows],
  rejects_today: [
    'Rows from the source rejected on this UTC day.',
    (_, { today }) => today.rejects,
  ],
};

/** For all sources that were ever called. */
export function syncMetrics(sources: readonly NamedState[], at: number): Metric[] {
  const facts = sources.map(({ source, state }) => {
    return { source, state, freshness: freshnessOf(state, at) };
  });
  return Object.entries(sourceMetrics).flatMap(([name, [help, read]]) => {
    const samples = facts.flatMap(({ source, state, freshness }) => {
      const value = read(state, freshness);
      return value === null ? [] : [{ labels: { source }, value }];
    });
    return samples.length === 0
      ? []
      : [{ name: `brickmark_sync_${name}`, type: 'gauge' as const, help, samples }];
  });
}

function seconds(at: number | null | undefined): number | null {
  return at === null || at === undefined ? null : at / secondMs;
}
