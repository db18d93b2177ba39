/** Units that are for sale in a channel. */
import { dayMs } from '../../kernel/time.ts';
import type { Channel, Condition } from '../source-rows/source-rows.ts';

export interface Listings {
  readonly channel: Channel;
  readonly observedAt: number;
  readonly units: number;
  /** In US cents; null if unknown. */
  readonly lowestCents: number | null;
}

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
