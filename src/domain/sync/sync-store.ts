/** How a store keeps what is fetched by itself: the state of sources, and what was asked when. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { SpendRequest } from './budget.ts';
import type { SourceState } from './source-state.ts';

/** A question that a source can be asked about an item. */
export interface Question {
  readonly kind: ItemKind;
  /** The item's key. */
  readonly key: string;
  /** What is asked, such as `sold-new`. */
  readonly topic: string;
}

/** A source with its state. */
export interface NamedState {
  readonly source: string;
  readonly state: SourceState;
}

/** Whether calls were counted, or when the next ones fit into the budget. */
export type Spending =
  | { readonly isGranted: true }
  | { readonly isGranted: false; readonly nextAt: number };

/** The state of sources. Processes that share a store share budgets. */
export interface SyncStore {
  /** Every source that was ever called, in order of name. Readable by whoever serves. */
  listSources(): Promise<NamedState[]>;
  /** The state of a source; that of one which was never called is empty. */
  findSource(source: string): Promise<SourceState>;
  /** Counts calls before they are made, unless that would pass the budget. */
  spend(source: string, asked: SpendRequest): Promise<Spending>;
  /** Changes the state of a source while nobody else does. */
  changeSource(source: string, change: (before: SourceState) => SourceState): Promise<SourceState>;
  /** Writes when questions were answered, and which of them the source knows nothing about. */
  saveAnswers(
    source: string,
    answers: {
      readonly at: number;
      readonly known: readonly Question[];
      readonly unknown: readonly Question[];
    },
  ): Promise<void>;
  /** Puts off questions whose call failed, the longer the more often it did. */
  postponeQuestions(source: string, questions: readonly Question[], at: number): Promise<void>;
}
