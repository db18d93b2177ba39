/** The doors cannot access methods that load source rows or write to the market. */
import { expect, test } from 'bun:test';
import type { ApiStore } from '../src/api/server.ts';
import type { MetricsDeps } from '../src/http/metrics-server.ts';
import type { WebDeps } from '../src/web/deps.ts';

/** The market interface of each door. The compiler must reject each access below. */
const reach = (
  pages: WebDeps['market'],
  api: ApiStore['market'],
  metrics: MetricsDeps['store']['market'],
  pageSync: WebDeps['sync'],
  metricsSync: MetricsDeps['store']['sync'],
) => [
  // @ts-expect-error
  pages.loadInputs,
  // @ts-expect-error
  pages.loadLearningInputs,
  // @ts-expect-error
  pages.listSold,
  // @ts-expect-error
  pages.findSources,
  // @ts-expect-error
  pages.applyRows,
  // @ts-expect-error
  pages.markGone,
  // @ts-expect-error
  pages.publish,
  // @ts-expect-error
  pages.logImport,
  // @ts-expect-error
  pages.takeLease,
  // @ts-expect-error
  api.loadInputs,
  // @ts-expect-error
  api.applyRows,
  // @ts-expect-error
  api.publish,
  // @ts-expect-error
  api.findEvidence,
  // @ts-expect-error
  metrics.loadInputs,
  // @ts-expect-error
  pageSync.spend,
  // @ts-expect-error
  metricsSync.changeSource,
];

test('the types of the doors have no such method', () => {
  expect(reach({} as never, {} as never, {} as never, {} as never, {} as never)).toEqual(
    Array(16).fill(undefined),
  );
});
