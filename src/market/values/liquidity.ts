/** How liquid an item is: the units that were sold in 90 days, and those that are for sale. */
import type { Evidence } from '../evidence/evidence.ts';
import { type Channel, type Condition, channels } from '../source-rows/source-rows.ts';
import { listingsIn } from './listings.ts';

/** A channel in which the units for sale are known. */
export interface ChannelLiquidity {
  readonly channel: Channel;
  readonly sold: number;
  readonly stock: number;
}

export interface Liquidity {
  /** In 90 days, in all channels. */
  readonly sold: number;
  readonly perMonth: number;
  /** Distinct ones, as far as sources name them; null if none does. */
  readonly sellers: number | null;
  readonly channels: readonly ChannelLiquidity[];
  /** Of all these channels together, in percent; null if not known, or of too few units. */
  readonly sellThrough: number | null;
}

const monthsSeen = 3;

/** One sale with nothing for sale would be 100 percent. */
const unitsMin = 5;

/** Null if there is no value in this condition. */
export function liquidityOf(
  evidence: Pick<Evidence, Condition | 'listings'>,
  condition: Condition,
  at: number,
): Liquidity | null {
  const sold = evidence[condition]?.sold90;
  if (!sold) return null;
  const listings = evidence.listings?.[condition] ?? [];
  const known = channels.flatMap((channel): ChannelLiquidity[] => {
    const stock = listingsIn(listings, channel, at)?.units;
    return stock === undefined ? [] : [{ channel, sold: sold.channels[channel] ?? 0, stock }];
  });
  const total = (of: 'sold' | 'stock') => known.reduce((sum, channel) => sum + channel[of], 0);
  const counted = { sold: total('sold'), stock: total('stock') };
  const all = Object.values(sold.channels).reduce((sum, units) => sum + units, 0);
  return {
    sold: all,
    perMonth: Math.round((10 * all) / monthsSeen) / 10,
    sellers: sold.sellers,
    channels: known,
    sellThrough: counted.sold + counted.stock < unitsMin ? null : sellThroughOf(counted),
  };
}

/** In percent with one decimal; null if there was nothing to sell. */
export function sellThroughOf({
  sold,
  stock,
}: Pick<ChannelLiquidity, 'sold' | 'stock'>): number | null {
  return sold + stock === 0 ? null : Math.round((1_000 * sold) / (sold + stock)) / 10;
}
