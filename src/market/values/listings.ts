/** Units that are for sale in a channel. */
import { dayMs } from '../../kernel/time.ts';
import type { Channel, Condition, ListingCount } from '../source-rows/source-rows.ts';

/** In US cents. */
export type Listings = Pick<ListingCount, 'channel' | 'observedAt' | 'units' | 'lowestCents'>;

/** The latest count of each channel. */
export type ItemListings = Readonly<Record<Condition, readonly Listings[]>>;

/** Older counts say nothing about today. */
const validMs = 30 * dayMs;

/** Null if unknown or out of date. */
export function listingsIn(
  all: readonly Listings[],
  channel: Channel,
  at: number,
): Listings | null {
  const found = all.find((one) => one.channel === channel);
  return found && at - found.observedAt <= validMs ? found : null;
}
