/** Waiting, and giving up: pauses and time limits that a caller's signal ends at once. */

/** Resolves after some time, or rejects with the reason of the signal. */
type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** Waits on the clock of the platform. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Where a client gets its time and its randomness from. */
export interface Surroundings {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: Sleep;
}

/** Those of the platform; tests have others. */
export const platform: Surroundings = { now: Date.now, random: Math.random, sleep };

/** A signal of our own that ends with any of some others, or when nothing happens for too long. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #abort: (this: AbortSignal) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLate = false;

  constructor(signals: readonly (AbortSignal | undefined)[]) {
    const controller = this.#controller;
    this.#signals = signals.filter((signal) => signal !== undefined);
    this.#abort = function () {
      controller.abort(this.reason);
    };
    for (const signal of this.#signals) {
      if (signal.aborted) controller.abort(signal.reason);
      else signal.addEventListener('abort', this.#abort);
    }
  }

  /** What to give to whatever is to end in time. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was the time that ended it, and not the caller. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Ends after so long, unless it is called again before. */
  within(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, ms);
  }

  /** Ends with the others only, until the next time limit. */
  withoutLimit(): void {
    clearTimeout(this.#timer);
  }

  /** Ends nothing any more, and keeps nothing alive. */
  clear(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#abort);
  }
}
