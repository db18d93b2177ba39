/** Published records, which the API and the pages read; never source rows. */

import type { InterestCounts } from '../../catalog/interest/interest.ts';
import type { SetDescription } from '../../catalog/items/catalog.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { SearchEntry } from '../../catalog/search/search-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { DayValue } from '../history/day-values.ts';
import type { Series } from '../history/history.ts';
import type { UnitValues } from '../values/set-values.ts';
import type { UnitTiers } from '../values/tiers.ts';
import type { PublishedRetail } from './publishing.ts';

/** Identifies a set at the retailers, by normalized identifiers. */
export interface RetailIdentifiers {
  readonly setKey?: string | undefined;
  readonly asinKey?: string | undefined;
  readonly barcodeKey?: string | undefined;
}

/** A published retail row with the columns that it is found by. */
export interface RetailRecord extends Omit<PublishedRetail, 'newStates' | 'months'> {
  readonly setKey: string;
}

/** The fields of an item that holdings show. */
export interface ListedItem extends UnitValues, UnitTiers {
  readonly number: string;
  readonly title: string;
  readonly theme: string;
}

/** Facts that pages show of a set in addition to its record; null is unknown. */
export type SetDetails = Pick<SetDescription, 'year' | 'itemClass' | 'minifigsCount'>;

/** A published item as search lists it, with its use by accounts; null if there is none. */
export interface ListedEntry extends SearchEntry {
  readonly kind: ItemKind;
  readonly interestCounts: InterestCounts | null;
}

export interface ItemName {
  /** The canonical number. */
  readonly number: string;
  readonly name: string;
}

/** Everything published about an item that determines its resale proceeds. */
export interface ResaleRecord {
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  /** The exact JSON of its record. */
  readonly body: string;
  readonly evidence: Evidence | null;
  /** The exact JSON of its retail row; null if no retailer ever listed it. */
  readonly retail: string | null;
}

/** The final months of a set in one condition. */
export interface FoundSeries {
  /** The canonical number. */
  readonly number: string;
  /** Without provenance; null: no month is final yet. */
  readonly series: Series | null;
}

/** The current values of an item, and those of the days in months that are not final. */
export interface FoundDays extends UnitValues {
  /** The canonical number. */
  readonly number: string;
  readonly days: readonly DayValue[];
}
