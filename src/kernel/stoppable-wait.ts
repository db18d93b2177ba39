/** Pauses of background work. */
import { startTimer } from './timer.ts';

/** Pauses between rounds of background work, which can be stopped. */
export class StoppableWait {
  #isStopped = false;
  #wake = () => {};

  constructor(private readonly start = startTimer) {}

  get isStopped(): boolean {
    return this.#isStopped;
  }

  wait(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.start(resolve, ms);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Ends the current pause and all later ones. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }
}
