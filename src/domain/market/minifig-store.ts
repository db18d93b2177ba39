/** How the minifigs of several catalogs become one catalog, and what a person decides of them. */
import type { UnsurePair } from '../catalog/minifig-join.ts';

/** How many minifigs of BrickLink's and Rebrickable's catalogs are joined, and how many may be. */
export interface JoinCounts {
  readonly joined: number;
  readonly unsure: number;
}

/** What a catalog says of a minifig. */
export interface MinifigProfile {
  readonly number: string;
  readonly name: string;
  readonly year: number | null;
  /** The sets that any source lists it in, in order of number. */
  readonly sets: readonly string[];
}

/** Two minifigs that may be one. */
export interface UnsureMinifigs extends Pick<UnsurePair, 'by' | 'score'> {
  readonly bricklink: MinifigProfile;
  readonly rebrickable: MinifigProfile;
  /** The number of what fits nearly as well; null when names have too little in common. */
  readonly rival: string | null;
}

/** A person says whether two numbers are one minifig. */
export interface MinifigDecision {
  /** The lookup keys, which differ. */
  readonly keys: readonly [string, string];
  readonly isOne: boolean;
  readonly at: number;
}

/** What became of a decision. */
export type DecisionOutcome =
  /** Nobody knows one of the numbers, by its key. */
  | { readonly kind: 'unknown'; readonly key: string }
  /** The numbers under which the two are shown now: the same for one minifig. */
  | { readonly kind: 'saved'; readonly shown: readonly [string, string] };

/** Joining minifigs. */
export interface MinifigStore {
  /**
   * Joins anew what sources say now, and parts what no longer fits; null when there are not two
   * catalogs. The same sources and decisions give the same pairs, whatever was there before.
   */
  joinMinifigs(): Promise<JoinCounts | null>;
  /** The pairs that are left to a person, the likeliest first. */
  listUnsureMinifigs(): Promise<UnsureMinifigs[]>;
  /** Saves a decision, which counts for more than any source, and joins anew. */
  decideMinifigs(decision: MinifigDecision): Promise<DecisionOutcome>;
}
