/**
 * Keeps the memory of a long run low. Left to itself, the runtime lets garbage grow to as much
 * again as is in use, which after a step that needs much is a lot for all steps to come.
 */

/** Garbage is collected whenever a process has grown by this much since the last time. */
const growthBytes = 48 * 2 ** 20;

/** What is measured, and what is done about it. */
interface Runtime {
  readonly heldBytes: () => number;
  readonly collect: () => void;
}

const thisRuntime: Runtime = {
  heldBytes: () => process.memoryUsage.rss(),
  collect: () => Bun.gc(true),
};

/** Looks after the memory of this process. */
export class MemoryKeeper {
  readonly #quietBytes: number;
  readonly #runtime: Runtime;
  #collectedBytes: number;
  #hasCollected = false;

  /** Up to `quietBytes` the process may hold what it likes: collecting takes time, too. */
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

  /** To be called when a run is over: where it needed much, that is given back. */
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
