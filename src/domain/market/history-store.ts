/** How it is kept when history was sealed, and what was restated since. */
import type { Month } from '../kernel/time.ts';

/** An explicit change of sealed history, for all to see. */
export interface Restatement {
  readonly id: number;
  readonly fromMonth: Month;
  readonly reason: string;
  readonly at: number;
}

/** The state of finalized history. */
export interface HistoryState {
  /** When history was sealed; null while the past is still being loaded. */
  readonly sealedAt: number | null;
  readonly restatements: readonly Restatement[];
}

/** Reads, seals and restates history. */
export interface HistoryStore {
  findHistoryState(): Promise<HistoryState>;
  /** Seals history; `false`, and nothing done, while items are stale or months are due. */
  sealHistory(at: number): Promise<boolean>;
  /**
   * Records a restatement and makes every item stale, so that publishing applies it. It covers all
   * rows in the store: its instant is never before one of them came in.
   */
  restateHistory(restatement: Omit<Restatement, 'id'>): Promise<Restatement>;
}
