/** The values of a set as they are kept beside its name. */

import { dayOf } from '../domain/kernel/time.ts';
import type { PublishedItem } from '../domain/market/market-store.ts';
import {
  nextSetValues,
  packSetValues,
  type SetValues,
  unpackSetValues,
} from '../domain/market/set-values.ts';

/** A set's values as they are stored. */
export interface ValuesRow {
  readonly key: string;
  readonly packed: Uint8Array | null;
  readonly newCents: number | null;
  readonly usedCents: number | null;
}

const noPast = { months: { sealed: null, used: null }, early: { sealed: [], used: [] } };

/** Sets that were last published before months were kept beside their values have only these. */
export function unpackValuesRow({ packed, newCents, usedCents }: ValuesRow): SetValues {
  const values = packed && unpackSetValues(packed);
  return values ?? { newCents, usedCents, ...noPast };
}

/** Packs the values of a set that is being published, going on from what was published before. */
export function packNextSetValues(before: Uint8Array | null, item: PublishedItem): Uint8Array {
  const values = before && unpackSetValues(before);
  return packSetValues(nextSetValues(values, { ...item, day: dayOf(item.at) }));
}
