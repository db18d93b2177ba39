/** Recorded sales and their proceeds. The cost is frozen when a sale is recorded. */
import type { ItemKind, ItemRef } from '../catalog/numbers.ts';
import type { Platform } from '../fees/platforms.ts';
import { percentOf } from '../kernel/money.ts';
import type { DaySpan } from '../kernel/page.ts';
import type { Condition } from '../market/source-rows.ts';
import type { DateBasis, LedgerSaleFacts, Settlement } from './lots.ts';

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

export type SaleAmounts = Pick<
  LedgerSale,
  'grossCents' | 'platformFeesCents' | 'paymentFeesCents' | 'shippingCents' | 'costCents'
>;

export const amountFields = [
  'grossCents',
  'platformFeesCents',
  'paymentFeesCents',
  'shippingCents',
  'costCents',
] as const satisfies readonly (keyof SaleAmounts)[];

export function sumAmounts(rows: Iterable<SaleAmounts>): SaleAmounts {
  const sums = {
    grossCents: 0,
    platformFeesCents: 0,
    paymentFeesCents: 0,
    shippingCents: 0,
    costCents: 0,
  };
  for (const row of rows) for (const field of amountFields) sums[field] += row[field];
  return sums;
}

/** Proceeds after fees and shipping, and profit after the cost. */
export function proceedsOf(sale: SaleAmounts): Proceeds {
  const netCents =
    sale.grossCents - sale.platformFeesCents - sale.paymentFeesCents - sale.shippingCents;
  const profitCents = netCents - sale.costCents;
  const roiPct = sale.costCents === 0 ? null : percentOf(profitCents, sale.costCents);
  return { netCents, profitCents, roiPct };
}

/** A recorded sale with its settlement. */
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
export interface SaleLot {
  readonly lotId: number;
  readonly purchaseDate: string;
  readonly dateBasis: DateBasis;
  /** The name of its collection. */
  readonly brickfolio: string;
  readonly quantity: number;
}

/** The purchases or sales of an item on a day, in one condition. */
export interface ItemTrade {
  readonly type: 'purchase' | 'sale';
  readonly date: string;
  readonly condition: Condition;
  readonly units: number;
  /** The total paid by the owner, or by the buyers. */
  readonly cents: number;
}

/** Filters of recorded sales; undefined and null do not filter. */
export interface SaleFilter {
  readonly span?: DaySpan | undefined;
  readonly platform?: Platform | null;
  /** Only this kind. */
  readonly kind?: ItemKind | null;
  /** Only these items. */
  readonly items?: readonly ItemRef[] | null;
  readonly condition?: Condition | null;
  /** Only those with units from this collection. */
  readonly brickfolioId?: number | null;
}

export const saleOrders = [
  'date',
  'set',
  'platform',
  'quantity',
  'gross',
  'fees',
  'shipping',
  'net',
  'cost',
  'profit',
  'roi',
] as const;

/** Sales that are equal in this order are listed newest first. */
export interface SaleOrder {
  readonly by: (typeof saleOrders)[number];
  readonly isDescending: boolean;
}

/** A sale before and after a change. */
export interface SaleEdit {
  readonly before: StoredLedgerSale;
  readonly after: LedgerSaleFacts;
}
