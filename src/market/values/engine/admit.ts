/**
 * Converts sales to comparable prices: one complete unit including shipping, in US dollars. Every
 * sale is admitted, possibly with a lower weight, or rejected with a reason.
 */

import { dayMs } from '../../../kernel/time.ts';
import type { Channel, Condition, StoredSale } from '../../source-rows/source-rows.ts';
import { EarlierRowsNeeded } from '../checkpoint.ts';

export const rejections = [
  'retracted',
  'incomplete',
  'duplicate',
  'no_exchange_rate',
  'no_price',
] as const;
export type Rejection = (typeof rejections)[number];

export function isRejection(reason: string): reason is Rejection {
  return rejections.some((rejection) => rejection === reason);
}

/** Why a sale has a lower weight; the first reason that applies. */
export type Caution =
  | 'shipping_not_believed'
  | 'foreign_currency'
  | 'wholesale_lot'
  | 'damaged_box'
  | 'box_or_instructions_missing'
  | 'completeness_unknown'
  | 'same_seller_again';

export interface Row {
  readonly sale: StoredSale;
  readonly at: number;
  /** Without a name, the sales of a source on one day count as one seller's. */
  readonly seller: string;
  /** The source, if it does not name the seller. */
  readonly source: string | null;
  readonly condition: Condition;
  readonly channel: Channel | 'unknown';
  /** Of a wholesale lot, no more than of an ordinary one. */
  readonly units: number;
  /** Log of the unit price in US cents, before the channel offset. */
  readonly log: number;
  /** Variance relative to an ordinary sale in the market's currency. */
  readonly noise: number;
  readonly caution: Caution | null;
  readonly rejection: Rejection | null;
}

/** The state kept of a row after it was processed. */
export type RowMark = Pick<Row, 'at' | 'seller' | 'source' | 'condition' | 'channel' | 'units'>;

/** Shipping above both this share of the price and this amount is ignored. */
const shippingShareMax = 0.25;
const shippingUsdMax = 25;

/** The unit price falls by 3% of the log quantity, up to five units; above, it is wholesale. */
const bulkDiscountLog = 0.03;
const bulkQuantityMax = 5;

/** A sale of several units is more informative than one unit, but less than separate sales. */
const lotUnitsMax = 4;
const wholesaleNoise = 2;

/** Price levels differ by country. */
const foreignNoise = 2;

/** In the same order. */
export function admitSales(sales: readonly StoredSale[]): Row[] {
  return sales.map(admit);
}

function admit(sale: StoredSale): Row {
  const { condition, soldAt: at } = sale;
  const channel = sale.channel ?? 'unknown';
  const state = stateOf(sale);
  const shipping = fairShipping(sale);
  const unitCents = ((sale.priceCents + shipping) / sale.quantity) * sale.usdPerUnit;
  const bulk = Math.log(Math.min(sale.quantity, bulkQuantityMax)) * bulkDiscountLog;
  const isWholesale = sale.quantity > bulkQuantityMax;
  const isAbused = shipping !== sale.shippingCents;
  const lotNoise = isWholesale
    ? wholesaleNoise
    : 1 / Math.sqrt(Math.min(sale.quantity, lotUnitsMax));
  const noise = (state?.noise ?? 1) * lotNoise * (isAbused ? 2 : 1);
  let caution = state?.caution ?? null;
  if (isAbused) caution = 'shipping_not_believed';
  else if (isWholesale) caution = 'wholesale_lot';
  return {
    sale,
    at,
    seller: sale.seller ?? `${sale.source} ${Math.floor(at / dayMs)}`,
    source: sale.seller === null ? sale.source : null,
    condition,
    channel,
    units: Math.min(sale.quantity, bulkQuantityMax),
    log: Math.log(Math.max(1, unitCents)) + bulk + (state?.log ?? 0),
    noise,
    caution,
    rejection: state === null ? 'incomplete' : priceRejection(sale, unitCents),
  };
}

/** The noise and the caution of a sale, given the currency of most sales. */
export function weighIn(
  { noise, caution, sale }: Row,
  mainCurrency: string,
): Pick<Row, 'noise' | 'caution'> {
  if (sale.currency === 'USD' || sale.currency === mainCurrency) return { noise, caution };
  const isAbused = caution === 'shipping_not_believed';
  return { noise: noise * foreignNoise, caution: isAbused ? caution : 'foreign_currency' };
}

function priceRejection(sale: StoredSale, unitCents: number): Rejection | null {
  if (!(sale.usdPerUnit > 0)) return 'no_exchange_rate';
  return unitCents >= 1 && Number.isFinite(unitCents) ? null : 'no_price';
}

function fairShipping(sale: StoredSale): number {
  const shareMax = sale.priceCents * shippingShareMax;
  const amountMax = (shippingUsdMax * 100) / sale.usdPerUnit;
  return sale.shippingCents > Math.max(shareMax, amountMax) ? 0 : sale.shippingCents;
}

/** Whether the row was known before an instant; always if null. */
export function wasLearned({ sale }: Row, knownBefore: number | null): boolean {
  return knownBefore === null || sale.ingestedAt < knownBefore;
}

/** Whether the row was retracted before an instant, or at all if null. */
export function wasTakenBack({ sale }: Row, knownBefore: number | null): boolean {
  const { retractedAt } = sale;
  return retractedAt !== null && (knownBefore === null || retractedAt < knownBefore);
}

/** The rows before a checkpoint, as far as they matter here. */
interface Earlier {
  readonly learnedUntil: number;
  readonly firstSaleAt: Readonly<Record<Condition, number | null>>;
}

/** The first sale in a condition that is not rejected, of what was known before an instant. */
export function firstSaleIn(
  rows: readonly Row[],
  condition: Condition,
  { start, knownBefore }: { readonly start: Earlier | null; readonly knownBefore: number | null },
): number | null {
  if (start && knownBefore !== null && start.learnedUntil >= knownBefore) {
    throw new EarlierRowsNeeded();
  }
  const earlier = start?.firstSaleAt[condition] ?? null;
  if (earlier !== null) return earlier;
  const counts = rows.find(
    (row) =>
      row.condition === condition &&
      row.rejection === null &&
      wasLearned(row, knownBefore) &&
      !wasTakenBack(row, knownBefore),
  );
  return counts?.at ?? null;
}

/** When the latest row or retraction arrived; 0 without rows. */
export function latestLearned(rows: readonly Row[], start: Earlier | null): number {
  let latest = start?.learnedUntil ?? 0;
  for (const { sale } of rows) {
    latest = Math.max(latest, sale.ingestedAt, sale.retractedAt ?? 0);
  }
  return latest;
}

/** The log is added to that of the price, to compare with a complete unit. */
type State = Pick<Row, 'log' | 'noise' | 'caution'>;

const complete: State = { log: 0, noise: 1, caution: null };
const damagedBox: State = { log: 0.1, noise: 2, caution: 'damaged_box' };
const partlyComplete: State = { log: 0.05, noise: 1.5, caution: 'box_or_instructions_missing' };
const opened: State = { log: 0, noise: 2, caution: 'box_or_instructions_missing' };
const unstated: State = { log: 0, noise: 2, caution: 'completeness_unknown' };

/** Null if the unit cannot be compared with a complete one. */
function stateOf({ completeness, condition }: StoredSale): State | null {
  switch (completeness) {
    case 'incomplete':
      return null;
    case 'damaged_box':
      return condition === 'sealed' ? damagedBox : complete;
    case 'no_box':
    case 'no_instructions':
      return condition === 'sealed' ? opened : partlyComplete;
    case 'unknown':
    case null:
      return condition === 'used' ? unstated : complete;
    case 'complete':
      return complete;
  }
}
