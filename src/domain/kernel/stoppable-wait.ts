/** Waiting between rounds of work in the background, which can be told to end. */
export class StoppableWait {
  #isStopped = false;
  #wake = () => {};

  /** Whether the work is to end. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Waits for so long, or until it is stopped; not at all once it is. */
  wait(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the wait at hand, and all that would follow. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }
}
