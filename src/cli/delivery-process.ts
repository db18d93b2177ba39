/**
 * A process beside `serve` that sends what accounts asked for, so that nobody who hangs or fails
 * holds up answers. It is started as soon as there is anything for it to do, and once more when it
 * dies: under the same name, so that it has its lease again at once.
 */
import type { DeliveryQueue } from '../domain/delivery/delivery-store.ts';
import { StoppableWait } from '../domain/kernel/stoppable-wait.ts';
import { findSealer } from './channel-key.ts';
import { thisProgram } from './child-process.ts';
import type { Context } from './command.ts';
import { environmentOf } from './helper-process.ts';
import { KeptProcess } from './kept-process.ts';
import { lowerPriority } from './process-streams.ts';
import { withStore } from './with-store.ts';

/** Answers come first, by the system's own measure. */
const priority = 5;

/** How long it may take to end; what it leaves is taken up by the next one. */
const endMs = 8_000;

/** Until there is something to do, it is looked so often. */
const lookMs = 1_000;

/** One that dies is started again within this time, however often it did. */
const restartMsMax = 2_000;

/** Whom it helps. */
interface Served {
  /** Where the server listens: the address in links, unless the settings have another. */
  readonly url: string;
  /** Says when the process is wanted; null: it is started at once. */
  readonly queue: Pick<DeliveryQueue, 'isDeliveryWanted'> | null;
}

/** Starts the process once it is wanted; the result ends it. */
export function startDeliveryProcess(
  context: Context,
  { url, queue }: Served,
): () => Promise<void> {
  const { config, say } = context;
  const { problem } = findSealer(config, context.randomBytes);
  if (problem !== null) say(`Webhooks, ntfy and Discord are off: ${problem}`);
  const holder = crypto.randomUUID();
  const kept = new KeptProcess({
    name: 'The delivery process',
    command: [...thisProgram(), 'serve'],
    environment: () => ({
      ...environmentOf(config, `delivery ${holder}`),
      BRICKMARK_BASE_URL: config.baseUrl ?? url,
    }),
    say,
    endMs,
    restartMsMax,
    onStart: (pid) => lowerPriority(pid, priority),
  });
  const rest = new StoppableWait();
  const looking = keepWhenWanted(kept, queue, rest);
  return async () => {
    rest.stop();
    await looking;
    await kept.stop();
  };
}

async function keepWhenWanted(
  kept: KeptProcess<unknown>,
  queue: Served['queue'],
  rest: StoppableWait,
): Promise<void> {
  // A store that does not answer now is asked again.
  const isWanted = async () =>
    queue === null || (await queue.isDeliveryWanted().catch(() => false));
  while (!rest.isStopped) {
    if (await isWanted()) return rest.isStopped ? undefined : kept.keep();
    await rest.wait(lookMs);
  }
}

/** What that process does. */
export async function deliverAsHelper(context: Context): Promise<void> {
  await withStore(
    context,
    async (store) => {
      const stop = context.startDelivery(store);
      const shutdown = context.untilShutdown();
      process.send?.('ready');
      await shutdown;
      await stop();
      // What ties it to the process that started it would keep it from ending.
      if (process.connected) process.disconnect?.();
    },
    { isServing: true },
  );
}
