/** Why a store cannot be moved; the message says what to do. */
export class MoveError extends Error {}
