/** The searchable facts of an item. */

/** Search terms of an item besides number and name, and its rank among equal matches. */
export interface SearchFacts {
  /** Names in other sources. */
  readonly otherNames: readonly string[];
  /** The subthemes of a set or the categories of a minifig, in all sources. */
  readonly subthemes: readonly string[];
  readonly themes: readonly string[];
  /** The release year; null if unknown. */
  readonly year: number | null;
  /** How much it is traded and wanted, in thousandths; higher values come first. */
  readonly interest: number;
}

export interface SearchEntry extends SearchFacts {
  /** The lookup key of the number, in lower case. */
  readonly key: string;
  readonly name: string;
  /** Whether it comes after all other equal matches. */
  readonly ranksLast: boolean;
}
