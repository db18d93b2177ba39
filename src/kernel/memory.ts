/**
 * Limits the memory of long runs. By default the runtime lets garbage grow to the size of the live
 * heap, which stays large after a step that needs much memory.
 */

/** Below this, garbage is left to the runtime: collecting it stops everything else. */
const quietBytes = 400_000_000;

/** Garbage may take this much of what is held after a collection. */
const garbageShare = 1 / 8;

interface Runtime {
  readonly heldBytes: () => number;
  readonly collect: () => void;
}

export class MemoryKeeper {
  /** Held after the last collection, or less since. */
  #restBytes = 0;

  constructor(private readonly runtime: Runtime) {}

  /** To be called between the steps of a long run. */
  check(): void {
    const held = this.runtime.heldBytes();
    this.#restBytes = Math.min(this.#restBytes, held);
    if (held < Math.max(quietBytes, this.#restBytes * (1 + garbageShare))) return;
    this.runtime.collect();
    this.#restBytes = this.runtime.heldBytes();
  }
}

/** One for all runs: a process that holds much would otherwise collect at the start of each. */
export const memory: MemoryKeeper = new MemoryKeeper({
  heldBytes: () => process.memoryUsage.rss(),
  // Unlike other ways to collect garbage, this returns memory to the system.
  collect: () => Bun.gc(true),
});
