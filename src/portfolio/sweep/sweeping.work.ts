/** Removes expired rows while a server runs. */

import type { FailureLog } from '../../kernel/rounds.ts';
import { StoppableWait } from '../../kernel/stoppable-wait.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { type Clock, hourMs } from '../../kernel/time.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';

/** Rows of each kind per transaction, and the pause after it, in which requests are answered. */
const sliceRows = 100;
const pauseMs = 50;

/** Pause when nothing is left, or after a failure. */
const restMs = hourMs;

/** Returns a function that stops it after the current slice. */
export function startSweeping(
  accounts: Pick<PortfolioRoomStore, 'sweep'>,
  deps: { readonly clock: Clock; readonly log: FailureLog },
): () => Promise<void> {
  const rest = new StoppableWait();
  /** Returns the time to wait. */
  const sweep = async () => {
    try {
      return (await accounts.sweep(deps.clock(), sliceRows)) > 0 ? pauseMs : restMs;
    } catch (error) {
      // Another process is writing.
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
