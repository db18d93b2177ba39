/** Where things are sold, and how prices there differ. */
import type { Channel } from '../domain/market/source-rows.ts';

/** A channel to sell in: how common it is, and how its prices differ (logarithm). */
export interface ChannelRow {
  readonly channel: Channel;
  readonly source: string;
  readonly weight: number;
  readonly log: number;
  /** How often the buyer pays for shipping on top. */
  readonly shippingChance: number;
}

const fixed = { channel: 'fixed', source: 'plaza', log: 0, shippingChance: 0.5 } as const;
const auction = { channel: 'auction', source: 'plaza', log: -0.12, shippingChance: 0.7 } as const;
const fans = { channel: 'bricklink', source: 'fanmarket', log: -0.05, shippingChance: 0 } as const;
const shop = { channel: 'amazon', source: 'retailer_a', log: 0.08, shippingChance: 0 } as const;

/** Where sets are sold. */
export const setChannels: readonly ChannelRow[] = [
  { ...fixed, weight: 44 },
  { ...auction, weight: 11 },
  { ...fans, weight: 30 },
  { ...shop, weight: 15 },
];

/** Where minifigs are sold. */
export const minifigChannels: readonly ChannelRow[] = [
  { ...fixed, weight: 30 },
  { ...auction, weight: 8 },
  { ...fans, weight: 62 },
];
