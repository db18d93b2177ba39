/**
 * Asks sources whenever they are due, one after the other: rates, then catalogs, then the market.
 * One process at a time does; any other waits until the lease is free.
 */
import { type Lease, LeaseLostError } from '../domain/kernel/lease.ts';
import { StoppableWait } from '../domain/kernel/stoppable-wait.ts';
import { minuteMs, secondMs } from '../domain/kernel/time.ts';
import { StoreLostError } from '../domain/store.ts';
import { restAfter } from '../domain/sync/budget.ts';
import type { SourceState } from '../domain/sync/source-state.ts';
import { afterFailure, dueAt, isWorthRepeating } from '../domain/sync/state-changes.ts';
import { type Connector, syncSteps } from './connector.ts';
import { type RoundResult, type RoundWork, runRound } from './round.ts';
import { liftStop } from './stops.ts';

/** How often it is asked whether a lease that another process has is free. */
const leaseWaitMs = 5 * secondMs;

/** Other processes may change when a source is due: it is looked at so often at least. */
const waitMsMax = minuteMs;

/** While sources are busy, what they brought is published so often; otherwise at once. */
const publishMs = 10 * minuteMs;

/** What goes on, for whoever watches. */
export interface SyncEvents {
  onRound(result: RoundResult): void;
  /** A question was refused, while others may be answered. */
  onSkipped(source: string, subject: string, message: string): void;
  onFailure(error: unknown): void;
}

/** What asking sources needs. */
export interface SyncWork extends Omit<RoundWork, 'keepLease' | 'isStopping'> {
  readonly connectors: readonly Connector[];
  readonly lease: Lease;
  readonly events: SyncEvents;
  /** Values and publishes what was imported. */
  publish(): Promise<void>;
  /** Removes answers that were kept long enough. */
  prune(): void;
}

/** Sources that are asked when they are due. */
export class SyncLoop {
  readonly #rest = new StoppableWait();
  readonly #work: SyncWork;
  readonly #round: RoundWork;
  readonly #connectors: readonly Connector[];
  /** Whether everything is; nothing is known of what an earlier process left. */
  #isPublished = false;
  /** Not before this instant while sources are busy, or once it failed. */
  #publishAt = 0;
  #hasFailed = false;
  #hasLiftedStops = false;
  /** Sources that rest, so that their budgets last the day. */
  readonly #restsUntil = new Map<string, number>();

  constructor(work: SyncWork) {
    this.#work = work;
    this.#round = {
      ...work,
      keepLease: () => work.lease.keep(),
      isStopping: () => this.#rest.isStopped,
    };
    const stepOf = ({ step }: Connector) => syncSteps.indexOf(step);
    this.#connectors = work.connectors.toSorted((a, b) => stepOf(a) - stepOf(b));
  }

  /** Ends what is under way after the call at hand. */
  stop(): void {
    this.#rest.stop();
  }

  /**
   * Goes on until it is stopped. Keys are read at the start: whoever starts it again may have put
   * them right, so that sources that had stopped are tried again, once.
   */
  async run(): Promise<void> {
    const { lease, events } = this.#work;
    while (!this.#rest.isStopped) {
      const waitMs = await this.#turn().catch((error) => {
        // Only a new process can open the store that is there now.
        if (error instanceof StoreLostError) throw error;
        if (!(error instanceof LeaseLostError)) events.onFailure(error);
        return leaseWaitMs;
      });
      await this.#rest.wait(waitMs);
    }
    await lease.release().catch((error) => events.onFailure(error));
  }

  /** Has sources that stopped tried at once; for whoever has the lease. */
  async liftStops(): Promise<void> {
    const { store, clock } = this.#work;
    for (const { name } of this.#connectors) await liftStop(store, name, clock());
    this.#hasLiftedStops = true;
  }

  /** Does what is due now, and publishes it; the latest round of each source that had any. */
  async runDue(): Promise<RoundResult[]> {
    const latest = new Map<string, RoundResult>();
    for (;;) {
      const results = await this.#pass();
      for (const result of results) latest.set(result.source, added(latest, result));
      if (results.length === 0 || this.#rest.isStopped) break;
    }
    await this.#publish();
    return [...latest.values()];
  }

  /** A pass over all sources; how long to wait then. */
  async #turn(): Promise<number> {
    const { lease, clock } = this.#work;
    if (!(await lease.take())) return leaseWaitMs;
    if (!this.#hasLiftedStops) await this.liftStops();
    const results = await this.#pass((source) => this.#restsUntil.get(source) ?? 0);
    if (this.#rest.isStopped) return 0;
    await this.#letRest(results);
    if (results.length === 0 || clock() >= this.#publishAt) await this.#publishAgain();
    if (results.length > 0) return 0;
    return Math.max(0, Math.min(waitMsMax, (await this.#nextAt()) - clock()));
  }

  /** One round of each source that is due; some may rest until later. */
  async #pass(restsUntil: (source: string) => number = () => 0): Promise<RoundResult[]> {
    const { clock, events } = this.#work;
    const results: RoundResult[] = [];
    const catalogs = this.#connectors.filter(({ step }) => step === 'catalog');
    const isOfCatalog = ({ source, rows }: RoundResult) =>
      rows > 0 && catalogs.some(({ name }) => name === source);
    for (const connector of this.#connectors) {
      if (this.#rest.isStopped) break;
      const due = await this.#findDue(connector, restsUntil);
      if (due.at > clock()) continue;
      // Which item is worth a call is told by what is published of it.
      if (connector.step === 'market' && results.some(isOfCatalog)) await this.#publishAgain();
      const result = await this.#runRound(connector, due.isRepeated);
      results.push(result);
      events.onRound(result);
      if (result.rows > 0) this.#isPublished = false;
    }
    return results;
  }

  /** The states of sources whose items or rates this one needs. */
  #listEarlier({ step }: Connector): Promise<SourceState[]> {
    const { store } = this.#work;
    const before = syncSteps.slice(0, syncSteps.indexOf(step));
    const earlier = this.#connectors.filter((connector) => before.includes(connector.step));
    return Promise.all(earlier.map(({ name }) => store.findSource(name)));
  }

  /** Publishes what is not published yet; answers are pruned even if that fails, to make room. */
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

  /** What cannot be published now is tried again, and not at once. */
  async #publishAgain(): Promise<void> {
    const { clock, events } = this.#work;
    if (this.#hasFailed && clock() < this.#publishAt) return;
    this.#hasFailed = false;
    await this.#publish().catch((error) => {
      if (error instanceof LeaseLostError) throw error;
      this.#hasFailed = true;
      events.onFailure(error);
    });
  }

  /** A fault of our own is one of the source as well: it must not be met again at once. */
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

  /** Decides how long sources that were called are left alone. */
  async #letRest(results: readonly RoundResult[]): Promise<void> {
    const { store, clock } = this.#work;
    for (const { source, calls } of results) {
      const rule = this.#connectors.find(({ name }) => name === source)?.budget ?? null;
      if (rule === null || calls === 0) continue;
      const at = clock();
      const { budget } = await store.findSource(source);
      this.#restsUntil.set(source, at + restAfter(budget, { rule, cost: calls, at }));
    }
  }

  async #nextAt(): Promise<number> {
    const restsUntil = (source: string) => this.#restsUntil.get(source) ?? 0;
    const due = this.#connectors.map((connector) => this.#findDue(connector, restsUntil));
    return Math.min(...(await Promise.all(due)).map(({ at }) => at));
  }

  /** When a source is due, and whether it is to be asked for everything again. */
  async #findDue(connector: Connector, restsUntil: (source: string) => number): Promise<Due> {
    const { name, budget } = connector;
    const state = await this.#work.store.findSource(name);
    // A budget is not spent on everything again because a few rows lack something.
    const isRepeated =
      budget === null && isWorthRepeating(state, await this.#listEarlier(connector));
    const nextAt = isRepeated && state.failures === 0 ? 0 : dueAt(state, this.#work.clock());
    return { at: Math.max(nextAt, restsUntil(name)), isRepeated };
  }
}

interface Due {
  readonly at: number;
  readonly isRepeated: boolean;
}

/** A round together with those of the same source before it. */
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
