/** Checks whether a source's complete list is plausible compared with the previous one. */

export interface CensusComparison {
  /** Items that the source had before. */
  readonly known: number;
  /** Known items that are not on the list. */
  readonly gone: number;
  /** Items on the list that the source did not have before. */
  readonly added: number;
}

/** Fewer missing items than this are normal in a catalog of any size. */
const goneMin = 20;

/** Catalogs grow and rarely remove items: a list that lacks more than this is incomplete. */
const goneShareMax = 0.05;

/**
 * `cut`: the list is incomplete. `older`: it is older than the previous one. Null if neither. The
 * first list of a source is always accepted.
 */
export function censusProblem({ known, gone, added }: CensusComparison): 'cut' | 'older' | null {
  if (gone > known / 2) return 'cut';
  if (gone < goneMin) return null;
  // Lists have no date, but catalogs grow: an older list has more missing than new items.
  if (gone > added) return 'older';
  return gone > known * goneShareMax ? 'cut' : null;
}
