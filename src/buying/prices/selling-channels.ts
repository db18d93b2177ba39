/** Channels for selling, and the net proceeds of a sale in each of them, line by line. */

import { formatDay } from '../../kernel/time.ts';
import { fbaBoxFees, nextFeeChange, nextPeakChange } from '../../market/fees/fba.ts';
import { storageCents } from '../../market/fees/fba-storage.ts';
import type { FeeTable } from '../../market/fees/fee-table.ts';
import { saleFees } from '../../market/fees/platform-fees.ts';
import { type Platform, platformNames, platforms } from '../../market/fees/platforms.ts';
import {
  type Parcel,
  type Postage,
  type PostageTable,
  postageOf,
} from '../../market/fees/postage.ts';

/** All platforms, and Amazon with fulfillment (FBA). */
export const sellingChannels = [...platforms, 'fba'] as const;
export type SellingChannel = Platform | 'fba';

/** The channels that are compared, in their default order; excludes `other`. */
export const comparedChannels = [
  'ebay',
  'bricklink',
  'brick_owl',
  'amazon',
  'fba',
  'walmart',
  'facebook',
  'mercari',
  'whatnot',
  'local',
] as const satisfies readonly SellingChannel[];

export function sellingChannelName(channel: SellingChannel): string {
  return channel === 'fba' ? 'Amazon FBA' : platformNames[channel];
}

export interface FeeTables {
  readonly fees: FeeTable;
  readonly postage: readonly PostageTable[];
}

/** The next instant at which fees or postage for the same sale change. */
export function nextTableChange({ fees, postage }: FeeTables, at: number): number {
  const day = formatDay(at);
  const isAhead = ({ from }: { readonly from: string }) => from > day;
  const days = [...fees.rows.filter(isAhead), ...postage.filter(isAhead)];
  return Math.min(
    ...days.map(({ from }) => Date.parse(from)),
    nextFeeChange(at) ?? Number.POSITIVE_INFINITY,
    nextPeakChange(at),
  );
}

export interface UnitSale {
  readonly channel: SellingChannel;
  /** The buyer's price, including delivery and without tax. */
  readonly priceCents: number;
  readonly parcel: Parcel;
  readonly at: number;
  /** The seller's actual cost of shipping; null: estimated from the postage table. */
  readonly postageCents: number | null;
  /** The expected time in storage at Amazon; null if unknown, which is not charged. */
  readonly waitDays: number | null;
}

/** The net proceeds of a sale, line by line. */
export interface NetSum {
  readonly channel: SellingChannel;
  readonly priceCents: number;
  readonly platformFeesCents: number;
  readonly paymentFeesCents: number;
  /** Amazon's fee for packing and shipping; 0 elsewhere. */
  readonly fulfilmentCents: number;
  /** Amazon's fee for storage until the sale; 0 elsewhere. */
  readonly storageCents: number;
  readonly postageCents: number;
  /** Whether the size of the parcel was estimated. */
  readonly isPostageGuessed: boolean;
  readonly netCents: number;
}

/** All fees, without postage. */
export function feesOf(sum: NetSum): number {
  const { platformFeesCents, paymentFeesCents, fulfilmentCents, storageCents } = sum;
  return platformFeesCents + paymentFeesCents + fulfilmentCents + storageCents;
}

/** Null if the channel needs the size of the box and it is unknown. */
export function netOf(tables: FeeTables, sale: UnitSale): NetSum | null {
  return new UnitSeller(tables, sale).net(sale);
}

/** Proceeds of identical units on one day. Sums that the price does not change are made once. */
export class UnitSeller {
  private readonly day: string;
  private postage: Postage | null = null;
  private boxFees: ReturnType<typeof fbaBoxFees> | undefined;
  private kept: { readonly days: number; readonly cents: number | null } | null = null;

  constructor(
    private readonly tables: FeeTables,
    private readonly unit: Pick<UnitSale, 'parcel' | 'at' | 'postageCents'>,
  ) {
    this.day = formatDay(unit.at);
  }

  /** Null if the channel needs the size of the box and it is unknown. */
  net(sale: Pick<UnitSale, 'channel' | 'priceCents' | 'waitDays'>): NetSum | null {
    const { channel, priceCents } = sale;
    return channel === 'fba' ? this.fulfilledNet(sale) : this.ownNet(channel, priceCents);
  }

  /** FBA: fees depend on the box. */
  private fulfilledNet({
    priceCents,
    waitDays,
  }: Pick<UnitSale, 'priceCents' | 'waitDays'>): NetSum | null {
    const { parcel, at } = this.unit;
    if (this.boxFees === undefined) this.boxFees = fbaBoxFees(parcel.box, at);
    const kept = this.keep(waitDays ?? 0);
    if (this.boxFees === null || kept === null) return null;
    const fees = this.boxFees(priceCents);
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

  /** Cached, because the wait is the same at every price. */
  private keep(days: number): number | null {
    if (this.kept?.days !== days) {
      const { parcel, at } = this.unit;
      this.kept = { days, cents: storageCents(parcel.box, { at, days }) };
    }
    return this.kept.cents;
  }

  private ownNet(channel: Exclude<SellingChannel, 'fba'>, priceCents: number): NetSum {
    const { tables, unit, day } = this;
    this.postage ??= postageOf(tables.postage, unit.parcel, day);
    const isSent = channel !== 'local';
    const postageCents = isSent ? (unit.postageCents ?? this.postage.cents) : 0;
    const { platformFeesCents, paymentFeesCents } = saleFees(tables.fees, {
      platform: channel,
      day,
      paidCents: priceCents,
      // Assumes that buyers pay the actual cost of shipping.
      shippingCents: Math.min(postageCents, priceCents),
      quantity: 1,
      payment: null,
    });
    return {
      channel,
      priceCents,
      platformFeesCents,
      paymentFeesCents,
      fulfilmentCents: 0,
      storageCents: 0,
      postageCents,
      isPostageGuessed: isSent && unit.postageCents === null && this.postage.isGuessed,
      netCents: priceCents - platformFeesCents - paymentFeesCents - postageCents,
    };
  }
}
