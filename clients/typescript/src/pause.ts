/** Pauses and timeouts that can be aborted. */

/** Rejects with the reason of the signal. */
type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

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

/** Sources of time and randomness. */
export interface Surroundings {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: Sleep;
}

/** Those of the platform; tests use others. */
export const platform: Surroundings = { now: Date.now, random: Math.random, sleep };

/** A signal that aborts with any of several others, or on a timeout. */
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

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was aborted by the timeout, not by the caller. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Restarts the timeout. */
  within(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, ms);
  }

  /** Suspends the timeout. */
  withoutLimit(): void {
    clearTimeout(this.#timer);
  }

  /** Releases the timer and the listeners. */
  clear(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#abort);
  }
}
