/** How uncertain the values of items are, in whole numbers: as it is written and read again. */
import type { PublishedItem } from '../../domain/market/publishing-store.ts';
import type { Uncertainty } from '../../domain/market/uncertainty.ts';
import { type Operation, saveRows } from '../sql/operation.ts';
import { fieldsOf, tables } from '../sql/tables.ts';

/** In how many parts spreads and rates are kept. */
const spreadUnit = 10_000;
const rateUnit = 1_000_000;

/** A row of the table, but for its item. */
export interface OutlookRow {
  readonly newCents: number;
  readonly newValueSpread: number;
  readonly newSaleSpread: number;
  readonly newSales: number;
  readonly newUsualRate: number;
  readonly usedCents: number;
  readonly usedValueSpread: number;
  readonly usedSaleSpread: number;
  readonly usedSales: number;
  readonly usedUsualRate: number;
  readonly isTraded: boolean;
  readonly hasBarcode: boolean;
}

type SavedRow = OutlookRow & { readonly itemId: number };

const savedFields = fieldsOf(tables.uncertainty) as (keyof SavedRow & string)[];

/** Writes what plans need to know of items in place of what was there. */
export function* saveOutlooks(items: readonly PublishedItem[]): Operation<void> {
  yield* saveRows<SavedRow>(tables.uncertainty, savedFields, items.map(toRow));
}

function toRow({ id, outlook: { sealed, used, isTraded, hasBarcode } }: PublishedItem): SavedRow {
  return {
    itemId: id,
    newCents: sealed.valueCents,
    newValueSpread: parts(sealed.valueSpread, spreadUnit),
    newSaleSpread: parts(sealed.saleSpread, spreadUnit),
    newSales: sealed.sales,
    newUsualRate: parts(sealed.usualRate, rateUnit),
    usedCents: used.valueCents,
    usedValueSpread: parts(used.valueSpread, spreadUnit),
    usedSaleSpread: parts(used.saleSpread, spreadUnit),
    usedSales: used.sales,
    usedUsualRate: parts(used.usualRate, rateUnit),
    isTraded,
    hasBarcode,
  };
}

/** None of them is ever nothing: what is divided by it would be infinite. */
function parts(value: number, unit: number): number {
  return Math.max(1, Math.round(value * unit));
}

/** The uncertainty in new condition. */
export function sealedOf(row: OutlookRow): Uncertainty {
  return {
    valueCents: row.newCents,
    valueSpread: row.newValueSpread / spreadUnit,
    saleSpread: row.newSaleSpread / spreadUnit,
    sales: row.newSales,
    usualRate: row.newUsualRate / rateUnit,
  };
}

/** The uncertainty in used condition. */
export function usedOf(row: OutlookRow): Uncertainty {
  return {
    valueCents: row.usedCents,
    valueSpread: row.usedValueSpread / spreadUnit,
    saleSpread: row.usedSaleSpread / spreadUnit,
    sales: row.usedSales,
    usualRate: row.usedUsualRate / rateUnit,
  };
}
