/** A child process that is restarted whenever it ends unexpectedly. */

import { CommandError } from '../command.ts';
import { type Child, type ChildWatch, ended, startChild } from './child-process.ts';
import { restarted } from './helper-settings.ts';

interface KeptPlan {
  /** For messages, such as `Worker 2`. */
  readonly name: string;
  readonly command: readonly string[];
  environment(): Record<string, string | undefined>;
  say(text: string): void;
  /** A stopping process is killed after this; default: never. */
  readonly endMs?: number;
  /** Maximum delay before a restart. */
  readonly restartMsMax?: number;
  onStart?(pid: number): void;
  /** Replaces it if it stands still; default: never. */
  readonly watch?: ChildWatch;
}

/** A process that reads its files again when it starts. */
export interface ReloadableProcess {
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** The delay before a restart doubles each time. */
const restartMs = { first: 500, most: 30_000 };

/** A process that ran this long resets the delay. */
const healthyMs = 60_000;

/** `R` is what the child reports once it is ready. */
export class KeptProcess<R> {
  private isEnding = false;
  private isStopped = false;
  /** Null before the first start, and between two. */
  private running: Child<R> | null = null;
  private waitMs = restartMs.first;
  private hasStarted = false;

  constructor(private readonly plan: KeptPlan) {}

  /** Resolves once it is ready. */
  async start(): Promise<R> {
    const startedAt = performance.now();
    const { command, environment, watch } = this.plan;
    const child = startChild<R>(
      command,
      { ...environment(), ...(this.hasStarted && restarted) },
      watch,
    );
    this.running = child;
    this.plan.onStart?.(child.pid);
    const ready = await child.ready.catch(() => {
      throw new CommandError(`${this.plan.name} could not start.`);
    });
    this.hasStarted = true;
    child.exited.then(() => this.noteEnd(child, performance.now() - startedAt));
    return ready;
  }

  /** Starts it in the background, and retries if that fails. */
  keep(): void {
    const starting = this.start();
    const child = this.running;
    starting.catch(() => this.noteEnd(child, 0));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.end();
  }

  /** Does nothing if it is not running: it then starts anew anyway, or is not wanted yet. */
  async restart(): Promise<void> {
    if (!this.running || this.isEnding) return;
    await this.end();
    if (this.isStopped) return;
    this.isEnding = false;
    this.keep();
  }

  send(message: string): void {
    this.running?.send(message);
  }

  private async end(): Promise<void> {
    this.isEnding = true;
    const { running } = this;
    if (!running) return;
    running.kill('SIGTERM');
    const { endMs } = this.plan;
    await (endMs === undefined ? running.exited : ended(running, endMs));
    this.running = null;
  }

  /** Ignores one that was stopped or replaced. */
  private noteEnd(child: Child<R> | null, ranMs: number): void {
    if (!this.isEnding && this.running === child) this.startAgain(ranMs);
  }

  private async startAgain(ranMs: number): Promise<void> {
    this.running = null;
    if (ranMs > healthyMs) this.waitMs = restartMs.first;
    this.plan.say(`${this.plan.name} ended. Restarting in ${this.waitMs} ms.`);
    await Bun.sleep(this.waitMs);
    const { restartMsMax = restartMs.most } = this.plan;
    this.waitMs = Math.min(this.waitMs * 2, restartMsMax);
    if (!this.isEnding) this.keep();
  }
}
