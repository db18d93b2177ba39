/**
 * Writes of the delivery process to the embedded store, one at a time and with pauses. SQLite has
 * one writer per file, which the server that counts calls waits for: it looks every millisecond
 * whether it is free, and without pauses would miss the short moments between two writes. Since
 * sending waits for what is written, pauses as long as the process has computed also leave half a
 * core to the server.
 */

/** The shortest is longer than the server waits before it looks again. */
const pauseMs = { min: 5, max: 100 };

export interface TurnDeps {
  /** CPU time of this process so far, in milliseconds. */
  computedMs(): number;
  sleep(ms: number): Promise<unknown>;
}

export class WriteTurns {
  #last: Promise<unknown> = Promise.resolve();
  #computedMs: number;

  constructor(private readonly deps: TurnDeps) {
    this.#computedMs = deps.computedMs();
  }

  run<T>(write: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(write);
    this.#last = turn.catch(() => {}).then(() => this.#pause());
    return turn;
  }

  #pause(): Promise<unknown> {
    const computedMs = this.deps.computedMs();
    const sinceMs = computedMs - this.#computedMs;
    this.#computedMs = computedMs;
    return this.deps.sleep(Math.min(Math.max(sinceMs, pauseMs.min), pauseMs.max));
  }
}
