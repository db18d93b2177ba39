/**
 * Work that the loop has to do itself and that takes it some milliseconds: one at a time, and
 * never more than a share of the time, so that everything else goes on in between.
 */

/** The loop rests from such work for this many times as long as it took. */
const restFactor = 2;

/** Does work in turn. */
export class Paced {
  private last: Promise<unknown> = Promise.resolve();

  /** Does the work when its turn has come. */
  run<T>(work: () => T): Promise<T> {
    const done = this.last.then(() => {
      const start = performance.now();
      const value = work();
      return { value, ms: performance.now() - start };
    });
    this.last = done.then(
      ({ ms }) => Bun.sleep(ms * restFactor),
      // What failed took no time worth resting for.
      () => {},
    );
    return done.then(({ value }) => value);
  }
}
