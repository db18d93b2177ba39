/** What applying one private row has in common, whatever the row. */
import type { Database } from 'bun:sqlite';
import type { RowOutcome } from '../../domain/market-store.ts';

/** Whose row it is, and when it came. */
export interface Place {
  readonly db: Database;
  readonly accountId: number;
  readonly at: number;
}

/** The outcomes that say no more than their name. */
export const added: RowOutcome = { kind: 'added' };
export const updated: RowOutcome = { kind: 'updated' };
export const unchanged: RowOutcome = { kind: 'unchanged' };

/** A row that cannot be applied; `missing` when what it refers to may still arrive. */
export function refused(reason: string, missing = false): RowOutcome {
  return { kind: 'rejected', reason, missing };
}
