/** Types for joining the minifigs of several catalogs, and for decisions by people. */
import type { UnsurePair } from './minifig-join.ts';

/** How many minifigs of BrickLink and Rebrickable are joined, and how many are uncertain. */
export interface JoinCounts {
  readonly joined: number;
  readonly unsure: number;
}

/** A minifig as shown for a decision. */
export interface MinifigProfile {
  readonly number: string;
  readonly name: string;
  readonly year: number | null;
  /** Sets in which any source lists it, ordered by number. */
  readonly sets: readonly string[];
}

/** Two minifigs that may be the same. */
export interface PossibleMatch extends Pick<UnsurePair, 'by' | 'score'> {
  readonly bricklink: MinifigProfile;
  readonly rebrickable: MinifigProfile;
  /** The number of the closest alternative; null if the names have too little in common. */
  readonly rival: string | null;
}

/** A person's decision whether two numbers are the same minifig. */
export interface MinifigDecision {
  /** Two different lookup keys. */
  readonly keys: readonly [string, string];
  readonly isOne: boolean;
  readonly at: number;
}

export type DecisionOutcome =
  /** No item has this key. */
  | { readonly kind: 'unknown'; readonly key: string }
  /** The numbers under which they are now shown, equal if they are the same minifig. */
  | { readonly kind: 'saved'; readonly shown: readonly [string, string] };
