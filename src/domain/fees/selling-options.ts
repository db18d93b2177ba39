/** What is left of a price on each platform, by the presets of the day: where to sell something. */

import type { Box } from '../catalog/catalog.ts';
import { formatDay } from '../kernel/time.ts';
import { netFbaCents } from './fba.ts';
import { presetFees } from './platform-fees.ts';
import { type Platform, platformNames, platforms } from './platforms.ts';

/** One unit to be sold. */
export interface UnitForSale {
  readonly priceCents: number;
  /** What sending it costs the seller. */
  readonly shippingCents: number;
  readonly box: Box;
  readonly at: number;
}

/** One option to sell it. */
export interface SellingOption {
  readonly platform: Platform;
  readonly name: string;
  /** Of the platform, of the payment, and for fulfilment where there is some. */
  readonly feesCents: number | null;
  readonly shippingCents: number;
  /** Null when unknown, because the size of the box is not known. */
  readonly netCents: number | null;
}

/** All options, the one that leaves most first; unknown ones come last. */
export function sellingOptions(unit: UnitForSale): SellingOption[] {
  const day = formatDay(unit.at);
  const options = platforms
    .filter((platform) => platform !== 'other')
    .map((platform) => optionOf(platform, unit, day));
  return [...options, fulfilledOption(unit)].sort(
    (a, b) => (b.netCents ?? Number.NEGATIVE_INFINITY) - (a.netCents ?? Number.NEGATIVE_INFINITY),
  );
}

function optionOf(platform: Platform, unit: UnitForSale, day: string): SellingOption {
  const { platformFeesCents, paymentFeesCents } = presetFees(platform, unit.priceCents, day);
  const feesCents = platformFeesCents + paymentFeesCents;
  // What is handed over is not sent.
  const shippingCents = platform === 'local' ? 0 : unit.shippingCents;
  const netCents = unit.priceCents - feesCents - shippingCents;
  return { platform, name: platformNames[platform], feesCents, shippingCents, netCents };
}

/** Amazon keeps and sends it: the box decides what that costs. */
function fulfilledOption({ priceCents, box, at }: UnitForSale): SellingOption {
  const netCents = netFbaCents(priceCents, box, at);
  const feesCents = netCents === null ? null : priceCents - netCents;
  const name = 'Amazon, fulfilled by Amazon';
  return { platform: 'amazon', name, feesCents, shippingCents: 0, netCents };
}
