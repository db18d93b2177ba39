/** Where something can be sold, and what is left of a price there: every line of the sum. */

import { fbaBoxFees, nextFeeChange, nextPeakChange } from '../fees/fba.ts';
import { storageCents } from '../fees/fba-storage.ts';
import type { FeeTable } from '../fees/fee-table.ts';
import { saleFees } from '../fees/platform-fees.ts';
import { type Platform, platformNames, platforms } from '../fees/platforms.ts';
import { type Parcel, type Postage, type PostageTable, postageOf } from '../fees/postage.ts';
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
  const day = formatDay(at);
  const isAhead = ({ from }: { readonly from: string }) => from > day;
  const days = [...fees.rows.filter(isAhead), ...postage.filter(isAhead)];
  return Math.min(
    ...days.map(({ from }) => Date.parse(from)),
    nextFeeChange(at) ?? Number.POSITIVE_INFINITY,
    nextPeakChange(at),
  );
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
  return new UnitSeller(tables, sale).net(sale);
}

/**
 * Sells units that are alike, on one day, at any price: what does not depend on the price is worked
 * out once.
 */
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

  /** What is left of a sale; null where the box would have to be known. */
  net(sale: Pick<UnitSale, 'channel' | 'priceCents' | 'waitDays'>): NetSum | null {
    const { channel, priceCents } = sale;
    return channel === 'fba' ? this.fulfilledNet(sale) : this.ownNet(channel, priceCents);
  }

  /** Amazon keeps and sends it: the box decides what that costs. */
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

  /** What keeping it costs; one waits as long at every price. */
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
      // Buyers are taken to pay for shipping what it costs.
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
