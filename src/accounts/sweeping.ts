/** Removes what has ended, by itself while a server runs, so that no table grows for ever. */

import type { AccountStore } from '../domain/account/account-store.ts';
import { StoppableWait } from '../domain/kernel/stoppable-wait.ts';
import { type Clock, hourMs } from '../domain/kernel/time.ts';
import { StoreBusyError } from '../domain/store.ts';

/** Rows of each kind in one go, and the pause after it: requests are answered in between. */
const sliceRows = 100;
const pauseMs = 50;

/** How long it waits when nothing is left, or when it failed. */
const restMs = hourMs;

/** Where failures are logged. */
interface FailureLog {
  failure(event: string, error: unknown): void;
}

/** Starts to sweep; the returned function ends it after the slice at hand. */
export function startSweeping(
  accounts: Pick<AccountStore, 'sweep'>,
  deps: { readonly clock: Clock; readonly log: FailureLog },
): () => Promise<void> {
  const rest = new StoppableWait();
  /** Sweeps a little; how long to wait then. */
  const sweep = async () => {
    try {
      return (await accounts.sweep(deps.clock(), sliceRows)) > 0 ? pauseMs : restMs;
    } catch (error) {
      // Somebody is writing: that goes first.
      if (error instanceof StoreBusyError) return pauseMs;
      deps.log.failure('sweeping', error);
      return restMs;
    }
  };
  const run = async () => {
    while (!rest.isStopped) await rest.wait(await sweep());
  };
  const running = run();
  return async () => {
    rest.stop();
    await running;
  };
}
