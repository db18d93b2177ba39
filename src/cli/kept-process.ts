/** A process of this program that is started again whenever it ends unasked. */
import { type Child, startChild } from './child-process.ts';
import { CommandError } from './command.ts';

/** What is kept running. */
export interface KeptPlan {
  /** For messages, such as `Worker 2`. */
  readonly name: string;
  /** Its command line. */
  readonly command: readonly string[];
  environment(): Record<string, string | undefined>;
  say(text: string): void;
  /** How long it may take to end; left out: as long as it takes. */
  readonly endMs?: number;
  /** It is started again no later than this; left out: as late as others. */
  readonly restartMsMax?: number;
  /** Done to each process once it has started, by its id. */
  onStart?(pid: number): void;
}

/** One that failed is started again after this time, then twice as long, up to a limit. */
const restartMs = { first: 500, most: 30_000 };

/** One that ran for so long had started well: the next wait is short again. */
const healthyMs = 60_000;

/** A process that is kept running, and reports once it is ready. */
export class KeptProcess<R> {
  private isEnding = false;
  private running: Child<R> | null = null;
  private waitMs = restartMs.first;

  constructor(private readonly plan: KeptPlan) {}

  /** Starts it; resolves once it is ready. */
  async start(): Promise<R> {
    const startedAt = performance.now();
    const child = startChild<R>(this.plan.command, this.plan.environment());
    this.running = child;
    this.plan.onStart?.(child.pid);
    const ready = await child.ready.catch(() => {
      throw new CommandError(`${this.plan.name} could not start.`);
    });
    child.exited.then(() => {
      if (!this.isEnding) return this.startAgain(performance.now() - startedAt);
    });
    return ready;
  }

  /** Starts it, and goes on trying when it cannot. */
  keep(): void {
    this.start().catch(() => {
      if (!this.isEnding) return this.startAgain(0);
    });
  }

  /** Ends it, and starts it no more. */
  async stop(): Promise<void> {
    this.isEnding = true;
    const { running } = this;
    if (!running) return;
    running.kill('SIGTERM');
    const { endMs } = this.plan;
    const late = endMs === undefined ? null : setTimeout(() => running.kill('SIGKILL'), endMs);
    await running.exited;
    if (late !== null) clearTimeout(late);
  }

  private async startAgain(ranMs: number): Promise<void> {
    if (ranMs > healthyMs) this.waitMs = restartMs.first;
    this.plan.say(`${this.plan.name} ended. Restarting in ${this.waitMs} ms.`);
    await Bun.sleep(this.waitMs);
    const { restartMsMax = restartMs.most } = this.plan;
    this.waitMs = Math.min(this.waitMs * 2, restartMsMax);
    if (!this.isEnding) this.keep();
  }
}
