/** What imports ask the market side of a store, and the marks of what a source lost. */
import type { CensusComparison } from '../catalog/census.ts';
import type { ItemKind } from '../catalog/numbers.ts';

/** A set as imports need to know it. */
export interface KnownSet {
  readonly number: string;
  readonly title: string;
  readonly msrpCents: number | null;
  readonly releaseDate: string | null;
  readonly year: number | null;
}

/** Barcodes that a source gives a set. */
export interface SetBarcodes {
  /** The canonical number. */
  readonly number: string;
  readonly upc: string | null;
  readonly ean: string | null;
}

/** Asks for an exchange rate. */
export interface RateQuery {
  readonly currency: string;
  /** The day. */
  readonly date: string;
}

/** Everything that a source has of one kind, and when it was known. */
export interface StoredCensus {
  readonly source: string;
  readonly itemKind: ItemKind;
  /** Lookup keys. */
  readonly keys: ReadonlySet<string>;
  readonly at: number;
}

/** Looking up before rows go in. */
export interface MarketLookups {
  /** What sources together say of the sets that exist, by lookup key. */
  findKnownSets(keys: readonly string[]): Promise<Map<string, KnownSet>>;
  /** The barcodes that any source gives a set. */
  listBarcodes(): Promise<SetBarcodes[]>;
  /** US dollars for one unit of a currency, on a day or the last one before it with a rate. */
  findRates(queries: readonly RateQuery[]): Promise<(number | null)[]>;
  /** How a complete list of a source differs from what it has, but for what it has lost before. */
  compareCensus(census: Omit<StoredCensus, 'at'>): Promise<CensusComparison>;
  /**
   * Marks the records of a source whose item is not among those it has now, and takes the mark off
   * those that came back. Nothing else changes. How many were marked.
   * What is replaced is kept under the import's id, where there is one.
   */
  markGone(census: StoredCensus, importId?: number | null): Promise<number>;
}
