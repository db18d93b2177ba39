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
  readonly #runtime: Runtime;
  #collectedBytes: number;
  #hasCollected = false;

  constructor(runtime: Runtime = thisRuntime) {
    this.#runtime = runtime;
    this.#collectedBytes = runtime.heldBytes();
  }

  /** To be called between the steps of a long run. */
  check(): void {
    if (this.#runtime.heldBytes() >= this.#collectedBytes + growthBytes) this.#collect();
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
