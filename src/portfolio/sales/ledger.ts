/** Recorded sales and their proceeds. The cost is frozen when a sale is recorded. */

import { at } from '../../kernel/at.ts';
import { percentOf } from '../../kernel/money.ts';
import type { DaySpan } from '../../kernel/page.ts';
import { feeTotal } from '../../market/fees/platform-fees.ts';
import type { Platform } from '../../market/fees/platforms.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { type FactsOf, nameIn } from '../lots/fields.ts';
import type { HoldingFilter } from '../lots/holdings.ts';
import type { LedgerSaleFacts, LotFacts, Settlement, TakenUnits } from '../lots/lots.ts';
import {
  formFields,
  isFee,
  type SaleField,
  saleFields,
  saleNames,
  termFields,
} from './sale-fields.ts';

export interface LedgerSale extends Omit<LedgerSaleFacts, 'sourceId' | 'lot' | 'costCents'> {
  readonly id: number;
  readonly key: string;
  readonly costCents: number;
}

export interface Proceeds {
  readonly netCents: number;
  readonly profitCents: number;
  /** In percent of the cost; null if the cost is 0. */
  readonly roiPct: number | null;
}

type AmountField = Extract<SaleField, { readonly kind: 'money' }>['field'];

export type SaleAmounts = Readonly<Record<AmountField, number>>;

export const amountFields = saleFields.flatMap((row) => (row.kind === 'money' ? row.field : []));

export function amountsBy(toCents: (field: AmountField) => number): SaleAmounts {
  const amounts = amountFields.map((field) => [field, toCents(field)]);
  return Object.fromEntries(amounts) as SaleAmounts;
}

/** Splits each amount; returns the amounts of a part. */
export function splitAmounts(split: (field: AmountField) => readonly number[]) {
  const parts = new Map(amountFields.map((field) => [field, split(field)]));
  return (part: number) => amountsBy((field) => at(parts.get(field) ?? [], part));
}

export function sumAmounts(sales: readonly SaleAmounts[]): SaleAmounts {
  return amountsBy((field) => sales.reduce((sum, sale) => sum + sale[field], 0));
}

/** Proceeds after fees and shipping, and profit after the cost. */
export function proceedsOf(sale: SaleAmounts): Proceeds {
  const netCents = sale.grossCents - feeTotal(sale) - sale.shippingCents;
  const profitCents = netCents - sale.costCents;
  const roiPct = sale.costCents === 0 ? null : percentOf(profitCents, sale.costCents);
  return { netCents, profitCents, roiPct };
}

/** The sums of sales, and the proceeds of all together. */
export function sumSales(sales: readonly SaleAmounts[]): SaleAmounts & Proceeds {
  const sums = sumAmounts(sales);
  return { ...sums, ...proceedsOf(sums) };
}

export interface StoredLedgerSale extends Omit<LedgerSaleFacts, 'settled'> {
  readonly settled: Settlement;
}

/** A recorded sale with its frozen cost. */
export interface OwnSale {
  readonly id: number;
  readonly facts: LedgerSaleFacts;
  readonly costCents: number;
}

/** Totals of the sales of a day. */
export interface SaleResult {
  readonly day: number;
  readonly netCents: number;
  readonly profitCents: number;
}

/** Totals of the sales of a month on a platform. */
export interface SaleSum extends SaleAmounts {
  /** As YYYY-MM. */
  readonly month: string;
  readonly platform: Platform;
  readonly sales: number;
  readonly units: number;
}

/** Units of a lot that a sale took, seen from the lot. */
export interface LotSale {
  readonly saleId: number;
  readonly saleDate: string;
  readonly platform: Platform;
  readonly quantity: number;
}

/** Units of a lot that a sale took, seen from the sale. */
export interface SaleLot
  extends TakenUnits,
    Pick<LotFacts, 'purchaseDate' | 'dateBasis' | 'brickfolio'> {}

/** The purchases or sales of an item on a day, in one condition. */
export interface ItemTrade {
  readonly type: 'purchase' | 'sale';
  readonly date: string;
  readonly condition: Condition;
  readonly units: number;
  /** The total paid by the owner, or by the buyers. */
  readonly cents: number;
}

/** Terms that filter sales; null does not. */
export const filterTerms = termFields
  .filter((row) => row.kind === 'choice')
  .map((row) => ({ ...row, default: null }));

/** Filters of recorded sales; undefined and null do not filter. */
export interface SaleFilter
  extends Partial<FactsOf<(typeof filterTerms)[number]>>,
    Partial<Pick<HoldingFilter, 'kind' | 'items' | 'condition' | 'brickfolioId'>> {
  readonly span?: DaySpan | undefined;
}

/** Fees are only ordered by their sum. */
export const orderFields = formFields.filter((row) => !isFee(row));

export const saleOrders = [
  ...orderFields.map((row) => nameIn(saleNames, row)),
  ...(['set', 'fees', 'net', 'profit', 'roi'] as const),
];

/** Sales that are equal in this order are listed newest first. */
export interface SaleOrder {
  readonly by: (typeof saleOrders)[number];
  readonly isDescending: boolean;
}
