/** How source rows come into a store. */
import type { MinifigFacts, SetDescription } from '../catalog/catalog.ts';
import type { MarketLookups } from './market-lookups.ts';
import type { ExchangeRate, Offer, Sale } from './source-rows.ts';

/** What a source says of an item. */
interface DescribedBy<Facts> {
  readonly source: string;
  readonly facts: Facts;
  /** What the source says nothing of this time: it stays as it was said before, if it was. */
  readonly keeps?: readonly (keyof Facts)[];
}

/** A source row on its way into the store. `source` names who describes the item. */
export type MarketRow =
  | (DescribedBy<SetDescription> & { readonly kind: 'set' })
  | (DescribedBy<MinifigFacts> & { readonly kind: 'minifig' })
  | { readonly kind: 'sale'; readonly sale: Sale }
  | { readonly kind: 'retract'; readonly source: string; readonly sourceId: string }
  | { readonly kind: 'offer'; readonly offer: Offer }
  | { readonly kind: 'fx'; readonly rate: ExchangeRate };

/** What became of a row. `missing`: it refers to something that may still arrive. */
export type RowOutcome =
  | { readonly kind: 'added' | 'updated' | 'unchanged' }
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      readonly missing: boolean;
      /** The field that is to blame, where it is one. */
      readonly field?: 'sale_date';
    };

/** What was taken back of an import. */
export interface UndoneImport {
  /** Rows that it had added, and that are gone. */
  readonly removed: number;
  /** Rows that it had changed, and that are as they were. */
  readonly restored: number;
  /** Sets and minifigs that nobody describes any more, and that are gone. */
  readonly itemsRemoved: number;
}

/** Why an import cannot be undone, as a sentence. */
export interface UndoRefusal {
  readonly refusal: string;
}

/** Bringing source rows in. */
export interface MarketIngest extends MarketLookups {
  /**
   * Applies rows in order, all in one transaction; one outcome per row. What they replace is kept
   * under the import's id, where there is one.
   */
  applyRows(
    rows: readonly MarketRow[],
    at: number,
    importId?: number | null,
  ): Promise<RowOutcome[]>;
  /** Takes back everything that an import did, or says why that cannot be. */
  undoImport(id: number, at: number): Promise<UndoneImport | UndoRefusal>;
  /** The canonical numbers of the sets that exist, by lookup key. */
  findSetNumbers(keys: readonly string[]): Promise<Map<string, string>>;
}
