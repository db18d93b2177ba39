/** `serve --workers`: server processes that share a port. */

import type { RunningServer, ServerAddress } from '../command.ts';
import type { Environment } from './helper-table.ts';
import { KeptProcess } from './kept-process.ts';
import { reloadMessage } from './this-process.ts';

/** Reported by a worker once it listens. */
type WorkerReady = Pick<RunningServer, 'url' | 'metricsUrl' | 'hasUpkeep'>;

interface WorkerPlan {
  readonly command: readonly string[];
  readonly count: number;
  environment(worker: number): Environment;
  say(text: string): void;
}

/** The metrics of workers are on consecutive ports. */
export function workerAddress(address: ServerAddress, worker: number): ServerAddress {
  const { metrics } = address;
  if (metrics === null || metrics.port === 0) return address;
  return { ...address, metrics: { ...metrics, port: metrics.port + worker } };
}

type Worker = KeptProcess<WorkerReady>;

/** Resolves once all workers listen. */
export async function startWorkers(plan: WorkerPlan): Promise<RunningServer> {
  const workers = Array.from({ length: plan.count }, (_, number) => makeWorker(plan, number));
  try {
    const [first] = await Promise.all(workers.map((worker) => worker.start()));
    if (!first) throw new Error('There is no worker.');
    return {
      ...first,
      reload: async () => {
        for (const worker of workers) worker.send(reloadMessage);
      },
      stop: () => stopAll(workers),
    };
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
