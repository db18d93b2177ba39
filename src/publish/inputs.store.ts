/** Loads the inputs of documents for many items. */

import { loadGradedDeals } from '../buying/deals/deals.store.ts';
import { loadEvidence } from '../market/evidence/evidence.store.ts';
import { loadSeries } from '../market/history/series.store.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import { loadRetail } from '../market/retail/retail-inputs.store.ts';
import { loadCheckpoints } from '../market/values/checkpoints.store.ts';
import {
  findItems,
  idsOf,
  loadLearning,
  loadValued,
  type Minifig,
} from '../market/values/inputs.store.ts';
import type { ItemName, LearningInputs } from '../market/values/learning-inputs.ts';
import { loadListings } from '../market/values/listings.store.ts';
import { loadParts } from '../market/values/parts.store.ts';
import * as db from '../store/sql/operation.ts';

/** Offers and retail weeks up to `at`; series only `withSeries`. Unknown ids are left out. */
export function* loadInputs(
  ids: readonly number[],
  { at, withSeries, checkpointsUntil }: InputOptions,
): db.Reading<ItemInputs[]> {
  const found = yield* findItems(ids, checkpointsUntil);
  // Before the sales: another publisher may have removed a checkpoint, and all sales are needed.
  const checkpoints = yield* loadCheckpoints(found);
  const items = found.map((item) =>
    checkpoints.has(item.id) ? item : { ...item, checkpointAt: null },
  );
  const setKeys = items.flatMap(({ kind, key }) => (kind === 'set' ? [key] : []));
  const continued = items.filter(({ checkpointAt }) => checkpointAt !== null);
  const minifigs = yield* loadValued(items);
  const [learning, retail, series, evidence, listings, parts, deals] = yield* db.together([
    loadLearning(items, minifigs, at),
    loadRetail(items, at),
    loadSeries(withSeries ? items : continued),
    loadEvidence(items),
    loadListings(idsOf(items)),
    loadParts(idsOf(items)),
    loadGradedDeals(setKeys, at),
  ]);
  return items.map(({ checkpointAt: _, ...item }, index) => ({
    ...item,
    ...learning(item),
    minifig: minifigInputs(item, minifigs.get(item.id), learning),
    checkpoint: checkpoints.get(item.id) ?? null,
    retail: retail(item),
    series: series.get(item.id) ?? { sealed: null, used: null },
    evidence: evidence[index] ?? null,
    listings: listings.get(item.id) ?? null,
    parts: parts.get(item.id) ?? null,
    deals: (item.kind === 'set' && deals.get(item.key)) || [],
  }));
}

/** The sales of a minifig that is valued as a set are those of both. */
function minifigInputs(
  set: ItemName,
  minifig: Minifig | undefined,
  learning: (item: ItemName) => LearningInputs,
): ItemInputs['minifig'] {
  return minifig ? { ...minifig, ...learning(minifig), sales: learning(set).sales } : null;
}

interface InputOptions {
  readonly at: number;
  readonly withSeries: boolean;
  /** Loads items from their latest checkpoints up to this time; otherwise all their sales. */
  readonly checkpointsUntil?: number;
}
