/** Why an import cannot be undone. */

/** Thrown inside the transaction, so that everything is as it was; the message is a sentence. */
export class UndoError extends Error {}
