/** The work of helper processes, until the server that started them ends it. */
import type { HelperKind } from '../../config.ts';
import { secondMs } from '../../kernel/time.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { makeBulkFiles } from '../../publish/bulk/bulk-maker.work.ts';
import { type Context, type HelperWork, withServedStore } from '../command.ts';
import { syncAsHelper, withImportingStore } from '../sync/sync.ts';
import type { InTurn } from '../sync/sync-work.ts';
import { startBeating } from './heartbeat.ts';
import { helperTable } from './helper-table.ts';
import type { Job, JobDone } from './helpers.ts';
import { makePhotoAsHelper } from './photo-process.ts';
import { finishMessage, lowerPriority } from './this-process.ts';

/** How long a process may warm up before it takes requests. */
const warmMsMax = 30 * secondMs;

/** `task` is what the server told it; it lowers its priority when that delays no request. */
type Work = (context: Context, task: string, lower: () => void) => Promise<void>;

const works: Readonly<Record<HelperKind, Work>> = {
  pages: answerRequests,
  answers: answerRequests,
  delivery: deliver,
  upkeep: keepUp,
};

/** By BRICKMARK_HELPER. */
export async function runHelper(
  { kind, task }: NonNullable<Context['config']['helper']>,
  context: Context,
): Promise<void> {
  if (kind === 'photo') return makePhotoAsHelper(context);
  startBeating();
  await works[kind](context, task, () => lowerPriority(0, helperTable[kind].niceness));
  // An open IPC channel keeps the process running.
  if (process.connected) process.disconnect?.();
}

/**
 * Runs until the server disconnects, or asks it to finish. Ignores signals sent to both, such as
 * Ctrl-C in a terminal: the server may still need it to finish requests.
 */
async function answerRequests(context: Context, socket: string, lower: () => void): Promise<void> {
  const released = untilReleased();
  await withServedStore(context, async (store) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
    const helper = await context.startHelper(store);
    const warming = warm(helper, context);
    if (!helper.isRestarted) await Promise.race([warming, released]);
    report(socket);
    lower();
    await released;
    await helper.stop();
  });
}

function untilReleased(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve());
    process.on('message', (message) => {
      if (message === finishMessage) resolve();
    });
    if (!process.connected) resolve();
  });
}

function report(message: string | JobDone): void {
  if (process.connected) process.send?.(message);
}

/** A helper that cannot warm up is ready all the same, and its first answers are slow. */
async function warm(helper: HelperWork, { say }: Pick<Context, 'say'>): Promise<void> {
  const tooLate = () => new Error(`it takes longer than ${warmMsMax / secondMs} seconds`);
  await withTimeout(helper.warm(), warmMsMax, tooLate).catch((error) => {
    if (process.connected) say(`The first pages may be slow. Warming up failed: ${error.message}`);
  });
}

async function deliver(context: Context, _: string, lower: () => void): Promise<void> {
  lower();
  // Before the store is opened, or the end of the server could be missed.
  const shutdown = untilShutdown(context);
  await withServedStore(context, async (store) => {
    const stop = context.startDelivery(store);
    report('ready');
    await shutdown;
    await stop();
  });
}

function untilShutdown(context: Context): Promise<void> {
  // The server restarts this process to reload.
  process.on('SIGHUP', () => {});
  return context.untilShutdown();
}

/** Syncs if its task says so, and does what the server asks for. */
async function keepUp(context: Context, task: string, lower: () => void): Promise<void> {
  lower();
  const { clock } = context.config;
  // One at a time takes much memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: InTurn = (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  let running = 0;
  await withImportingStore(context, async (store) => {
    const jobs: Readonly<Record<Job, () => Promise<void>>> = {
      learn: () => inTurn(() => context.makePublisher(store).learn()),
      bulk: () => makeBulkFiles(store.market, clock),
    };
    const run = async (job: Job) => {
      running++;
      const problem = await jobs[job]().then(() => null, problemOf);
      running--;
      report({ job, problem });
    };
    process.on('message', (job) => {
      if (job !== finishMessage) run(job as Job);
    });
    // Not earlier: while the store is being opened, SIGTERM ends the process at once.
    const shutdown = untilShutdown(context);
    const syncing = task === 'sync' ? syncAsHelper(context, store, inTurn) : null;
    report('ready');
    await syncing;
    await shutdown;
    // What was learned or made is lost, and the next process begins again.
    if (running > 0) process.exit();
  });
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
