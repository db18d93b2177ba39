/** The areas that the endpoints are grouped by in documents and references. */

/** Every area, with what is in it. */
export const tags = {
  Catalog: 'Sets, minifigures and themes, with computed market values and their monthly history.',
  Retail: 'What the two retailers ask, now and lately.',
  Brickfolio: "The key holder's own collections and holdings, and how their value develops.",
  Sales: "The key holder's recorded sales, with fees and profit.",
  Buying: 'Max buy prices, deals, and what a box of sets and minifigures is worth.',
  Evidence: 'What computed values are based on.',
  Events: 'What happened in the market, page by page or as a stream.',
  Bulk: 'Everything that is published, as files, and what has changed since.',
  Usage: 'What a key has used of its allowance.',
} as const;

/** The name of an area. */
export type TagName = keyof typeof tags;
