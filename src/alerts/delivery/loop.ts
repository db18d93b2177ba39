/**
 * Runs the steps of the delivery process, each in its own loop, under a lease that one process on
 * all nodes holds. All progress is in the store, so the next process can take over at any time.
 */

import { Lease, type LeaseStore } from '../../kernel/lease.ts';
import type { Clock } from '../../kernel/time.ts';
import { secondMs } from '../../kernel/time.ts';
import type { StartTimer } from '../../kernel/timer.ts';

/** Another process takes over this long after the holder died. */
const leaseMs = 4 * secondMs;

/** How often to check for the lease while another process holds it. */
const standbyMs = 500;

/** How often to check for work. */
const restMs = 250;

const failureRestMs = 2 * secondMs;

/** Does some work; returns whether there is more to do at once. */
export type Step = () => Promise<boolean>;

export interface LoopDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Names this process and its successors in the lease. */
  readonly holder: string;
  readonly steps: readonly Step[];
  /** Completes pending work before another process may take over. */
  finish(): Promise<void>;
  onFailure(error: unknown): void;
  readonly startTimer: StartTimer;
}

export interface RunningLoops {
  /** Ends the pause of a step, because there is work. */
  wake(step: Step): void;
  /** Stops after the current steps, then releases the lease. */
  stop(): Promise<void>;
}

export function startLoops(deps: LoopDeps): RunningLoops {
  const { store, clock, holder, steps, finish, onFailure } = deps;
  const lease = new Lease(store, clock, { name: 'delivery', holder, leaseMs });
  const pauses = new Map(steps.map((step) => [step, new Pause(deps.startTimer)]));
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
  const loops = [...pauses].map(async ([step, pause]) => {
    while (!isStopped) await pause.wait(await turn(step));
  });
  return {
    wake: (step) => pauses.get(step)?.end(),
    stop: async () => {
      isStopped = true;
      for (const pause of pauses.values()) pause.end();
      await Promise.all(loops);
      await finish();
      await lease.release();
    },
  };
}

/** A pause that can be ended early, even just before it begins. */
class Pause {
  #isEnded = false;
  #end = () => {};

  constructor(private readonly startTimer: StartTimer) {}

  async wait(ms: number): Promise<void> {
    if (!this.#isEnded) {
      await new Promise<void>((resolve) => {
        const cancel = this.startTimer(resolve, ms);
        this.#end = () => {
          cancel();
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
