/** Every limit that the contract states or that protects it. Nothing in the API is unbounded. */

/** The version of the contract, as it appears on the wire. */
export const apiVersion = '1';

/** The path prefix of every endpoint of the contract. */
export const apiPrefix = '/api/v1';

/** The path prefix of what Brickmark answers beside the contract. */
export const plusPrefix = '/api/plus/v1';

/** Daily calls of a key, unless the operator gives another allowance. */
export const allowanceDefault = 1000;

/** The page sizes of every list. */
export const pageSizeDefault = 50;
export const pageSizeMax = 250;

/** Documents that have changed, in one answer. */
export const changesMax = 1000;

/** Unique sets and minifigs in one batch, together. */
export const batchItemsMax = 100;

/** Units that a caller sends for one item of a box, and an amount that one sends, in dollars. */
export const itemUnitsMax = 10_000;
export const amountMax = 10_000_000;

/** The body of a batch or a box, in bytes. */
export const bodyBytesMax = 64 * 1024;

/** Members of a list in a batch, repeated ones and all: more do not fit into the body. */
export const batchListMax = bodyBytesMax / '"1",'.length;

/** The same of a box. */
export const boxListMax = Math.floor(bodyBytesMax / '{"set":"1"},'.length);

/** The path and query of a request, in characters. */
export const urlLengthMax = 8 * 1024;

/** The request line and all headers together, in bytes. Beyond it the HTTP server answers 431. */
export const headerBytesMax = 32 * 1024;

/**
 * How long a call or a page waits for a store that does not answer, before it is answered with 500.
 * A call that has to wait for its turn and is then told nothing has both inside this time.
 */
export const storeMsMax = 5_000;

/** A set or minifig number, an ASIN or a barcode. */
export const identifierLengthMax = 64;

/** The search term: up to the longest name that an item may have. */
export const searchLengthMin = 2;
export const searchLengthMax = 500;
export const searchTermExpected =
  `${searchLengthMin} to ${searchLengthMax} characters besides spaces, ` +
  'without control characters';

/** Members of a comma-separated list in a query. */
export const listMembersMax = 100;

/** Active keys of an account, and its places for them, each with one counter a UTC day. */
export const activeKeysMax = 5;

/** Keys of an account that are kept: the last so many, and all that are active. */
export const keysListedMax = 100;

/** What an account holds: collections, and lots in all of them, also those that are sold out. */
export const brickfoliosMax = 200;
export const lotsMax = 100_000;

/** Recorded sales of an account. */
export const salesMax = 100_000;

/** Sessions of an account; with one more, the oldest ends. */
export const sessionsMax = 50;

/** Streams of events that a process has open: of one key, and in all. */
export const keyStreamsMax = 10;
export const streamsMax = 2_000;

/** A position on the wire; larger numbers would not survive JSON. */
export const idMax = Number.MAX_SAFE_INTEGER;
