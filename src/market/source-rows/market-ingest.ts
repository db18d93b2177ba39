/** Types for loading source rows into a store. */
import type { MinifigFacts, SetDescription, SetFacts } from '../../catalog/items/catalog.ts';
import type { SourceRecord } from '../../catalog/items/merge.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { ExchangeRate, ListingCount, Offer, PartOutValue, Sale } from './source-rows.ts';

/** A source's description of an item. */
interface DescribedBy<Facts> extends SourceRecord<Facts> {
  /** Fields that the source does not report this time, which keep their stored values. */
  readonly keeps?: readonly (keyof Facts)[];
}

export type MarketRow =
  | (DescribedBy<SetDescription> & { readonly kind: 'set' })
  | (DescribedBy<MinifigFacts> & { readonly kind: 'minifig' })
  | { readonly kind: 'sale'; readonly sale: Sale }
  | { readonly kind: 'retract'; readonly source: string; readonly sourceId: string }
  | { readonly kind: 'offer'; readonly offer: Offer }
  | { readonly kind: 'listings'; readonly listings: ListingCount }
  | { readonly kind: 'part_out'; readonly partOut: PartOutValue }
  | { readonly kind: 'fx'; readonly rate: ExchangeRate };

/** `missing`: the row refers to an item or a sale that may still arrive. */
export type RowOutcome = (
  | { readonly kind: 'added' | 'updated' | 'unchanged' }
  | { readonly kind: 'rejected'; readonly reason: string; readonly missing: boolean }
) & { readonly warning?: string };

export interface UndoneImport {
  /** Rows that the import had added. */
  readonly removed: number;
  /** Rows that the import had changed, and that have their previous content again. */
  readonly restored: number;
  /** Sets and minifigs that no source describes any more. */
  readonly itemsRemoved: number;
}

/** Why an import cannot be undone, as a sentence. */
export interface UndoRefusal {
  readonly refusal: string;
}

/** The facts of a set that imports need. */
export type KnownSet = Pick<SetFacts, 'number' | 'title' | 'msrpCents' | 'releaseDate' | 'year'>;

/** The facts of a minifig that imports need. */
export interface KnownMinifig {
  /** As it was asked for, in its canonical spelling. */
  readonly number: string;
  readonly title: string;
  readonly year: number | null;
  /** Used; null if unknown or not published yet. */
  readonly valueCents: number | null;
}

/** By the canonical number. */
export type SetBarcodes = Pick<SetDescription, 'number' | 'upc' | 'ean'>;

export type RateQuery = Pick<ExchangeRate, 'currency' | 'date'>;

/** Sales and offers in a currency that wait for an exchange rate. */
export interface WaitingRows {
  readonly currency: string;
  readonly count: number;
  /** The first and last day of their amounts, YYYY-MM-DD. */
  readonly firstDate: string;
  readonly lastDate: string;
}

/** A source's complete list of one kind, and when it was current. */
export interface StoredCensus {
  readonly source: string;
  readonly itemKind: ItemKind;
  /** Lookup keys. */
  readonly keys: ReadonlySet<string>;
  readonly at: number;
}
