/** Sales channels and their price differences. */
import type { Channel } from '../../src/market/source-rows/source-rows.ts';

/** With its frequency and log offset of prices. */
export interface SaleChannelRow {
  readonly channel: Channel;
  readonly source: string;
  readonly weight: number;
  readonly log: number;
  /** Chance that the buyer pays shipping separately. */
  readonly shippingChance: number;
}

const fixed = { channel: 'fixed', source: 'plaza', log: 0, shippingChance: 0.5 } as const;
const auction = { channel: 'auction', source: 'plaza', log: -0.12, shippingChance: 0.7 } as const;
const fans = { channel: 'bricklink', source: 'fanmarket', log: -0.05, shippingChance: 0 } as const;
const shop = { channel: 'amazon', source: 'retailer_a', log: 0.08, shippingChance: 0 } as const;

export const channelsOfSets: readonly SaleChannelRow[] = [
  { ...fixed, weight: 44 },
  { ...auction, weight: 11 },
  { ...fans, weight: 30 },
  { ...shop, weight: 15 },
];

export const channelsOfMinifigs: readonly SaleChannelRow[] = [
  { ...fixed, weight: 30 },
  { ...auction, weight: 8 },
  { ...fans, weight: 62 },
];
