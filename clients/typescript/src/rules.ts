/** Limits and rules of both APIs. Made from the contract by `npm run docs`. */

/** Unique sets and minifigures in one call, together. */
export const batchItemsMax = 100;

/** When to try again after an error, by its status; otherwise never. */
export const retryRules: Readonly<Record<number, 'after' | 'backoff'>> = {
  429: 'after',
  500: 'backoff',
};
