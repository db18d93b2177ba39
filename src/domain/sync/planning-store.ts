/** What a store tells whoever plans: items, how much they are wanted, and when they were asked. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { KeptUncertainty } from '../market/uncertainty.ts';
import type { WantedCounts } from '../search/interest.ts';
import type { Need, SourceNames } from './planning.ts';

/** An item that sources can be asked about. */
export interface PlannedItem extends KeptUncertainty {
  readonly itemId: number;
  readonly key: string;
}

/** What was asked about an item, and what came of it. */
export interface AskedQuestion {
  readonly key: string;
  readonly topic: string;
  /** Null: it was never answered. */
  readonly askedAt: number | null;
  /** It is not asked again before this instant; null: its call did not fail. */
  readonly retryAt: number | null;
  /** Whether the source knows the item, as far as it said. */
  readonly isKnown: boolean;
}

/** A question about an item, and who was asked it. */
export interface ItemQuestion extends Omit<AskedQuestion, 'key'> {
  readonly source: string;
  readonly failures: number;
}

/** How much an item is wanted, by its key. */
export type WantedItem = WantedCounts & { readonly key: string };

/** What planning reads. */
export interface PlanningStore {
  /** Everything of a kind that has what a question needs; what was never published is last. */
  listPlanned(kind: ItemKind, needs: Need): Promise<readonly PlannedItem[]>;
  /** What a source was asked about items of a kind, all about one item together. */
  listAsked(source: string, kind: ItemKind): Promise<readonly AskedQuestion[]>;
  /** The items of a kind that anybody holds or looks up. */
  listWanted(kind: ItemKind): Promise<readonly WantedItem[]>;
  /** The numbers of items as they are shown, by id. */
  findNumbers(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The names of items, by key. */
  findNames(kind: ItemKind, keys: readonly string[]): Promise<ReadonlyMap<string, SourceNames>>;
  /** What any source was asked about an item, in order of source and topic. */
  listQuestions(kind: ItemKind, key: string): Promise<readonly ItemQuestion[]>;
}
