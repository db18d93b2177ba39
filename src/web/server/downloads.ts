/**
 * Limits downloads that are generated while they are sent. A download that is read too slowly is
 * aborted, which frees its slot.
 */

import { pools } from '../../http/pools.ts';
import { Slots, type Taker } from '../../http/slots.ts';
import { secondMs } from '../../kernel/time.ts';

const checkMs = 1_000;

interface DownloadLimits {
  readonly bytesPerSecond: number;
  readonly afterMs: number;
  readonly creditMs: number;
  readonly checkMs: number;
}

/** The browser reads too slowly. Its connection is closed, so that the file is not complete. */
class TooSlowError extends Error {}

export class Downloads {
  private readonly slots = new Slots(pools.downloads);

  constructor(
    private readonly limits: DownloadLimits = { ...pools.downloads.least, checkMs },
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /** Sends the pieces, which hold a slot until they end; null if no slot is free. */
  async begin(
    taker: Taker,
    pieces: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array> | null> {
    const leave = await this.slots.admit(taker);
    return leave && this.send(pieces, leave, signal);
  }

  /** Pieces are generated as fast as the browser reads them, and not after it disconnects. */
  private send(
    pieces: AsyncIterable<string>,
    leave: () => void,
    signal: AbortSignal,
  ): ReadableStream<Uint8Array> {
    const iterator = pieces[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    const { limits, elapsed } = this;
    let checkedAt = elapsed();
    /** How long the browser may pause until it is too slow. */
    let aheadMs = limits.afterMs;
    let isHeld = true;
    // Frees the slot once: when all pieces are sent, one fails, or the browser leaves.
    const end = () => {
      if (isHeld) leave();
      isHeld = false;
      clearInterval(timer);
    };
    const credit = (bytes: number) => {
      const earnedMs = (bytes / limits.bytesPerSecond) * secondMs;
      aheadMs = Math.min(aheadMs + earnedMs, limits.creditMs);
    };
    const isTooSlow = () => {
      const at = elapsed();
      aheadMs -= at - checkedAt;
      checkedAt = at;
      return aheadMs < 0;
    };
    let cutOff = () => {};
    const timer = setInterval(() => isTooSlow() && cutOff(), limits.checkMs);
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        cutOff = () => {
          end();
          controller.error(new TooSlowError('The download was read too slowly.'));
          // Not awaited: the generator may be waiting for the store.
          iterator.return?.().catch(() => {});
        };
      },
      pull: async (controller) => {
        try {
          const { value, done } = await iterator.next();
          if (!isHeld) return;
          if (done) {
            end();
            return controller.close();
          }
          const bytes = encoder.encode(value);
          credit(bytes.length);
          controller.enqueue(bytes);
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel: async () => {
        end();
        await iterator.return?.();
      },
    });
    // An aborted signal fires no further event.
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return stream;
  }
}
