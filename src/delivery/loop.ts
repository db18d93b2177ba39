/**
 * The work of the process that sends: several loops under one lease, so that on any number of nodes
 * one process is at work. What one does is taken up by the next when it dies: nothing is kept in
 * memory alone.
 */
import { Lease, type LeaseStore } from '../domain/kernel/lease.ts';
import type { Clock } from '../domain/kernel/time.ts';
import { secondMs } from '../domain/kernel/time.ts';

/** A process that died is taken over after this time. */
const leaseMs = 4 * secondMs;

/** How often it is asked whether a lease that another process has is free. */
const standbyMs = 500;

/** How often it is looked whether there is something to do. */
const restMs = 250;

/** After something failed, it is tried again this much later. */
const failureRestMs = 2 * secondMs;

/** Some work; whether there is more to do at once. */
export type Step = () => Promise<boolean>;

/** What the loops work with. */
export interface LoopDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Names this process, and whoever is started in its place. */
  readonly holder: string;
  /** Each has a loop of its own. */
  readonly steps: readonly Step[];
  /** Ends what is under way, before another process may take over. */
  finish(): Promise<void>;
  onFailure(error: unknown): void;
}

/** Loops that run until they are stopped. */
export interface RunningLoops {
  /** Ends the rest of a step: there is something to do. */
  wake(step: Step): void;
  /** Ends the loops after the steps at hand, and lets another process have the lease. */
  stop(): Promise<void>;
}

/** Starts the loops. */
export function startLoops(deps: LoopDeps): RunningLoops {
  const { store, clock, holder, steps, finish, onFailure } = deps;
  const lease = new Lease(store, clock, { name: 'delivery', holder, leaseMs });
  const rests = new Map(steps.map((step) => [step, new Rest()]));
  let isStopped = false;
  const turn = async (step: Step): Promise<number> => {
    try {
      if (!(await lease.isHeld())) return standbyMs;
      return (await step()) ? 0 : restMs;
    } catch (error) {
      onFailure(error);
      return failureRestMs;
    }
  };
  const loops = [...rests].map(async ([step, rest]) => {
    while (!isStopped) await rest.wait(await turn(step));
  });
  return {
    wake: (step) => rests.get(step)?.end(),
    stop: async () => {
      isStopped = true;
      for (const rest of rests.values()) rest.end();
      await Promise.all(loops);
      await finish();
      await lease.release();
    },
  };
}

/** A rest that can be ended early, also one that is about to begin. */
class Rest {
  #isEnded = false;
  #end = () => {};

  async wait(ms: number): Promise<void> {
    if (!this.#isEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isEnded = false;
  }

  end(): void {
    this.#isEnded = true;
    this.#end();
  }
}
