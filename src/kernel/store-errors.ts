/** Store errors that callers handle. */

/** Another process is writing, and this one does not wait for it. Nothing was written. */
export class StoreBusyError extends Error {}

/** The files of the store were deleted or replaced; the message says what to do. */
export class StoreLostError extends Error {}
