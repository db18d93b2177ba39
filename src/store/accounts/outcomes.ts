/** What becomes of a private row. */
import type { RowOutcome } from '../../domain/market/market-ingest.ts';

/** The outcomes that say no more than their name. */
export const added: RowOutcome = { kind: 'added' };
export const updated: RowOutcome = { kind: 'updated' };
export const unchanged: RowOutcome = { kind: 'unchanged' };

type Rejection = Extract<RowOutcome, { readonly kind: 'rejected' }>;

/** A row that cannot be applied; `missing` when what it refers to may still arrive. */
export function refused(
  reason: string,
  about: Partial<Pick<Rejection, 'missing' | 'field'>> = {},
): RowOutcome {
  return { kind: 'rejected', reason, missing: false, ...about };
}
