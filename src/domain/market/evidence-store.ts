/** How it is kept what stands behind values, and how wrong they were. */
import type { MinifigFacts, SetDescription } from '../catalog/catalog.ts';
import type { ItemKind } from '../catalog/numbers.ts';
import type { Evidence } from './evidence.ts';
import type { ScoreCount } from './scorecard.ts';

/** What stands behind an item's value, and whether rows have come in since. */
export interface ItemEvidence {
  readonly id: number;
  /** The canonical number. */
  readonly number: string;
  /** Null, like the evidence, as long as nothing was published. */
  readonly name: string | null;
  readonly evidence: Evidence | null;
  readonly isStale: boolean;
}

/** What one source says of an item, and by which of its numbers. */
export interface StoredRecord {
  readonly source: string;
  readonly number: string;
  readonly facts: SetDescription | MinifigFacts;
  /** When the item was no longer in the source's complete list; null while it is there. */
  readonly goneAt: number | null;
}

/** What all sources say of an item, in order of source. */
export interface ItemSources {
  /** The canonical number. */
  readonly number: string;
  readonly records: readonly StoredRecord[];
}

/** Looks behind values. */
export interface EvidenceStore {
  /** The evidence of an item, looked up by key or alias; null when there is no such item. */
  findEvidence(kind: ItemKind, key: string): Promise<ItemEvidence | null>;
  /** What sources say of an item, looked up by key or alias; null when there is no such item. */
  findSources(kind: ItemKind, key: string): Promise<ItemSources | null>;
  /** The scorecard of the weeks from one on, in order of all that the counts are kept by. */
  listScores(fromWeek: number): Promise<ScoreCount[]>;
}
