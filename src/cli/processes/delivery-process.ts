/**
 * The helper process that sends webhooks and alerts, so that slow receivers do not delay responses.
 * It starts when there is something to send. After a crash it restarts with the same lease holder,
 * and so has its lease again at once.
 */

import { addressedKinds, channelTable } from '../../domain/delivery/channels.ts';
import { StoppableWait } from '../../domain/kernel/stoppable-wait.ts';
import { andList, capitalized } from '../../domain/kernel/text.ts';
import type { DeliveryQueue } from '../../store/store.ts';
import { type Context, withStore } from '../command.ts';
import { findEncrypter } from '../secret-file.ts';
import { thisProgram } from './child-process.ts';
import { startBeating } from './heartbeat.ts';
import { environmentOf } from './helper-settings.ts';
import { KeptProcess, type ReloadableProcess } from './kept-process.ts';
import { lowerPriority } from './this-process.ts';

/** A nice value: responses of the server have priority. */
const priority = 5;

/** After this, it is killed; the next process sends the rest. */
const endMs = 8_000;

const lookMs = 1_000;

const restartMsMax = 2_000;

const addressed = andList.format(addressedKinds.map((kind) => channelTable[kind].plural));

interface Served {
  /** Address of the server, for links unless BRICKMARK_BASE_URL is set. */
  readonly url: string;
  /** Checked until there is something to send; null starts the process at once. */
  readonly queue: Pick<DeliveryQueue, 'isDeliveryWanted'> | null;
}

export function startDeliveryProcess(context: Context, { url, queue }: Served): ReloadableProcess {
  const { config, say } = context;
  const { problem } = findEncrypter(config, context.randomBytes);
  if (problem !== null) say(`${capitalized(addressed)} are off: ${problem}`);
  const holder = crypto.randomUUID();
  const kept = new KeptProcess({
    name: 'The delivery process',
    command: [...thisProgram(), 'serve'],
    environment: () => ({
      ...environmentOf(config, { helper: 'delivery', task: `delivery ${holder}` }),
      BRICKMARK_BASE_URL: config.baseUrl ?? url,
    }),
    say,
    endMs,
    restartMsMax,
    onStart: (pid) => lowerPriority(pid, priority),
    watch: { helper: 'delivery', health: context.helperHealth, say },
  });
  const rest = new StoppableWait();
  const looking = keepWhenWanted(kept, queue, rest);
  return {
    reload: () => kept.restart(),
    stop: async () => {
      rest.stop();
      await looking;
      await kept.stop();
    },
  };
}

async function keepWhenWanted(
  kept: KeptProcess<unknown>,
  queue: Served['queue'],
  rest: StoppableWait,
): Promise<void> {
  // Errors of the store are retried.
  const isWanted = async () =>
    queue === null || (await queue.isDeliveryWanted().catch(() => false));
  while (!rest.isStopped) {
    if (await isWanted()) return rest.isStopped ? undefined : kept.keep();
    await rest.wait(lookMs);
  }
}

/** Runs in the helper process. */
export async function deliverAsHelper(context: Context): Promise<void> {
  startBeating();
  // Before the store is opened, or the end of the server could be missed.
  const shutdown = context.untilShutdown();
  await withStore(
    context,
    async (store) => {
      const stop = context.startDelivery(store);
      // The server restarts this process to reload.
      process.on('SIGHUP', () => {});
      process.send?.('ready');
      await shutdown;
      await stop();
      // An open IPC channel keeps the process running.
      if (process.connected) process.disconnect?.();
    },
    { isServing: true },
  );
}
