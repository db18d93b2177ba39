/** The order of source rows as they are read back. */

import { compareText } from '../../domain/catalog/numbers.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';

/** Puts the sales of an item in order of sale, source and source id. */
export function bySale(a: StoredSale, b: StoredSale): number {
  return (
    a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId)
  );
}

/** Puts records in order of source; those of one source stay as they are. */
export function bySource(a: { readonly source: string }, b: { readonly source: string }): number {
  return compareText(a.source, b.source);
}

/** Puts the parts of a minifig in order. */
export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return compareText(a.key, b.key);
}
