/** Metrics of deliveries match the figures of the store. */
import { expect, test } from 'bun:test';
import { deliveryMetrics } from './delivery-metrics.ts';
import { writeMetrics } from './metrics-text.ts';

const at = Date.UTC(2026, 10, 15, 12);

test('waiting deliveries, their age, and the outcomes of attempts', () => {
  const tallies = [{ kind: 'webhook', outcome: 'failed', count: 7 } as const];
  const figures = { waiting: 3, oldestAt: at - 90_000, dueSince: at - 1_500, tallies };
  const text = writeMetrics(deliveryMetrics(figures, at));
  expect(text).toContain('brickmark_deliveries_waiting 3\n');
  expect(text).toContain('brickmark_delivery_oldest_seconds 90\n');
  expect(text).toContain('brickmark_delivery_delay_seconds 1.5\n');
  expect(text).toContain('brickmark_delivery_tries_total{channel="webhook",outcome="failed"} 7\n');
  expect(text).toContain('brickmark_delivery_tries_total{channel="email",outcome="done"} 0\n');
});

test('without waiting deliveries there is no delay', () => {
  const nothing = { waiting: 0, oldestAt: null, dueSince: null, tallies: [] };
  const text = writeMetrics(deliveryMetrics(nothing, at));
  expect(text).toContain('brickmark_delivery_oldest_seconds 0\n');
  // A process that stands still finds nothing that is due.
  expect(writeMetrics(deliveryMetrics(nothing, at, 6_000))).toContain(
    'brickmark_delivery_delay_seconds 6\n',
  );
  // A clock that is slightly behind gives no negative values.
  const ahead = { ...nothing, dueSince: at + 5 };
  expect(writeMetrics(deliveryMetrics(ahead, at))).toContain(
    'brickmark_delivery_delay_seconds 0\n',
  );
});
