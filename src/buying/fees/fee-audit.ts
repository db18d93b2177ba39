/**
 * Compares the fees charged in orders with the price lists of the day, and fits the rate that
 * explains them. Fees that Brickmark computed itself are not audited.
 */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { median } from '../../kernel/median.ts';
import { sumOf } from '../../kernel/sum.ts';
import type { FeeTable } from '../../market/fees/fee-table.ts';
import { type Fees, feeTotal, saleFees } from '../../market/fees/platform-fees.ts';
import type { Platform } from '../../market/fees/platforms.ts';
import type { OwnRate } from '../prices/buying-settings.ts';

export interface ChargedLedgerSale extends Fees {
  readonly id: number;
  readonly kind: ItemKind;
  readonly number: string;
  readonly platform: Platform;
  readonly saleDate: string;
  readonly quantity: number;
  readonly grossCents: number;
  readonly shippingCents: number;
}

/** A sale with the charged and the listed amount of the same fees. */
export interface AuditedSale {
  readonly sale: ChargedLedgerSale;
  readonly chargedCents: number;
  readonly listedCents: number;
}

export interface PlatformAudit {
  readonly platform: Platform;
  readonly sales: number;
  readonly grossCents: number;
  readonly chargedCents: number;
  readonly listedCents: number;
  /** Whether some orders lack payment fees although the price list has them. */
  readonly lacksPayment: boolean;
  /** The fitted rate; null if there are too few sales. */
  readonly rate: OwnRate | null;
}

export interface FeeAudit {
  /** By number of sales, highest first. */
  readonly platforms: readonly PlatformAudit[];
  /** The sales with the largest differences, largest first. */
  readonly most: readonly AuditedSale[];
}

const mostShown = 10;

/** With fewer sales, a fitted rate would be arbitrary. */
export const fittedSalesMin = 5;

/** A limit, because fitting compares every pair of sales. */
const fittedSalesMax = 200;

export function auditFees(table: FeeTable, sales: readonly ChargedLedgerSale[]): FeeAudit {
  const audited = sales.map((sale) => ({ ...auditSale(table, sale), sale }));
  const difference = ({ chargedCents, listedCents }: AuditedSale) =>
    Math.abs(chargedCents - listedCents);
  return {
    platforms: [...Map.groupBy(audited, ({ sale }) => sale.platform)]
      .map(([platform, own]) => auditPlatform(platform, own))
      .sort((a, b) => b.sales - a.sales),
    most: audited
      .filter((each) => difference(each) > 0)
      .sort((a, b) => difference(b) - difference(a) || a.sale.id - b.sale.id)
      .slice(0, mostShown)
      .map(({ sale, chargedCents, listedCents }) => ({ sale, chargedCents, listedCents })),
  };
}

/** The charged and listed fees, and listed payment fees that the order does not report. */
interface Charged {
  readonly chargedCents: number;
  readonly listedCents: number;
  readonly missingCents: number;
}

/** Payment fees are compared only if the order reports them, as many marketplaces do not. */
function auditSale(table: FeeTable, sale: ChargedLedgerSale): Charged {
  const { platform, saleDate: day, quantity, grossCents, shippingCents } = sale;
  const listed = saleFees(table, {
    platform,
    day,
    quantity,
    paidCents: grossCents,
    shippingCents: Math.min(shippingCents, grossCents),
    payment: null,
  });
  const isReported = sale.paymentFeesCents > 0;
  return {
    chargedCents: feeTotal(sale),
    listedCents: listed.platformFeesCents + (isReported ? listed.paymentFeesCents : 0),
    missingCents: isReported ? 0 : listed.paymentFeesCents,
  };
}

function auditPlatform(
  platform: Platform,
  audited: readonly (AuditedSale & Charged)[],
): PlatformAudit {
  const fees = audited.map(({ sale, chargedCents, missingCents }) => {
    return { paidCents: sale.grossCents, feesCents: chargedCents + missingCents };
  });
  const fitted = fitRate(fees.filter(({ paidCents }) => paidCents > 0));
  return {
    platform,
    sales: audited.length,
    grossCents: sumOf(audited, ({ sale }) => sale.grossCents),
    chargedCents: sumOf(audited, (each) => each.chargedCents),
    listedCents: sumOf(audited, (each) => each.listedCents),
    lacksPayment: audited.some(({ missingCents }) => missingCents > 0),
    rate: fitted && { platform, ...fitted },
  };
}

/** The amount paid, and all fees on it. */
interface FeePoint {
  readonly paidCents: number;
  readonly feesCents: number;
}

/**
 * Fits a share and an amount per order (Theil–Sen): the share is the median slope over all pairs of
 * sales, which is robust against outliers such as refunds and advertisements; the amount is the
 * median of the residuals.
 */
export function fitRate(points: readonly FeePoint[]): Omit<OwnRate, 'platform'> | null {
  if (points.length < fittedSalesMin) return null;
  const some = spreadOut(points);
  const slopes = some.flatMap((a, index) =>
    some
      .slice(index + 1)
      .filter((b) => b.paidCents !== a.paidCents)
      .map((b) => (b.feesCents - a.feesCents) / (b.paidCents - a.paidCents)),
  );
  const share = slopes.length === 0 ? 0 : median(slopes);
  const rests = some.map(({ paidCents, feesCents }) => feesCents - share * paidCents);
  const feeCents = Math.round(median(rests));
  if (slopes.length > 0 && share >= 0 && feeCents > 0) {
    return { basisPoints: Math.round(share * 10_000), feeCents };
  }
  // If all prices are equal or no amount remains, a share alone fits better.
  const shares = some.map(({ paidCents, feesCents }) => feesCents / paidCents);
  return { basisPoints: Math.round(median(shares) * 10_000), feeCents: 0 };
}

/** A sample of at most `fittedSalesMax`, evenly spread by price. */
function spreadOut(points: readonly FeePoint[]): readonly FeePoint[] {
  if (points.length <= fittedSalesMax) return points;
  const sorted = [...points].sort((a, b) => a.paidCents - b.paidCents);
  const step = (sorted.length - 1) / (fittedSalesMax - 1);
  return Array.from(
    { length: fittedSalesMax },
    (_, index) => sorted[Math.round(index * step)],
  ).filter((point) => point !== undefined);
}
