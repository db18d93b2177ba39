/** Whether a complete list of what a source has can be its newest one, held against the last. */

/** A list held against what was known of its source. */
export interface CensusComparison {
  /** Items that the source had. */
  readonly known: number;
  /** Those of them that are not on the list. */
  readonly gone: number;
  /** Items on the list that the source did not have. */
  readonly added: number;
}

/** Fewer items than these come and go in any catalog, however small it is. */
const goneMin = 20;

/** A source that grows by thousands a year loses hundreds: a list without more has lost a part. */
const goneShareMax = 0.05;

/** What is wrong with a list; null when nothing is. The first list of a source is always right. */
export function censusProblem({ known, gone, added }: CensusComparison): 'cut' | 'older' | null {
  if (gone > known / 2) return 'cut';
  if (gone < goneMin) return null;
  // Lists have no date, but catalogs grow: the older one has more gone than new.
  if (gone > added) return 'older';
  return gone > known * goneShareMax ? 'cut' : null;
}
