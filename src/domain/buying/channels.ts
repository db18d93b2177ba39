/** Where something can be sold, and what is left of a price there: every line of the sum. */

import { fbaFees, nextFeeChange, nextPeakChange } from '../fees/fba.ts';
import { storageCents } from '../fees/fba-storage.ts';
import type { FeeTable } from '../fees/fee-table.ts';
import { saleFees } from '../fees/platform-fees.ts';
import { type Platform, platformNames, platforms } from '../fees/platforms.ts';
import { type Parcel, type PostageTable, postageOf } from '../fees/postage.ts';
import { formatDay } from '../kernel/time.ts';

/** Every way to sell: a platform, or Amazon with fulfillment. */
export const sellingPlaces = [...platforms, 'fba'] as const;
export type SellingChannel = Platform | 'fba';

/**
 * The ways to sell that are compared, in the order in which they are listed when nothing else
 * decides. Nobody can be sent to sell elsewhere.
 */
export const sellingChannels = [
  'ebay',
  'bricklink',
  'brick_owl',
  'amazon',
  'fba',
  'facebook',
  'mercari',
  'whatnot',
  'local',
] as const satisfies readonly SellingChannel[];

/** What a way to sell is called. */
export function channelName(channel: SellingChannel): string {
  return channel === 'fba' ? 'Amazon FBA' : platformNames[channel];
}

/** The tables that sums are made with. */
export interface FeeTables {
  readonly fees: FeeTable;
  readonly postage: readonly PostageTable[];
}

/** The next instant at which something else is left of the same sale, as far as tables say. */
export function nextTableChange({ fees, postage }: FeeTables, at: number): number {
  const days = [...fees.rows, ...postage].map(({ from }) => Date.parse(from));
  const ahead = days.filter((day) => day > at);
  return Math.min(...ahead, nextFeeChange(at) ?? Number.POSITIVE_INFINITY, nextPeakChange(at));
}

/** One unit that is sold. */
export interface UnitSale {
  readonly channel: SellingChannel;
  /** What the buyer pays, delivered and without tax. */
  readonly priceCents: number;
  readonly parcel: Parcel;
  readonly at: number;
  /** What sending it costs, where the seller knows; null: by the table. */
  readonly postageCents: number | null;
  /** How long Amazon is expected to keep it; null when nobody knows: then nothing is charged. */
  readonly waitDays: number | null;
}

/** What is left of a sale, line by line. */
export interface NetSum {
  readonly channel: SellingChannel;
  readonly priceCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  /** What Amazon takes for packing and sending it; 0 elsewhere. */
  readonly fulfilmentCents: number;
  /** What Amazon takes for keeping it over the wait; 0 elsewhere. */
  readonly storageCents: number;
  readonly postageCents: number;
  /** Whether the parcel had to be guessed. */
  readonly isPostageGuessed: boolean;
  readonly netCents: number;
}

/** All that others than the carrier take from a sale. */
export function feesOf(sum: NetSum): number {
  const { platformFeesCents, paymentFeesCents, fulfilmentCents, storageCents } = sum;
  return platformFeesCents + paymentFeesCents + fulfilmentCents + storageCents;
}

/** What is left of a sale; null where it cannot be told, because the box is not known. */
export function netOf(tables: FeeTables, sale: UnitSale): NetSum | null {
  return sale.channel === 'fba' ? fulfilledNet(sale) : ownNet(tables, sale, sale.channel);
}

/** Amazon keeps and sends it: the box decides what that costs. */
function fulfilledNet({ priceCents, parcel, at, waitDays }: UnitSale): NetSum | null {
  const fees = fbaFees(priceCents, parcel.box, at);
  const kept = storageCents(parcel.box, { at, days: waitDays ?? 0 });
  if (fees === null || kept === null) return null;
  const fulfilmentCents = fees.fulfilmentCents + fees.peakCents;
  return {
    channel: 'fba',
    priceCents,
    platformFeesCents: fees.referralCents,
    paymentFeesCents: 0,
    fulfilmentCents,
    storageCents: kept,
    postageCents: 0,
    isPostageGuessed: false,
    netCents: priceCents - fees.referralCents - fulfilmentCents - kept,
  };
}

function ownNet(
  tables: FeeTables,
  sale: UnitSale,
  channel: Exclude<SellingChannel, 'fba'>,
): NetSum {
  const { priceCents, parcel, at } = sale;
  const day = formatDay(at);
  const isSent = channel !== 'local';
  const table = postageOf(tables.postage, parcel, day);
  const postageCents = isSent ? (sale.postageCents ?? table.cents) : 0;
  const fees = saleFees(tables.fees, {
    platform: channel,
    day,
    paidCents: priceCents,
    // Buyers are taken to pay for shipping what it costs.
    shippingCents: Math.min(postageCents, priceCents),
    quantity: 1,
    payment: null,
  });
  return {
    channel,
    priceCents,
    ...fees,
    fulfilmentCents: 0,
    storageCents: 0,
    postageCents,
    isPostageGuessed: isSent && sale.postageCents === null && table.isGuessed,
    netCents: priceCents - fees.platformFeesCents - fees.paymentFeesCents - postageCents,
  };
}
