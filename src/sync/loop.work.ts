/**
 * Runs sources when they are due, one after the other: rates, then catalogs, then the market. One
 * process at a time holds the lease; others wait for it.
 */

import { type Lease, LeaseLostError } from '../kernel/lease.ts';
import { StoppableWait } from '../kernel/stoppable-wait.ts';
import { StoreLostError } from '../kernel/store-errors.ts';
import { minuteMs } from '../kernel/time.ts';
import { restAfter } from './budget.ts';
import { type Connector, syncSteps } from './connector.work.ts';
import { type RoundResult, type RoundWork, runRound } from './round.work.ts';
import type { KeylessSource } from './secret-reader.work.ts';
import type { SourceState } from './source-state.ts';
import {
  afterFailure,
  dueAt,
  dueNow,
  isWorthRepeating,
  withoutKey,
  withSettings,
} from './state-changes.ts';
import type { SyncStore } from './sync.store.ts';

/** Interval for trying to take a lease held by another process. */
const leaseWaitMs = 5_000;

/** Other processes may change due times, so they are read at least this often. */
const waitMsMax = minuteMs;

/** Publishing interval while sources are busy; otherwise data is published at once. */
const publishMs = 10 * minuteMs;

export interface SyncEvents {
  onRound(result: RoundResult): void;
  /** A question was rejected, while others may be answered. */
  onSkipped(source: string, subject: string, message: string): void;
  onFailure(error: unknown): void;
}

export interface SyncWork extends Omit<RoundWork, 'keepLease' | 'isStopping'> {
  readonly connectors: readonly Connector[];
  /** Sources that are on, and cannot be called. */
  readonly keyless: readonly KeylessSource[];
  /** Sources that are on, whether this process syncs them or not; others are turned off. */
  readonly turnedOn: readonly string[];
  readonly lease: Lease;
  readonly events: SyncEvents;
  /** Values and publishes imported data. */
  publish(): Promise<void>;
  /** Removes old responses. */
  prune(): void;
  /** Waits between turns. */
  readonly rest?: StoppableWait;
}

export class SyncLoop {
  readonly #rest: StoppableWait;
  readonly #work: SyncWork;
  readonly #round: RoundWork;
  readonly #connectors: readonly Connector[];
  /** Unknown at the start, because an earlier process may have left data unpublished. */
  #isPublished = false;
  /** Earliest time while sources are busy. */
  #publishAt = Number.NEGATIVE_INFINITY;
  /** Earliest time after a failure. */
  #retryAt = Number.NEGATIVE_INFINITY;
  #hasLiftedStops = false;
  #hasAppliedSettings = false;

  constructor(work: SyncWork) {
    this.#work = work;
    this.#rest = work.rest ?? new StoppableWait();
    this.#round = {
      ...work,
      keepLease: () => work.lease.keep(),
      isStopping: () => this.#rest.isStopped,
    };
    const stepOf = ({ step }: Connector) => syncSteps.indexOf(step);
    this.#connectors = work.connectors.toSorted((a, b) => stepOf(a) - stepOf(b));
  }

  /** Stops after the current call. */
  stop(): void {
    this.#rest.stop();
  }

  /** Runs until stopped. Stopped sources are tried once: their keys may have been corrected. */
  async run(): Promise<void> {
    const { lease, events } = this.#work;
    while (!this.#rest.isStopped) {
      const waitMs = await this.#turn().catch((error) => {
        // The store was replaced, and only a new process can open it.
        if (error instanceof StoreLostError) throw error;
        if (!(error instanceof LeaseLostError)) events.onFailure(error);
        return leaseWaitMs;
      });
      await this.#rest.wait(waitMs);
    }
    await lease.release().catch((error) => events.onFailure(error));
  }

  /** Makes stopped sources due at once. Requires the lease. */
  async liftStops(): Promise<void> {
    for (const { name } of this.#connectors) await liftStop(this.#work.store, name);
    this.#hasLiftedStops = true;
  }

  /** Runs due sources and publishes; returns the totals of each source. */
  async runDue(): Promise<RoundResult[]> {
    await this.#applySettings();
    const latest = new Map<string, RoundResult>();
    for (;;) {
      const results = await this.#pass();
      for (const result of results) latest.set(result.source, added(latest, result));
      if (results.length === 0 || this.#rest.isStopped) break;
    }
    await this.#publish();
    return [...latest.values()];
  }

  /** One pass over all sources; returns the time to wait. */
  async #turn(): Promise<number> {
    const { lease, clock } = this.#work;
    if (!(await lease.take())) return leaseWaitMs;
    await this.#applySettings();
    if (!this.#hasLiftedStops) await this.liftStops();
    const results = await this.#pass();
    if (this.#rest.isStopped) return 0;
    await this.#letRest(results);
    if (results.length === 0 || clock() >= this.#publishAt) await this.#publishAgain();
    if (results.length > 0) return 0;
    return Math.max(0, Math.min(waitMsMax, (await this.#nextAt()) - clock()));
  }

  /** Makes sources due whose settings have changed since their last call. */
  async #applySettings(): Promise<void> {
    await this.#stopKeyless();
    if (this.#hasAppliedSettings) return;
    const { store, turnedOn } = this.#work;
    for (const { source, state } of await store.listSources()) {
      const isOff = !turnedOn.includes(source);
      if (isOff === (state.isOff ?? false)) continue;
      await store.changeSource(source, (before) => ({ ...before, isOff }));
    }
    for (const { name, settingsMark } of this.#connectors) {
      if (settingsMark === undefined) continue;
      const before = await store.findSource(name);
      if (before.settingsMark === settingsMark) continue;
      await store.changeSource(name, (state) => withSettings(state, settingsMark));
    }
    this.#hasAppliedSettings = true;
  }

  /** On every turn, because a command in a shell with the key may have lifted the stop. */
  async #stopKeyless(): Promise<void> {
    const { store, clock, keyless } = this.#work;
    for (const { name, problem: message } of keyless) {
      const { lastError } = await store.findSource(name);
      if (lastError?.isStopped && lastError.message === message) continue;
      await store.changeSource(name, (before) => withoutKey(before, { at: clock(), message }));
    }
  }

  /** One round of each due source. */
  async #pass(): Promise<RoundResult[]> {
    const { clock, events } = this.#work;
    const results: RoundResult[] = [];
    const catalogs = this.#connectors.filter(({ step }) => step === 'catalog');
    const isOfCatalog = ({ source, rows }: RoundResult) =>
      rows > 0 && catalogs.some(({ name }) => name === source);
    for (const connector of this.#connectors) {
      if (this.#rest.isStopped) break;
      const due = await this.#findDue(connector);
      if (due.at > clock()) continue;
      // Planning depends on published values of new items.
      if (connector.step === 'market' && results.some(isOfCatalog)) await this.#publishAgain();
      const result = await this.#runRound(connector, due.isRepeated);
      results.push(result);
      events.onRound(result);
      if (result.rows > 0) this.#isPublished = false;
    }
    return results;
  }

  /** The states of sources that this one depends on. */
  #listEarlier({ step }: Connector): Promise<SourceState[]> {
    const { store } = this.#work;
    const before = syncSteps.slice(0, syncSteps.indexOf(step));
    const earlier = this.#connectors.filter((connector) => before.includes(connector.step));
    return Promise.all(earlier.map(({ name }) => store.findSource(name)));
  }

  /** Prunes responses even if publishing fails, to free space. */
  async #publish(): Promise<void> {
    try {
      await this.#publishNew();
    } finally {
      this.#prune();
    }
  }

  #prune(): void {
    const { prune, events } = this.#work;
    try {
      prune();
    } catch (error) {
      events.onFailure(error);
    }
  }

  async #publishNew(): Promise<void> {
    const { lease, clock, publish } = this.#work;
    if (this.#isPublished) return;
    await lease.keep();
    this.#publishAt = clock() + publishMs;
    await publish();
    this.#isPublished = true;
  }

  /** Failures are retried after a while. */
  async #publishAgain(): Promise<void> {
    const { clock, events } = this.#work;
    if (clock() < this.#retryAt) return;
    await this.#publish().catch((error) => {
      if (error instanceof LeaseLostError) throw error;
      this.#retryAt = this.#publishAt;
      events.onFailure(error);
    });
  }

  /** Unexpected errors count as failures of the source, so that they are not repeated at once. */
  async #runRound(connector: Connector, isRepeated: boolean): Promise<RoundResult> {
    const { store, clock, random, redact, events } = this.#work;
    const { name: source } = connector;
    try {
      return await runRound(connector, this.#round, isRepeated);
    } catch (error) {
      if (error instanceof LeaseLostError || error instanceof StoreLostError) throw error;
      events.onFailure(error);
      const message = redact(`Unexpected error: ${(error as Error).message}.`);
      const failure = { at: clock(), message, retryAfterMs: null, random: random() };
      const { nextAt } = await store.changeSource(source, (before) =>
        afterFailure(before, failure),
      );
      const nothing = { calls: 0, rows: 0, rejects: 0, isStopped: false };
      return { source, ...nothing, error: message, nextAt };
    }
  }

  /** Makes budgets last the day. */
  async #letRest(results: readonly RoundResult[]): Promise<void> {
    const { store, clock } = this.#work;
    for (const { source, calls } of results) {
      const rule = this.#connectors.find(({ name }) => name === source)?.budget ?? null;
      if (rule === null || calls === 0) continue;
      const at = clock();
      await store.changeSource(source, (before) => {
        const restedAt = at + restAfter(before.budget, { rule, cost: calls, at });
        return { ...before, nextAt: Math.max(before.nextAt, restedAt) };
      });
    }
  }

  async #nextAt(): Promise<number> {
    const due = this.#connectors.map((connector) => this.#findDue(connector));
    return Math.min(...(await Promise.all(due)).map(({ at }) => at));
  }

  /** When a source is due, and whether to fetch everything again. */
  async #findDue(connector: Connector): Promise<Due> {
    const { name, budget } = connector;
    const state = await this.#work.store.findSource(name);
    // Sources with a budget are not fetched again because of a few rows.
    const isRepeated =
      budget === null && isWorthRepeating(state, await this.#listEarlier(connector));
    const isNow = isRepeated && state.failures === 0;
    return { at: isNow ? 0 : dueAt(state, this.#work.clock()), isRepeated };
  }
}

interface Due {
  readonly at: number;
  readonly isRepeated: boolean;
}

/** Adds up rounds of the same source. */
function added(latest: ReadonlyMap<string, RoundResult>, result: RoundResult): RoundResult {
  const before = latest.get(result.source);
  if (!before) return result;
  return {
    ...result,
    calls: before.calls + result.calls,
    rows: before.rows + result.rows,
    rejects: before.rejects + result.rejects,
  };
}

/** Makes a stopped source due, after the operator has fixed the error. */
export async function liftStop(store: SyncStore, source: string): Promise<void> {
  const { lastError } = await store.findSource(source);
  if (!lastError?.isStopped) return;
  await store.changeSource(source, dueNow);
}
