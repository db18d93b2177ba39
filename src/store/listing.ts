/** The values of a set as they are kept beside its name. */
import { type SetValues, unpackSetValues } from '../domain/set-values.ts';

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
