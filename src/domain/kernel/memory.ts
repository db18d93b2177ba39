/**
 * Limits the memory of long runs. By default the runtime lets garbage grow to the size of the live
 * heap, which stays large after a step that needs much memory.
 */

/** Garbage is collected when the process has grown by this much. */
const growthBytes = 48 * 2 ** 20;

interface Runtime {
  readonly heldBytes: () => number;
  readonly collect: () => void;
}

const thisRuntime: Runtime = {
  heldBytes: () => process.memoryUsage.rss(),
  collect: () => Bun.gc(true),
};

export class MemoryKeeper {
  readonly #quietBytes: number;
  readonly #runtime: Runtime;
  #collectedBytes: number;
  #hasCollected = false;

  /** Below `quietBytes` nothing is collected, because that takes time. */
  constructor(quietBytes = 0, runtime: Runtime = thisRuntime) {
    this.#quietBytes = quietBytes;
    this.#runtime = runtime;
    this.#collectedBytes = runtime.heldBytes();
  }

  /** To be called between the steps of a long run. */
  check(): void {
    const tooMuch = Math.max(this.#quietBytes, this.#collectedBytes + growthBytes);
    if (this.#runtime.heldBytes() >= tooMuch) this.#collect();
  }

  /** To be called after a run; releases memory if it needed much. */
  finish(): void {
    if (this.#hasCollected) this.#collect();
    else this.check();
  }

  #collect(): void {
    this.#runtime.collect();
    this.#collectedBytes = this.#runtime.heldBytes();
    this.#hasCollected = true;
  }
}
