/** Lots, and the sales that take units from them. A lot stays as it was bought. */
import { compareText, type ItemKind, type ItemRef } from '../../catalog/items/numbers.ts';
import { conditionOfGrade } from '../../market/grades/grades.ts';
import type { SaleField } from '../sales/sale-fields.ts';
import { type FactsOf, factsOf } from './fields.ts';
import { type LotDetails, type LotField, lotDetails, lotFields, noDetails } from './lot-fields.ts';

export type LotFacts = FactsOf<LotField>;

export type HoldingStatus = LotFacts['status'];
export type DateBasis = LotFacts['dateBasis'];

/** Prefix of the source ids of lots and sales entered on a page. */
export const pageSourcePrefix = 'web:';

export interface BrickfolioFacts {
  readonly name: string;
  readonly description: string | null;
  readonly isDefault: boolean;
}

/** A lot to be written. Details that are left out stay as they are. */
export type GivenLot = Omit<LotFacts, keyof LotDetails> & Partial<LotDetails>;

type DefaultField = Extract<LotField, { readonly default: string | boolean }>;

/** Values of fields that are not given. */
export const lotDefaults = factsOf(
  lotFields.filter((row): row is DefaultField => 'default' in row && row.default !== null),
  (row) => row.default,
);

/** The set's release date, the start of its year if only that is known, otherwise today. */
export function assumedPurchaseDate(
  set: { readonly releaseDate: string | null; readonly year: number | null },
  today: string,
): string {
  const released = set.releaseDate ?? (set.year === null ? today : `${set.year}-01-01`);
  return released < today ? released : today;
}

/** The number of an item, in the field of its kind; the other field is null. */
export function numberFields({ kind, number }: Pick<LotFacts, 'kind' | 'number'>): {
  readonly set_number: string | null;
  readonly minifig_number: string | null;
} {
  return {
    set_number: kind === 'set' ? number : null,
    minifig_number: kind === 'minifig' ? number : null,
  };
}

export function lotFacts(lot: LotFacts): LotFacts {
  return factsOf(lotFields, ({ field }) => lot[field]);
}

/**
 * A lot as it is after it was written: it keeps the details that are not given, except a grade that
 * does not fit a new condition.
 */
export function writtenLot(given: GivenLot, old: LotDetails | null): LotFacts {
  const { grade, ...kept } = old ? lotDetails(old) : noDetails;
  const fits = grade !== null && conditionOfGrade(grade) === given.condition;
  return { ...kept, grade: fits ? grade : null, ...given };
}

/** Whether a sale is before the purchase. Dates that are assumed or unknown prove nothing. */
export function isSoldTooEarly(
  { purchaseDate, dateBasis }: Pick<LotFacts, 'purchaseDate' | 'dateBasis'>,
  saleDate: string | null,
): boolean {
  return dateBasis === 'known' && saleDate !== null && saleDate < purchaseDate;
}

/** Units of a lot, by its source id. */
export interface NamedTake {
  readonly lot: string;
  readonly quantity: number;
  /** Their cost at the time of the sale; null if a file does not say. */
  readonly costCents: number | null;
}

/** The units and cost of a sale in the store where it was first recorded. */
export interface Settlement {
  readonly costCents: number;
  readonly takes: readonly NamedTake[];
}

export interface LedgerSaleFacts extends FactsOf<SaleField> {
  /** The settlement of a sale from another store is kept. */
  readonly settled?: Settlement;
}

export interface LotUnits {
  readonly lotId: number;
  readonly purchaseDate: string;
  readonly priceCents: number;
  readonly unitsLeft: number;
}

export interface TakenUnits {
  readonly lotId: number;
  readonly quantity: number;
}

/** Units that a sale takes from a lot. */
export interface Take extends TakenUnits {
  /** Frozen at the time of the sale: later corrections of the price do not change it. */
  readonly costCents: number;
}

/** The units a sale takes and their cost, or the number of units left if they are too few. */
export type Allocation =
  | { readonly takes: readonly Take[]; readonly costCents: number }
  | { readonly unitsLeft: number };

/** First in, first out, by purchase date and then by the order of recording. */
export function allocateUnits(lots: readonly LotUnits[], quantity: number): Allocation {
  const unitsLeft = lots.reduce((sum, lot) => sum + lot.unitsLeft, 0);
  if (unitsLeft < quantity) return { unitsLeft };
  const takes: Take[] = [];
  let unitsToTake = quantity;
  let costCents = 0;
  for (const lot of [...lots].sort(byPurchase)) {
    const units = Math.min(unitsToTake, lot.unitsLeft);
    if (units <= 0) continue;
    const take = { lotId: lot.lotId, quantity: units, costCents: units * lot.priceCents };
    takes.push(take);
    costCents += take.costCents;
    unitsToTake -= units;
  }
  return { takes, costCents };
}

function byPurchase(a: LotUnits, b: LotUnits): number {
  return compareText(a.purchaseDate, b.purchaseDate) || a.lotId - b.lotId;
}

/** A stored lot, including sold-out ones. */
export interface StoredLot extends LotFacts {
  /** Units sold. */
  readonly sold: number;
}

export interface OwnLot extends StoredLot {
  readonly id: number;
  readonly brickfolioId: number;
  readonly key: string;
}

export type InventoryLot = Omit<OwnLot, 'sourceId' | 'brickfolio'>;

/** A row with its position in the order of recording. */
export type Recorded<T> = T & { readonly sequence: number };

export interface HeldCost extends ItemRef {
  readonly units: number;
  readonly costCents: number;
}

/** An account and an item that it holds. */
export interface HeldItem extends ItemRef {
  readonly accountId: number;
}

export interface HeldUnits extends HeldItem {
  readonly units: number;
}

/** Requests complete items of a kind after a known one, until they have `limit` lots. */
export interface ItemsAfter {
  readonly kind: ItemKind;
  /** The lookup key of the last known item; empty for the first ones. */
  readonly after: string;
  readonly limit: number;
}
