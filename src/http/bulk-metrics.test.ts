/** Metrics of copied bulk files. */
import { expect, test } from 'bun:test';
import { notExported } from '../domain/market/bulk-export.ts';
import { bulkMetrics } from './bulk-metrics.ts';
import { writeMetrics } from './metrics-text.ts';

test('the last copy and failures since are shown, once there is a target', () => {
  const state = { ...notExported('/srv/bulk'), failures: 2 };
  expect(bulkMetrics(null)).toEqual([]);
  const text = writeMetrics(bulkMetrics(state));
  expect(text).toContain('brickmark_bulk_export_last_success_timestamp_seconds 0\n');
  expect(text).toContain('brickmark_bulk_export_failures 2\n');
  expect(writeMetrics(bulkMetrics({ ...state, exportedAt: 5_500 }))).toContain('_seconds 5.5\n');
});
