/** The groups of endpoints in the OpenAPI documents and the reference. */

export const tags = {
  Catalog: 'Sets, minifigures and themes, with market values and monthly history.',
  Retail: 'Current prices at the two retailers, and their latest changes.',
  Brickfolio: 'Your collections and holdings, and their value over time.',
  Watchlists: 'Your watchlists, with target prices and notes.',
  Sales: 'Your recorded sales, with fees and profit.',
  Buying: 'Max buy prices, deals, box bids, fees and exchange rates.',
  Evidence: 'The evidence behind market values.',
  Events: 'Market events, page by page or as a stream.',
  Webhooks: 'Your webhooks with their state and secrets, and notices about your account.',
  Bulk: 'All published data as daily files, and the changes since.',
  Usage: 'The calls your key has used.',
} as const;

export type TagName = keyof typeof tags;
