/** The reason why an import cannot be undone. */

/** Thrown inside the transaction to roll it back; the message is a sentence for the user. */
export class UndoError extends Error {}
