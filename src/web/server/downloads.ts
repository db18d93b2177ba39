/** Files that are made while they are sent: each holds its slot until it has gone. */
import { Slots } from '../../http/slots.ts';

/** One for each account. As many as there are take a few rows of memory each. */
const limits = { each: 1, all: 16, waitingEach: 0, waitingAll: 0, patienceMs: 0 };

/** Makes what lets downloads begin. */
export class Downloads {
  private readonly slots = new Slots(limits);

  /** The pieces, for whoever has a slot for them; null when the account has a download already. */
  async begin(
    name: string,
    pieces: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<string> | null> {
    const leave = await this.slots.admit(name);
    return leave && held(pieces, leave, signal);
  }
}

/** Gives the slot back once, when all pieces are gone or nobody waits for them any longer. */
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
  // A download that was never begun is not told that it ended.
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
