/** What a format is: how files become rows, and the settings it needs for that. */

import type { Readable } from 'node:stream';
import type { AccountStore } from '../domain/account/account-store.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketStore } from '../domain/market/market-store.ts';
import type { SourceItem } from './located-row.ts';
import type { DayOrder } from './loose.ts';
import type { ColumnMapping } from './private/column-guess.ts';
import type { UnpackLimits } from './readers/source-file.ts';

/** What a lot without a price is taken to have cost. */
export const missingPrices = ['msrp', 'zero', 'reject'] as const;
export type MissingPrice = (typeof missingPrices)[number];

/** What a lot without a day of purchase is: bought when its set came out, or out of all returns. */
export const missingDates = ['release', 'unknown'] as const;
export type MissingDate = (typeof missingDates)[number];

/** What the person who imports says besides the files. */
export interface ImportSettings {
  /** Whose collection or sales the files are, by e-mail; null where the lines say it. */
  readonly account: string | null;
  /** The collection that lots go to, by name; null: the account's default. */
  readonly brickfolio: string | null;
  readonly missingPrice: MissingPrice;
  readonly missingDate: MissingDate;
  /** The file that names the columns of a price list. */
  readonly mapping: string | null;
  /** Whether files are taken although they look older, cut, or like something else. */
  readonly isForced: boolean;
}

/** What an owner answers about a file on a page; what nobody answered is null. */
export interface OwnAnswers {
  /** The columns of a spreadsheet that is not known; they are guessed. */
  readonly columns: ColumnMapping | null;
  /** How days are written that could be read both ways. */
  readonly dayOrder: DayOrder | null;
  /** The day on which lots without one were bought. */
  readonly purchaseDate: string | null;
  /** What one unit of lots without a price cost. */
  readonly priceCents: number | null;
}

/** What a file turned out to be. */
export interface Recognized {
  /** As people call it, such as `BrickEconomy collection`. */
  readonly name: string;
  /** The columns of a spreadsheet that is not known, some rows, and what is taken for what. */
  readonly columns?: {
    readonly header: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly mapping: ColumnMapping;
  };
}

/** What adapters ask the store for. */
export interface ImportLookups {
  readonly market: Pick<
    MarketStore,
    'findKnownSets' | 'listBarcodes' | 'findRates' | 'compareCensus'
  >;
  readonly accounts: Pick<AccountStore, 'findAccount' | 'findHoldings' | 'findLots'>;
}

/** Where the files come from, what is known already, and who is informed of the progress. */
export interface ReadOptions {
  readonly stdin: Readable;
  /** Asked as the file is read: rows may happen while it is. */
  readonly clock: Clock;
  readonly store: ImportLookups;
  readonly settings: ImportSettings;
  /** Where it is not the operator who brings the files. */
  readonly unpacking?: UnpackLimits;
  /** Where the owner brings the file to a page: then columns that are not known may be named. */
  readonly answers?: OwnAnswers;
  onRecognized?(what: Recognized): void;
  onBytes(count: number): void;
}

/** A format that can be imported. */
export interface Format {
  /** The settings that it takes; the others are refused. */
  readonly settings?: Readonly<Partial<Record<keyof ImportSettings, 'required' | 'optional'>>>;
  /**
   * Whether files are read to their end before the first row is written, so that a broken one
   * leaves nothing behind. The feed is not: it may be endless, and every line stands for itself.
   */
  readonly isReadFirst: boolean;
  /** Reads files as rows, in groups. A file that cannot be read throws a `SourceFileError`. */
  read(paths: readonly string[], options: ReadOptions): AsyncGenerator<readonly SourceItem[]>;
}
