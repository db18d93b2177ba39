/** The limits of the contract, and those that protect it. */

/** The version of the contract in responses. */
export const apiVersion = '1';

export const apiPrefix = '/api/v1';

/** The prefix of the Plus API, which is not part of the contract. */
export const plusPrefix = '/api/plus/v1';

/** Daily calls of a key, unless the operator sets another allowance. */
export const allowanceDefault = 1000;

/** Calls per second of a key to the Plus API, unless the operator sets another rate. */
export const plusRateDefault = 50;

export const pageSizeDefault = 50;
export const pageSizeMax = 250;

/** Changed documents per response. */
export const changesMax = 1000;

/** Unique sets and minifigs per batch, together. */
export const batchItemsMax = 100;

/** Changes of a set in a batch of retail histories. */
export const batchChangesMax = 50;
export const batchChangesDefault = 10;

/** Units of an item of a box, and an amount in dollars, in requests. */
export const itemUnitsMax = 10_000;
export const amountMax = 10_000_000;

/** The body of a batch or a box, in bytes. */
export const bodyBytesMax = 64 * 1024;

/** Elements of a list in a batch, including repeated ones: more do not fit in the body. */
export const batchListMax = bodyBytesMax / '"1",'.length;

/** The same for a box. */
export const boxListMax = Math.floor(bodyBytesMax / '{"set":"1"},'.length);

/** Path and query of a request, in characters. */
export const urlLengthMax = 8 * 1024;

/** Request line and headers together, in bytes. Beyond that, the HTTP server returns 431. */
export const headerBytesMax = 32 * 1024;

/** How long a call or page waits for the store before it returns 500, also in the queue. */
export const storeMsMax = 10_000;

/** A set or minifig number, an ASIN or a barcode. */
export const identifierLengthMax = 64;

/** A search term: up to the maximum length of a name. */
export const searchLengthMin = 2;
export const searchLengthMax = 500;
export const searchTermExpected =
  `${searchLengthMin} to ${searchLengthMax} characters besides spaces, ` +
  'without control characters';

/** Elements of a comma-separated list in a query. */
export const listMembersMax = 100;

/** Active keys per account, and key places, each with a counter per UTC day. */
export const activeKeysMax = 5;

/** Keys kept per account: the latest ones, and all active ones. */
export const keysListedMax = 100;

/** Collections per account, and lots in all of them, including sold-out ones. */
export const brickfoliosMax = 200;
export const lotsMax = 100_000;

export const salesMax = 100_000;

/** Sessions per account; one more ends the oldest. */
export const sessionsMax = 50;

/** Open event streams of a process: per key, and in total. */
export const keyStreamsMax = 10;
export const streamsMax = 2_000;

/** Positions are at most this, because larger numbers lose precision in JSON. */
export const idMax = Number.MAX_SAFE_INTEGER;
