/** `serve --workers`: processes that share a port. One that ends unasked is started again. */
import { type Child, startChild } from './child-process.ts';
import { CommandError, type RunningServer, type ServerAddress } from './command.ts';

/** What a worker reports to the process that started it, once it listens. */
export interface WorkerReady {
  readonly url: string;
  readonly metricsUrl: string | null;
  readonly hasUpkeep: boolean;
}

/** How workers are started. */
export interface WorkerPlan {
  /** The command line of a worker. */
  readonly command: readonly string[];
  readonly count: number;
  /** The environment of the worker with this number. */
  environment(worker: number): Record<string, string | undefined>;
  say(text: string): void;
}

/** A worker that failed is started again after this time, then twice as long, up to a limit. */
const restartMs = { first: 500, most: 30_000 };

/** A worker that ran for so long had started well: the next wait is short again. */
const healthyMs = 60_000;

/** Where the metrics of a worker are: each has a port of its own, counted up from the first. */
export function workerAddress(address: ServerAddress, worker: number): ServerAddress {
  const { metrics } = address;
  if (metrics === null || metrics.port === 0) return address;
  return { ...address, metrics: { ...metrics, port: metrics.port + worker } };
}

/** Starts workers and resolves once all of them listen. */
export async function startWorkers(plan: WorkerPlan): Promise<RunningServer> {
  const workers = Array.from({ length: plan.count }, (_, number) => new Worker(plan, number));
  try {
    const [first] = await Promise.all(workers.map((worker) => worker.start()));
    if (!first) throw new Error('There is no worker.');
    return { ...first, stop: () => stopAll(workers) };
  } catch (error) {
    await stopAll(workers);
    throw error;
  }
}

async function stopAll(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.stop()));
}

class Worker {
  private isEnding = false;
  private running: Child<WorkerReady> | null = null;
  private waitMs = restartMs.first;

  constructor(
    private readonly plan: WorkerPlan,
    private readonly number: number,
  ) {}

  async start(): Promise<WorkerReady> {
    const startedAt = performance.now();
    const child = startChild<WorkerReady>(this.plan.command, this.plan.environment(this.number));
    this.running = child;
    const ready = await child.ready.catch(() => {
      throw new CommandError(`Worker ${this.number} could not start.`);
    });
    child.exited.then(() => {
      if (!this.isEnding) return this.startAgain(performance.now() - startedAt);
    });
    return ready;
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    this.running?.kill('SIGTERM');
    await this.running?.exited;
  }

  private async startAgain(ranMs: number): Promise<void> {
    if (ranMs > healthyMs) this.waitMs = restartMs.first;
    this.plan.say(`Worker ${this.number} ended; it is started again in ${this.waitMs} ms.`);
    await Bun.sleep(this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, restartMs.most);
    if (this.isEnding) return;
    await this.start().catch(() => {
      if (!this.isEnding) return this.startAgain(0);
    });
  }
}
