/** The doors cannot access methods that load source rows or write to the market. */
import { expect, test } from 'bun:test';
import type { ApiStore } from '../src/api/server.ts';
import type { MetricsDeps } from '../src/http/metrics-server.ts';
import type { Store } from '../src/store/store.ts';
import type { WebDeps } from '../src/web/page.ts';

/** `false` if the door has one. A method that the store does not have does not compile. */
type Lacks<Door, Part extends keyof Store, Names extends keyof Store[Part]> = keyof Door &
  Names extends never
  ? true
  : false;

type Reading = 'loadInputs' | 'loadLearningInputs' | 'listSold' | 'findSources';
type Writing = 'applyRows' | 'markGone' | 'publish' | 'logImport' | 'takeLease';

test('the types of the doors have no such method', () => {
  const pages: Lacks<WebDeps['market'], 'market', Reading | Writing> = true;
  const pageSync: Lacks<WebDeps['sync'], 'sync', 'spend'> = true;
  const api: Lacks<ApiStore['market'], 'market', Reading | Writing | 'findEvidence'> = true;
  const metrics: Lacks<MetricsDeps['store']['market'], 'market', Reading | Writing> = true;
  const metricsSync: Lacks<MetricsDeps['store']['sync'], 'sync', 'changeSource'> = true;
  // @ts-expect-error: The store has them.
  const store: Lacks<Store['market'], 'market', Reading | Writing> = true;
  expect([pages, pageSync, api, metrics, metricsSync, store]).not.toContain(false);
});
