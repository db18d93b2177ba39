/**
 * Helper processes of a server for slow work: pages, large accounts, and learning at the start of a
 * month. The first starts with the server, so that the first page is fast, the second when first
 * needed. Both listen on sockets in a folder that only this user can enter, and end with the
 * server. Learning needs much memory, so its process ends when done.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, HelperKind } from '../../config.ts';
import { minuteMs, secondMs } from '../../domain/kernel/time.ts';
import { withTimeout } from '../../domain/kernel/timeout.ts';
import type { HelperHealth } from '../../http/metrics.ts';
import type { SocketProcess } from '../../http/process-socket.ts';
import { removeAbandoned } from '../../store/sqlite/files.ts';
import { type Context, type HelperWork, withStore } from '../command.ts';
import { type Child, ended, startChild, thisProgram } from './child-process.ts';
import { startBeating } from './heartbeat.ts';
import { environmentOf } from './helper-settings.ts';
import { lowerPriority } from './this-process.ts';

/** Delay before the next attempt after a failed start. */
const restartMs = 1_000;

/** How long a request waits for a process to start; generous, for busy machines. */
const startMsMax = 45_000;

/** How long a process may warm up before it takes requests. */
const warmMsMax = 30 * secondMs;

/** After this, a stopping process is killed. */
const endMs = 8_000;

/** Nice values: API calls have priority over pages. */
const priorities: Readonly<Record<HelperKind, number>> = { pages: 10, answers: 0 };

const learningPriority = 10;

const learningPauseMs = 200;

/** Delay before the next attempt, from the start of the failed one. */
const learnAgainMs = minuteMs;

const folderPrefix = 'brickmark-serve-';

export class HelperProcesses {
  readonly pages: HelperProcess;
  readonly answers: HelperProcess;
  private readonly all: readonly HelperProcess[];
  private folder: string | null = null;

  constructor(
    private readonly config: Config,
    private readonly reporting: Reporting,
  ) {
    const newSocket = (name: string) => join(this.sockets(), name);
    const helper = (kind: HelperKind) =>
      new HelperProcess({ ...reporting, kind, config, newSocket });
    this.pages = helper('pages');
    this.answers = helper('answers');
    this.all = [this.pages, this.answers];
  }

  /** Learns in a child process. `pause` is called repeatedly; if it throws, the child is killed. */
  async learn(pause: () => Promise<void>): Promise<void> {
    const helper = 'learning';
    const environment = environmentOf(this.config, { helper, task: helper });
    const watch = { helper, ...this.reporting } as const;
    const child = startChild([...thisProgram(), 'serve'], environment, watch);
    lowerPriority(child.pid, learningPriority);
    const startedAt = performance.now();
    let status: unknown = null;
    const exited = child.exited.then((code) => {
      status = code;
    });
    const isWaiting = () =>
      status === null || (status !== 0 && performance.now() < startedAt + learnAgainMs);
    try {
      while (isWaiting()) {
        await Promise.race(
          status === null ? [exited, Bun.sleep(learningPauseMs)] : [Bun.sleep(learningPauseMs)],
        );
        await pause();
      }
    } catch (error) {
      child.kill('SIGKILL');
      await exited;
      throw error;
    }
    if (status !== 0) throw new Error(`The process that learns ended with status ${status}.`);
  }

  /** Replaces running processes by new ones, which read fees and postage again. */
  async reload(): Promise<void> {
    await Promise.all(this.all.map((helper) => helper.replace()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((helper) => helper.stop()));
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }

  private sockets(): string {
    // Cleaners of the temporary folder may have deleted it.
    if (this.folder && existsSync(this.folder)) return this.folder;
    removeAbandoned(tmpdir(), folderPrefix);
    this.folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
    return this.folder;
  }
}

/** Where helpers are reported: to the operator, and in metrics. */
interface Reporting {
  readonly say: (text: string) => void;
  readonly health: HelperHealth;
}

interface HelperPlan extends Reporting {
  readonly kind: HelperKind;
  readonly config: Config;
  newSocket(name: string): string;
}

class HelperProcess implements SocketProcess {
  private child: Child<unknown> | null = null;
  private listening: Promise<string> | null = null;
  private isEnding = false;
  /** Whether a new process starts at once, not with the next request. */
  private isReplaced = false;
  private starts = 0;

  constructor(private readonly plan: HelperPlan) {}

  socket(): Promise<string> {
    if (this.isEnding) return Promise.reject(new Error('The server is ending.'));
    this.listening ??= this.start({ isRestarted: this.plan.config.isRestarted || this.starts > 0 });
    return withTimeout(this.listening, startMsMax, () => new Error('It did not start in time.'));
  }

  giveUp(): void {
    this.child?.giveUp();
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    const { child } = this;
    if (!child) return;
    child.release();
    await ended(child, endMs);
  }

  /** The old one answers until the new one is ready, and finishes its requests. */
  async replace(): Promise<void> {
    const { child } = this;
    if (!child || this.isEnding) return;
    const started = this.start({ isRestarted: false });
    await started.then(
      () => {
        this.listening = started;
      },
      () => this.forget(),
    );
    child.release();
    ended(child, endMs);
  }

  /** One that is restarted takes requests before it is warm: they are waiting. */
  private async start({ isRestarted }: { readonly isRestarted: boolean }): Promise<string> {
    const { kind, config, newSocket, say, health } = this.plan;
    const onStill = () => {
      this.isReplaced = true;
    };
    try {
      const socket = newSocket(`${kind}-${this.starts++}`);
      const child = startChild(
        [...thisProgram(), 'serve'],
        environmentOf(config, { helper: kind, task: `${kind} ${socket}`, isRestarted }),
        { helper: kind, health, say, onStill },
      );
      this.child = child;
      child.exited.then(() => rmSync(socket, { force: true }));
      await child.ready;
      child.exited.then(() => {
        // Not of one that was replaced.
        if (this.child === child) this.noteEnd();
      });
      // Only after the start, which a request waits for.
      lowerPriority(child.pid, priorities[kind]);
      return socket;
    } catch (error) {
      // Until then, requests fail with this error.
      setTimeout(() => this.forget(), restartMs).unref();
      throw error;
    }
  }

  private noteEnd(): void {
    this.child = null;
    this.forget();
    if (this.isEnding || !this.isReplaced) return;
    this.isReplaced = false;
    // If it cannot start, the next request tries again.
    this.socket().catch(() => {});
  }

  /** The next request starts a new process. */
  private forget(): void {
    this.listening = null;
  }
}

/**
 * A helper process runs until the server disconnects. It ignores signals sent to both, such as
 * Ctrl-C in a terminal: the server may still need it to finish requests.
 */
export async function serveAsHelper(context: Context): Promise<void> {
  startBeating();
  await withStore(
    context,
    async (store) => {
      ignoreSignals();
      const released = new Promise<void>((resolve) => process.once('disconnect', resolve));
      const helper = await context.startHelper(store);
      const warming = warm(helper, context);
      if (!helper.isRestarted) await Promise.race([warming, released]);
      if (process.connected) process.send?.('ready');
      await released;
      await helper.stop();
    },
    { isServing: true },
  );
}

/** A helper that cannot warm up is ready all the same, and its first answers are slow. */
async function warm(helper: HelperWork, { say }: Pick<Context, 'say'>): Promise<void> {
  const tooLate = () => new Error(`it takes longer than ${warmMsMax / secondMs} seconds`);
  await withTimeout(helper.warm(), warmMsMax, tooLate).catch((error) => {
    if (process.connected) say(`The first pages may be slow. Warming up failed: ${error.message}`);
  });
}

/** A helper process that learns and then ends, or ends at once with the server. */
export async function learnAsHelper(context: Context): Promise<void> {
  ignoreSignals();
  startBeating();
  const abandon = () => process.exit(1);
  process.once('disconnect', abandon);
  await withStore(context, (store) => context.makePublisher(store).learn(), { isServing: true });
  process.off('disconnect', abandon);
  // An open IPC channel keeps the process running.
  process.disconnect?.();
}

function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}
