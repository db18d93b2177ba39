/**
 * Processes beside a server for what takes long: pages, and the answers of large accounts. Neither
 * can hold up the API's own process. Each is started when it is first needed, listens on a socket
 * in a folder that only our own user can enter, and ends with the server.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config, HelperKind } from '../config.ts';
import { formatInstant } from '../domain/kernel/time.ts';
import { withTimeout } from '../domain/kernel/timeout.ts';
import type { SocketProcess } from '../http/socket-call.ts';
import { removeAbandoned } from '../store/sqlite/files.ts';
import { type Child, startChild, thisProgram } from './child-process.ts';
import { lowerPriority } from './process-streams.ts';

/** After a process that could not start, the next one is started this much later. */
const restartMs = 1_000;

/** How long anybody waits for one to start; it goes on starting. */
const startMsMax = 5_000;

/** How long a process may take to end. */
const endMs = 8_000;

/** Callers come first: pages have what processor time is left, by the system's own measure. */
const priorities: Readonly<Record<HelperKind, number>> = { pages: 10, answers: 0 };

const folderPrefix = 'brickmark-serve-';

/** The processes beside one server. */
export class HelperProcesses {
  readonly pages: SocketProcess;
  readonly answers: SocketProcess;
  private readonly all: readonly HelperProcess[];
  private folder: string | null = null;

  constructor(config: Config, say: (text: string) => void) {
    const helper = (kind: HelperKind) =>
      new HelperProcess({ kind, config, say, newSocket: (name) => join(this.sockets(), name) });
    const pages = helper('pages');
    const answers = helper('answers');
    this.pages = pages;
    this.answers = answers;
    this.all = [pages, answers];
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
      const child = startChild([...thisProgram(), 'serve'], environmentOf(config, kind, socket));
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
    if (!this.isEnding) say(`The process for ${kind} ended; the next request starts it again.`);
    this.forget();
  }

  /** The next request starts it anew. */
  private forget(): void {
    this.listening = null;
  }
}

/** Addresses with passwords go this way: what is typed can be read by everybody on the machine. */
function environmentOf(
  { dataFolder, databaseUrl, clock, clockShiftMs }: Config,
  kind: HelperKind,
  socket: string,
): Record<string, string | undefined> {
  return {
    ...process.env,
    BRICKMARK_DATA: resolve(dataFolder),
    BRICKMARK_DATABASE_URL: databaseUrl ?? '',
    BRICKMARK_HELPER: `${kind} ${socket}`,
    BRICKMARK_WORKER: '',
    ...(clockShiftMs !== 0 && { BRICKMARK_NOW: formatInstant(clock()) }),
  };
}
