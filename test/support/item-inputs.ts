/** Builders for the input of publishing an item. */
import type { SetFacts } from '../../src/catalog/items/catalog.ts';
import type { ItemInputs } from '../../src/market/published/publishing.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import { aMinifig, aSale, aSet } from './builders.ts';

/** A retailer without observations of the item. */
export const notLooked = { kept: null, offers: [], nextAt: null };

const bareInputs: ItemInputs = {
  id: 7,
  version: 3,
  kind: 'set',
  key: '75192',
  number: '75192',
  records: [],
  sales: [],
  checkpoint: null,
  minifig: null,
  related: [],
  retailWeeks: [],
  retail: { retailer_a: notLooked, retailer_b: notLooked },
  series: { sealed: null, used: null },
  evidence: null,
  listings: null,
  parts: null,
  deals: [],
};

/** A set with one source record. */
export function setInputs(
  facts: Partial<SetFacts> = {},
  given: Partial<ItemInputs> = {},
): ItemInputs {
  const records = [{ source: 'feed', facts: aSet(facts) }];
  return { ...bareInputs, records, ...given };
}

/** A minifig with one source record. */
export function minifigInputs(given: Partial<ItemInputs> = {}): ItemInputs {
  const records = [{ source: 'feed', facts: aMinifig() }];
  const name = { kind: 'minifig', key: 'cas001', number: 'cas001' } as const;
  return { ...bareInputs, ...name, records, ...given };
}

/** A stored sale, ingested when it was sold and not retracted. */
export function storedSale(given: Partial<StoredSale> & { readonly soldAt: number }): StoredSale {
  const { itemKind: _, itemKey: __, ...sale } = aSale();
  return { ...sale, ingestedAt: given.soldAt, retractedAt: null, usdPerUnit: 1, ...given };
}
