/** What can be found, and what it is found by. */

/** What an item is found by besides its number and its name, and what decides its place. */
export interface SearchFacts {
  /** What other sources call it. */
  readonly otherNames: readonly string[];
  /** The subthemes of a set, or the categories of a minifig, in the words of all sources. */
  readonly subthemes: readonly string[];
  readonly themes: readonly string[];
  /** How much it is traded and wanted, in thousandths; more comes first. */
  readonly interest: number;
}

/** Something that can be found. */
export interface SearchEntry extends SearchFacts {
  /** The lookup key of the number, already lower case. */
  readonly key: string;
  readonly name: string;
  /** Whether it comes after everything else that matches as well. */
  readonly isFoundLast: boolean;
}
