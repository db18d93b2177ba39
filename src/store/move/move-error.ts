/** Why a move was not made; the message says what to do. */
export class MoveError extends Error {}
