/** Metrics of the copies of bulk files in a folder or bucket. */
import { secondMs } from '../domain/kernel/time.ts';
import type { BulkExport } from '../domain/market/bulk-export.ts';
import { type Metric, single } from './metrics-text.ts';

/** Null: no files were ever copied. */
export function bulkMetrics(state: BulkExport | null): Metric[] {
  if (state === null) return [];
  return [
    single('brickmark_bulk_export_last_success_timestamp_seconds', 'gauge', {
      help: 'When bulk files were last copied to their target; 0 before the first time.',
      value: (state.exportedAt ?? 0) / secondMs,
    }),
    single('brickmark_bulk_export_failures', 'gauge', {
      help: 'Consecutive failed attempts to copy bulk files.',
      value: state.failures,
    }),
  ];
}
