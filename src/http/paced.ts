/**
 * Runs work that blocks the event loop for milliseconds, one at a time, with turns of the loop in
 * between, which pass at once if nothing else waits.
 */
import { yieldToEventLoop } from '../kernel/event-loop.ts';

/** Turns of the event loop after each work. */
const turnsBetween = 3;

export class Paced {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => T): Promise<T> {
    const done = this.last.then(work);
    this.last = done.then(letOthers, letOthers);
    return done;
  }
}

async function letOthers(): Promise<void> {
  for (let turn = 0; turn < turnsBetween; turn++) await yieldToEventLoop();
}
