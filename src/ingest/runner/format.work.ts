/** Import formats: how files become rows, and which settings they need. */

import type { AccountRoomStore } from '../../accounts/accounts.store.ts';
import type { Clock } from '../../kernel/time.ts';
import type { PortfolioRoomStore } from '../../portfolio/portfolio.store.ts';
import type { ColumnMapping } from '../own-files/column-guess.ts';
import type { OpenOptions } from '../readers/source-file.work.ts';
import type { Corrector } from './corrections.work.ts';
import type { SourceItem } from './located-row.ts';
import type { DayOrder } from './loose.ts';
import type { MarketIngest } from './market-ingest.store.ts';

/** The assumed cost of a lot without a price. */
export const missingPrices = ['msrp', 'zero', 'reject'] as const;
export type MissingPrice = (typeof missingPrices)[number];

/** The assumed purchase date of a lot: its set's release, or unknown and excluded from returns. */
export const missingDates = ['release', 'unknown'] as const;
export type MissingDate = (typeof missingDates)[number];

export interface ImportSettings {
  /** The email of the account; null if the lines have it. */
  readonly account: string | null;
  /** The collection that lots are added to; null is the account's default. */
  readonly brickfolio: string | null;
  readonly missingPrice: MissingPrice;
  readonly missingDate: MissingDate;
  /** The mapping file of a price list. */
  readonly mapping: string | null;
  /** Whether to import files that look outdated, incomplete or mislabeled. */
  readonly isForced: boolean;
}

/** The owner's answers on the import page; null if not answered. */
export interface OwnAnswers {
  /** The columns of an unknown spreadsheet; guessed if null. */
  readonly columns: ColumnMapping | null;
  /** The order of ambiguous dates. */
  readonly dayOrder: DayOrder | null;
  /** For lots without one. */
  readonly purchaseDate: string | null;
  /** Unit price of lots without one. */
  readonly priceCents: number | null;
}

export interface Recognized {
  /** As shown to users, such as `BrickEconomy collection`. */
  readonly name: string;
  /** Columns, sample rows and mapping of an unknown spreadsheet. */
  readonly columns?: {
    readonly header: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly mapping: ColumnMapping;
  };
}

/** Store methods that adapters may call. */
export interface ImportLookups {
  readonly market: Pick<
    MarketIngest,
    'findKnownSets' | 'findKnownMinifigs' | 'listBarcodes' | 'findRates' | 'compareCensus'
  >;
  readonly accounts: Pick<
    AccountRoomStore & PortfolioRoomStore,
    'findAccount' | 'findLotsBySourceIds' | 'listBrickfolios'
  >;
}

export interface ReadOptions extends Omit<OpenOptions, 'wants'> {
  /** Read repeatedly, because a feed may be read for a long time. */
  readonly clock: Clock;
  readonly store: ImportLookups;
  readonly settings: ImportSettings;
  /** Set on the import page, where owners can map unknown columns. */
  readonly answers?: OwnAnswers;
  /** Set on the import page, where owners can correct rows. */
  readonly corrector?: Corrector;
  onRecognized?(what: Recognized): void;
}

export interface Format {
  /** Accepted settings; others are rejected. */
  readonly settings?: Readonly<Partial<Record<keyof ImportSettings, 'required' | 'optional'>>>;
  /**
   * Whether files are first read to their end, so that a broken file is rejected before anything is
   * written. Not for the feed: it may be endless, and its lines are independent.
   */
  readonly isReadFirst: boolean;
  /** Yields rows in groups; throws a `SourceFileError` if a file cannot be read. */
  read(paths: readonly string[], options: ReadOptions): AsyncGenerator<readonly SourceItem[]>;
}
