/** Sort orders of source rows. */

import { compareText } from '../../domain/catalog/numbers.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';

/** By time of sale, source and source id. */
export function bySale(a: StoredSale, b: StoredSale): number {
  return (
    a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId)
  );
}

/** By source; stable within one source. */
export function bySource(a: { readonly source: string }, b: { readonly source: string }): number {
  return compareText(a.source, b.source);
}

export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return compareText(a.key, b.key);
}
