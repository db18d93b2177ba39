/**
 * Processes beside a server for what takes long: pages, the answers of large accounts, and learning
 * when a month has begun. None can hold up the API's own process. The first two are started when
 * they are first needed, listen on sockets in a folder that only our own user can enter, and end
 * with the server. Learning takes much memory, and its process ends when it is done.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config, HelperKind } from '../config.ts';
import { formatInstant, minuteMs } from '../domain/kernel/time.ts';
import { withTimeout } from '../domain/kernel/timeout.ts';
import type { SocketProcess } from '../http/socket-call.ts';
import { removeAbandoned } from '../store/sqlite/files.ts';
import { type Child, startChild, thisProgram } from './child-process.ts';
import { lowerPriority } from './process-streams.ts';

/** After a process that could not start, the next one is started this much later. */
const restartMs = 1_000;

/** How long a request waits for a process to start: even a slow or busy machine has started it. */
const startMsMax = 45_000;

/** How long a process may take to end. */
const endMs = 8_000;

/** Callers come first: pages have what processor time is left, by the system's own measure. */
const priorities: Readonly<Record<HelperKind, number>> = { pages: 10, answers: 0 };

/** Nobody is waiting for what is learned. */
const learningPriority = 10;

/** How often it is asked whether a process that learns should still go on. */
const learningPauseMs = 200;

/** After a process that failed to learn, the next one starts this long after it. */
const learnAgainMs = minuteMs;

const folderPrefix = 'brickmark-serve-';

/** The processes beside one server. */
export class HelperProcesses {
  readonly pages: SocketProcess;
  readonly answers: SocketProcess;
  private readonly all: readonly HelperProcess[];
  private folder: string | null = null;

  constructor(
    private readonly config: Config,
    say: (text: string) => void,
  ) {
    const helper = (kind: HelperKind) =>
      new HelperProcess({ kind, config, say, newSocket: (name) => join(this.sockets(), name) });
    const pages = helper('pages');
    const answers = helper('answers');
    this.pages = pages;
    this.answers = answers;
    this.all = [pages, answers];
  }

  /** Has a process learn what is due; what the pause throws ends it. */
  async learn(pause: () => Promise<void>): Promise<void> {
    const environment = environmentOf(this.config, 'learning');
    const child = startChild([...thisProgram(), 'serve'], environment);
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

  async stop(): Promise<void> {
    await Promise.all(this.all.map((helper) => helper.stop()));
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }

  private sockets(): string {
    // Somebody may have tidied up meanwhile.
    if (this.folder && existsSync(this.folder)) return this.folder;
    removeAbandoned(tmpdir(), folderPrefix);
    this.folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
    return this.folder;
  }
}

interface HelperPlan {
  readonly kind: HelperKind;
  readonly config: Config;
  say(text: string): void;
  /** The path of a socket with this name. */
  newSocket(name: string): string;
}

class HelperProcess implements SocketProcess {
  private child: Child<unknown> | null = null;
  private listening: Promise<string> | null = null;
  private isEnding = false;
  private starts = 0;

  constructor(private readonly plan: HelperPlan) {}

  socket(): Promise<string> {
    if (this.isEnding) return Promise.reject(new Error('The server is ending.'));
    this.listening ??= this.start();
    return withTimeout(this.listening, startMsMax, () => new Error('It did not start in time.'));
  }

  giveUp(): void {
    this.child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    const { child } = this;
    if (!child) return;
    child.release();
    const late = setTimeout(() => child.kill('SIGKILL'), endMs);
    await child.exited;
    clearTimeout(late);
  }

  private async start(): Promise<string> {
    const { kind, config, newSocket } = this.plan;
    try {
      const socket = newSocket(`${kind}-${this.starts++}`);
      const child = startChild(
        [...thisProgram(), 'serve'],
        environmentOf(config, `${kind} ${socket}`),
      );
      this.child = child;
      await child.ready;
      child.exited.then(() => this.noteEnd());
      // Not before: somebody waits for it to start.
      lowerPriority(child.pid, priorities[kind]);
      return socket;
    } catch (error) {
      // Until then, whoever asks gets this failure.
      setTimeout(() => this.forget(), restartMs).unref();
      throw error;
    }
  }

  private noteEnd(): void {
    const { kind, say } = this.plan;
    this.child = null;
    if (!this.isEnding) say(`The process for ${kind} ended. The next request restarts it.`);
    this.forget();
  }

  /** The next request starts it anew. */
  private forget(): void {
    this.listening = null;
  }
}

/** Addresses with passwords go this way: what is typed can be read by everybody on the machine. */
export function environmentOf(
  { dataFolder, databaseUrl, secretFile, clock, clockShiftMs }: Config,
  task: string,
): Record<string, string | undefined> {
  return {
    ...process.env,
    BRICKMARK_DATA: resolve(dataFolder),
    BRICKMARK_DATABASE_URL: databaseUrl ?? '',
    BRICKMARK_SECRET_FILE: secretFile ?? '',
    BRICKMARK_HELPER: task,
    BRICKMARK_WORKER: '',
    ...(clockShiftMs !== 0 && { BRICKMARK_NOW: formatInstant(clock()) }),
  };
}
