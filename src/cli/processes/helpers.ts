/**
 * Starts, watches, replaces and ends the helper processes of a server, by `helper-table.ts`. Those
 * for pages and answers listen on sockets in a folder that only this user can enter.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressedKinds, deliveryTable } from '../../alerts/channels/delivery-channel-kinds.ts';
import { type HelperKind, helperKinds } from '../../config.ts';
import { HelperHealth } from '../../http/metrics.ts';
import type { SocketProcess } from '../../http/process-socket.ts';
import { StoppableWait } from '../../kernel/stoppable-wait.ts';
import { andList, capitalized } from '../../kernel/text.ts';
import { minuteMs, secondMs } from '../../kernel/time.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { removeAbandoned } from '../../store/sqlite/files.ts';
import type { Context, HelperControl, Served } from '../command.ts';
import { findEncrypter } from '../secret-file.ts';
import { findConnectors, listSecretVariables } from '../sync/sync-sources.ts';
import { thisProgram } from './child-process.ts';
import { environmentOf, helperTable } from './helper-table.ts';
import { KeptProcess } from './kept-process.ts';

/** A process that is asked to end is killed after this; the next one continues its work. */
const endMs = 8 * secondMs;

/** After this, a reload does not wait for an import. */
const finishMs = 5 * secondMs;

/** How long a request waits for a process to start; generous, for busy machines. */
const startMsMax = 45 * secondMs;

/** How often a server looks whether there is something to send. */
const lookMs = secondMs;

const learningPauseMs = 200;

/** Delay before learning is tried again, from the start of the failed attempt. */
const learnAgainMs = minuteMs;

const folderPrefix = 'brickmark-serve-';

/** The jobs of the upkeep process. */
export type Job = 'learn' | 'bulk';

export interface JobDone {
  readonly job: Job;
  /** Why it failed; null if it did not. */
  readonly problem: string | null;
}

export class Helpers implements HelperControl {
  readonly health = new HelperHealth(helperKinds);
  readonly pages: SocketProcess;
  readonly answers: SocketProcess;
  readonly #kept: Readonly<Record<HelperKind, KeptProcess<unknown>>>;
  #folder: string | null = null;
  /** Ends the wait for something to send. */
  readonly #rest = new StoppableWait();
  #looking: Promise<void> | null = null;
  /** Names the process that sends across restarts, so that it has its lease again at once. */
  readonly #holder = crypto.randomUUID();
  #serverUrl: string | null = null;
  /** Whether this server syncs if there are sources, and whether its helper does now. */
  readonly #sync = { isOn: false, isRunning: false };
  readonly #jobs = new Map<Job, PromiseWithResolvers<void>>();

  constructor(private readonly deps: Pick<Context, 'config' | 'say' | 'randomBytes'>) {
    this.#kept = {
      pages: this.#keptOf('pages'),
      answers: this.#keptOf('answers'),
      delivery: this.#keptOf('delivery'),
      upkeep: this.#keptOf('upkeep'),
    };
    this.pages = this.#socketOf('pages');
    this.answers = this.#socketOf('answers');
  }

  /** Sends once there is something to send. */
  startDelivery({ url, queue }: Served): void {
    const { config, say, randomBytes } = this.deps;
    const { problem } = findEncrypter(config, randomBytes);
    if (problem !== null) say(`${capitalized(addressed)} are off: ${problem}`);
    this.#serverUrl = url;
    // Errors of the store are retried.
    const isNeeded = async () =>
      queue === null || (await queue.isDeliveryWanted().catch(() => false));
    const look = async () => {
      while (!this.#rest.isStopped && !(await isNeeded())) await this.#rest.wait(lookMs);
      this.#kept.delivery.keep();
    };
    this.#looking = look();
  }

  /** Syncs if sources are configured, now or after a reload. */
  startSync(): void {
    this.#sync.isOn = true;
    this.#keepSyncing();
  }

  /** Learns in the helper; ends early if `pause` throws, which is called repeatedly. */
  async learn(pause: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    const learning = this.run('learn');
    await pauseDuring(learning, pause);
    const restMs = () => Math.max(0, startedAt + learnAgainMs - performance.now());
    await learning.catch(() => pauseDuring(Bun.sleep(restMs()), pause));
    await learning;
  }

  /** Has the process for upkeep do a job. Without sources, it runs only for this. */
  async run(job: Job): Promise<void> {
    const { upkeep } = this.#kept;
    const done = Promise.withResolvers<void>();
    // Unused if the process ends before it is ready.
    done.promise.catch(() => {});
    this.#jobs.set(job, done);
    try {
      await upkeep.start();
      upkeep.send(job);
      await done.promise;
    } finally {
      this.#jobs.delete(job);
      if (this.#jobs.size === 0 && !this.#sync.isRunning) await upkeep.end();
    }
  }

  /** Has all read sources, fees and postage again. Answers and pages go on meanwhile. */
  async reload(): Promise<void> {
    const { pages, answers, delivery } = this.#kept;
    const all = [pages.replace(), answers.replace(), delivery.restart(), this.#renewUpkeep()];
    await Promise.all(all);
  }

  /** An import goes on to its end, and the new settings are read after it. */
  async #renewUpkeep(): Promise<void> {
    const finished = this.#kept.upkeep.finish().then(() => {
      if (this.#sync.isOn) this.#keepSyncing();
    });
    const isLong = await Promise.race([finished, Bun.sleep(finishMs).then(() => true)]);
    if (isLong) this.deps.say('An import is running: sources are reloaded after it.');
  }

  /** Those that no request waits for; before the server has finished its requests. */
  async stopWork(): Promise<void> {
    this.#rest.stop();
    await Promise.all([this.#looking, this.#kept.delivery.stop(), this.#kept.upkeep.stop()]);
  }

  async stop(): Promise<void> {
    await this.stopWork();
    await Promise.all([this.#kept.pages.stop(), this.#kept.answers.stop()]);
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  #keepSyncing(): void {
    const { config, say } = this.deps;
    const { connectors, problem } = findConnectors(config);
    if (problem !== null) say(`Sync is off: ${problem}`);
    this.#sync.isRunning = connectors.length > 0;
    if (this.#sync.isRunning) this.#kept.upkeep.keep();
  }

  #keptOf(kind: HelperKind): KeptProcess<unknown> {
    const { config, say } = this.deps;
    const kept = new KeptProcess({
      name: `The process for ${kind}`,
      command: [...thisProgram(), 'serve'],
      environment: (start) => this.#environmentOf(kind, start),
      say,
      restartMsMax: helperTable[kind].restartMsMax,
      endMs,
      isRestarted: config.isRestarted,
      watch: { helper: kind, health: this.health, say },
      onMessage: (message) => this.#finish(message as JobDone),
      onExit: (start) => this.#noteExit(kind, start),
    });
    this.health.watch(kind, () => kept.findFacts());
    return kept;
  }

  #environmentOf(kind: HelperKind, start: number) {
    const { config } = this.deps;
    if (kind === 'delivery') {
      const environment = environmentOf(config, { kind, task: this.#holder });
      return { ...environment, BRICKMARK_BASE_URL: config.baseUrl ?? this.#serverUrl ?? '' };
    }
    if (kind === 'upkeep') {
      const isSyncing = this.#sync.isRunning;
      const variables = isSyncing ? listSecretVariables(config) : [];
      return environmentOf(config, { kind, task: isSyncing ? 'sync' : '', variables });
    }
    return environmentOf(config, { kind, task: this.#socketPath(kind, start) });
  }

  #socketOf(kind: 'pages' | 'answers'): SocketProcess {
    // Its first message is the path of its socket.
    const started = async () => String(await this.#kept[kind].start());
    const tooLate = () => new Error('It did not start in time.');
    return {
      socket: () => withTimeout(started(), startMsMax, tooLate),
      giveUp: () => this.#kept[kind].giveUp(),
    };
  }

  #socketPath(kind: HelperKind, start: number): string {
    // Cleaners of the temporary folder may have deleted it.
    if (this.#folder === null || !existsSync(this.#folder)) {
      removeAbandoned(tmpdir(), folderPrefix);
      this.#folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
    }
    return join(this.#folder, `${kind}-${start}`);
  }

  #noteExit(kind: HelperKind, start: number): void {
    // Not of one that was replaced.
    if (kind === 'upkeep' && start === this.#kept.upkeep.lastStart) {
      const error = new Error('The process for upkeep ended before it was done.');
      for (const done of this.#jobs.values()) done.reject(error);
    }
    if (this.#folder !== null) rmSync(join(this.#folder, `${kind}-${start}`), { force: true });
  }

  #finish({ job, problem }: JobDone): void {
    const done = this.#jobs.get(job);
    if (problem === null) done?.resolve();
    else done?.reject(new Error(problem));
  }
}

/** Calls `pause` until the work has ended, in whatever way. */
async function pauseDuring(work: Promise<unknown>, pause: () => Promise<void>): Promise<void> {
  let isDone = false;
  const done = work
    .catch(() => {})
    .then(() => {
      isDone = true;
    });
  while (!isDone) {
    await Promise.race([done, Bun.sleep(learningPauseMs)]);
    await pause();
  }
}

const addressed = andList.format(addressedKinds.map((kind) => deliveryTable[kind].plural));
