/**
 * Work that the loop has to do itself and that takes it some milliseconds: one at a time, with
 * turns for everything else in between. Where nobody else waits, those pass at once.
 */

/** Turns of the loop after each work; in each, all who are waiting are attended to. */
const turnsBetween = 3;

/** Does work in turn. */
export class Paced {
  private last: Promise<unknown> = Promise.resolve();

  /** Does the work when its turn has come. */
  run<T>(work: () => T): Promise<T> {
    const done = this.last.then(work);
    this.last = done.then(letOthers, letOthers);
    return done;
  }
}

async function letOthers(): Promise<void> {
  for (let turn = 0; turn < turnsBetween; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
