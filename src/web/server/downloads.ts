/** Limits downloads that are generated while they are sent. */
import { Slots } from '../../http/slots.ts';

/** One at a time for each account; each needs little memory. */
const limits = { each: 1, all: 16, waitingEach: 0, waitingAll: 0, patienceMs: 0 };

export class Downloads {
  private readonly slots = new Slots(limits);

  /** The pieces, which hold a slot until they end; null if no slot is free. */
  async begin(
    name: string,
    pieces: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<string> | null> {
    const leave = await this.slots.admit(name);
    return leave && held(pieces, leave, signal);
  }
}

/** Frees the slot once, when all pieces are sent, one fails, or the client disconnects. */
function held(
  pieces: AsyncIterable<string>,
  leave: () => void,
  signal: AbortSignal,
): AsyncIterable<string> {
  const iterator = pieces[Symbol.asyncIterator]();
  let isHeld = true;
  const end = () => {
    if (isHeld) leave();
    isHeld = false;
  };
  // An aborted signal fires no further event.
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const next = async () => {
    try {
      const piece = await iterator.next();
      if (piece.done) end();
      return piece;
    } catch (error) {
      end();
      throw error;
    }
  };
  const giveUp = async () => {
    end();
    return (await iterator.return?.()) ?? { done: true as const, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: giveUp }) };
}
