/** The doors are given nothing that loads source rows or writes to the market. */
import { expect, test } from 'bun:test';
import type { ApiStore } from '../src/api/server.ts';
import type { MetricsDeps } from '../src/http/metrics-server.ts';
import type { WebDeps } from '../src/web/deps.ts';

/** What each door is given of the market. Each line below it must be refused by the compiler. */
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

test('the types of the doors name no method that does', () => {
  expect(reach({} as never, {} as never, {} as never, {} as never, {} as never)).toEqual(
    Array(16).fill(undefined),
  );
});
