/** Files that are made while they are sent: each takes a slot until it is done. */
import { Slots } from '../../http/slots.ts';

/** One at a time for each account. Each takes little memory. */
const limits = { each: 1, all: 16, waitingEach: 0, waitingAll: 0, patienceMs: 0 };

/** Admits downloads. */
export class Downloads {
  private readonly slots = new Slots(limits);

  /** The pieces, in a slot; null if the account has a download already. */
  async begin(
    name: string,
    pieces: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<string> | null> {
    const leave = await this.slots.admit(name);
    return leave && held(pieces, leave, signal);
  }
}

/** Frees the slot once, when all pieces are sent or nobody waits for them any longer. */
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
  // A download that never started gets no abort event.
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
