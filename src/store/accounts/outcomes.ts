/** Outcomes of private rows. */
import type { RowOutcome } from '../../domain/market/market-ingest.ts';

export const added: RowOutcome = { kind: 'added' };
export const updated: RowOutcome = { kind: 'updated' };
export const unchanged: RowOutcome = { kind: 'unchanged' };

type Rejection = Extract<RowOutcome, { readonly kind: 'rejected' }>;

/** A rejected row; `missing` if what it refers to may still arrive. */
export function refused(
  reason: string,
  about: Partial<Pick<Rejection, 'missing' | 'field'>> = {},
): RowOutcome {
  return { kind: 'rejected', reason, missing: false, ...about };
}
