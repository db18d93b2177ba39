/**
 * The fees that were charged, held against the price lists of the day, and the rate that explains
 * them. What was charged comes from orders; what Brickmark worked out itself says nothing.
 */
import type { FeeTable } from '../fees/fee-table.ts';
import { saleFees } from '../fees/platform-fees.ts';
import type { Platform } from '../fees/platforms.ts';
import { median } from '../kernel/median.ts';
import type { OwnRate } from './buying-settings.ts';

/** A sale with what was charged for it. */
export interface ChargedLedgerSale {
  readonly id: number;
  readonly setNumber: string;
  readonly platform: Platform;
  readonly saleDate: string;
  readonly quantity: number;
  readonly grossCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  readonly shippingCents: number;
}

/** A sale, what was charged for it, and what the price list says of the same fees. */
export interface AuditedSale {
  readonly sale: ChargedLedgerSale;
  readonly chargedCents: number;
  readonly listedCents: number;
}

/** The sales on one platform. */
export interface PlatformAudit {
  readonly platform: Platform;
  readonly sales: number;
  readonly grossCents: number;
  readonly chargedCents: number;
  readonly listedCents: number;
  /** Whether payment fees are missing in some orders, though the price list has some. */
  readonly lacksPayment: boolean;
  /** The rate that was paid; null where there are too few sales to tell. */
  readonly rate: OwnRate | null;
}

/** An account's fees. */
export interface FeeAudit {
  /** Those with the most sales first. */
  readonly platforms: readonly PlatformAudit[];
  /** The sales whose fees differ most, the largest difference first. */
  readonly most: readonly AuditedSale[];
}

/** Sales that are shown one by one. */
const mostShown = 10;

/** With fewer sales a rate would be chance. */
export const fittedSalesMin = 5;

/** Sales that a rate is fitted to: every pair of them is looked at. */
const fittedSalesMax = 200;

/** Holds what was charged against price lists. */
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

/** What was charged, and what was not told, which the price list stands in for. */
interface Charged {
  readonly chargedCents: number;
  readonly listedCents: number;
  readonly untoldCents: number;
}

/** Fees of the payment count where the order has them: many marketplaces do not tell. */
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
  const isTold = sale.paymentFeesCents > 0;
  return {
    chargedCents: sale.platformFeesCents + sale.paymentFeesCents,
    listedCents: listed.platformFeesCents + (isTold ? listed.paymentFeesCents : 0),
    untoldCents: isTold ? 0 : listed.paymentFeesCents,
  };
}

function auditPlatform(
  platform: Platform,
  audited: readonly (AuditedSale & Charged)[],
): PlatformAudit {
  const add = (pick: (each: AuditedSale & Charged) => number) =>
    audited.reduce((sum, each) => sum + pick(each), 0);
  const fees = audited.map(({ sale, chargedCents, untoldCents }) => {
    return { paidCents: sale.grossCents, feesCents: chargedCents + untoldCents };
  });
  const fitted = fitRate(fees.filter(({ paidCents }) => paidCents > 0));
  return {
    platform,
    sales: audited.length,
    grossCents: add(({ sale }) => sale.grossCents),
    chargedCents: add((each) => each.chargedCents),
    listedCents: add((each) => each.listedCents),
    lacksPayment: audited.some(({ untoldCents }) => untoldCents > 0),
    rate: fitted && { platform, ...fitted },
  };
}

/** What was paid, and all fees of it. */
interface FeePoint {
  readonly paidCents: number;
  readonly feesCents: number;
}

/**
 * A share and an amount per order: the share is the median over all pairs of sales, so that a few
 * odd ones (a refund, an advertisement) change nothing; the amount is the median of what is left.
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
  // Where prices are all alike, or no amount is left, a share alone tells it better.
  const shares = some.map(({ paidCents, feesCents }) => feesCents / paidCents);
  return { basisPoints: Math.round(median(shares) * 10_000), feeCents: 0 };
}

/** At most so many of them, from the smallest price to the largest. */
function spreadOut(points: readonly FeePoint[]): readonly FeePoint[] {
  if (points.length <= fittedSalesMax) return points;
  const sorted = [...points].sort((a, b) => a.paidCents - b.paidCents);
  const step = (sorted.length - 1) / (fittedSalesMax - 1);
  return Array.from(
    { length: fittedSalesMax },
    (_, index) => sorted[Math.round(index * step)],
  ).filter((point) => point !== undefined);
}
