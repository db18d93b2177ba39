/** `serve --workers`: processes that share a port. One that ends unasked is started again. */
import type { RunningServer, ServerAddress } from './command.ts';
import { KeptProcess } from './kept-process.ts';

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

/** Where the metrics of a worker are: each has a port of its own, counted up from the first. */
export function workerAddress(address: ServerAddress, worker: number): ServerAddress {
  const { metrics } = address;
  if (metrics === null || metrics.port === 0) return address;
  return { ...address, metrics: { ...metrics, port: metrics.port + worker } };
}

type Worker = KeptProcess<WorkerReady>;

/** Starts workers and resolves once all of them listen. */
export async function startWorkers(plan: WorkerPlan): Promise<RunningServer> {
  const workers = Array.from({ length: plan.count }, (_, number) => makeWorker(plan, number));
  try {
    const [first] = await Promise.all(workers.map((worker) => worker.start()));
    if (!first) throw new Error('There is no worker.');
    return { ...first, stop: () => stopAll(workers) };
  } catch (error) {
    await stopAll(workers);
    throw error;
  }
}

function makeWorker({ command, say, environment }: WorkerPlan, number: number): Worker {
  const name = `Worker ${number}`;
  return new KeptProcess({ name, command, say, environment: () => environment(number) });
}

async function stopAll(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.stop()));
}
