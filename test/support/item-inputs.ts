/** Items as publishing reads them, of which tests say what they are about. */
import type { SetFacts } from '../../src/domain/catalog/catalog.ts';
import type { ItemInputs } from '../../src/domain/market/publishing-store.ts';
import type { StoredSale } from '../../src/domain/market/source-rows.ts';
import { aMinifig, aSale, aSet } from './builders.ts';

/** A retailer that never looked at the item. */
export const notLooked = { kept: null, offers: [], nextAt: null };

const bareInputs: ItemInputs = {
  id: 7,
  version: 3,
  kind: 'set',
  key: '75192',
  number: '75192',
  records: [],
  sales: [],
  related: [],
  retailWeeks: [],
  retail: { retailer_a: notLooked, retailer_b: notLooked },
  series: { sealed: null, used: null },
  evidence: null,
  deals: [],
};

/** A set of which one source tells some facts. */
export function setInputs(
  facts: Partial<SetFacts> = {},
  given: Partial<ItemInputs> = {},
): ItemInputs {
  const records = [{ source: 'feed', facts: aSet(facts) }];
  return { ...bareInputs, records, ...given };
}

/** A minifig of which one source tells next to nothing. */
export function minifigInputs(given: Partial<ItemInputs> = {}): ItemInputs {
  const records = [{ source: 'feed', facts: aMinifig() }];
  const name = { kind: 'minifig', key: 'cas001', number: 'cas001' } as const;
  return { ...bareInputs, ...name, records, ...given };
}

/** A sale as it is stored: known since it was made, and not retracted. */
export function storedSale(given: Partial<StoredSale> & { readonly soldAt: number }): StoredSale {
  const { itemKind: _, itemKey: __, ...sale } = aSale();
  return { ...sale, ingestedAt: given.soldAt, retractedAt: null, usdPerUnit: 1, ...given };
}
