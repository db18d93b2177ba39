/**
 * The parameters that values are made with: learned when they are missing or out of date, and read
 * once. Until history is sealed they follow all rows. From then on each month has those that were
 * learned from what was known when it began, and they never change.
 */

import { type Month, monthOf, monthStart, secondMs } from '../domain/kernel/time.ts';
import type { Estimator, StoredParameters, ValueEngine } from '../domain/market/estimator.ts';
import type { MarketPublishing } from '../domain/market/market-store.ts';
import type { ParameterVersions } from '../domain/market/parameter-store.ts';
import { StoreBusyError } from '../domain/store.ts';
import { gatherItems, type LearningPace, makeLearner } from './learning.ts';

/** Keeps the parameters of a store. */
export interface ParameterKeeper {
  /** Whether there is nothing to learn before values of an instant can be made at all. */
  hasMonth(at: number): Promise<boolean>;
  /** Learns what is missing at an instant, or out of date. */
  learn(at: number, pace: LearningPace): Promise<void>;
  /** Has what is missing at an instant learned by somebody else. */
  learnApart(at: number, learn: () => Promise<void>): Promise<void>;
  /** The estimator with the parameters that there are. */
  findEstimator(): Promise<Estimator>;
}

/** A keeper on a store. */
export function makeParameterKeeper(store: MarketPublishing, engine: ValueEngine): ParameterKeeper {
  // A month of sealed history that there was nothing to learn for: later rows do not change that.
  let emptyMonth: Month | null = null;
  const isMissing = (state: ParameterVersions, month: Month) =>
    month !== emptyMonth && isMonthMissing(state, month);
  /** Whoever asks again for a month that there was nothing to learn for need not try again. */
  const noteEmpty = async (month: Month) => {
    const { sealedAt } = await store.findHistoryState();
    const state = await store.findParameterVersions();
    if (sealedAt !== null && isMissing(state, month)) emptyMonth = month;
  };
  let made: { readonly name: string; readonly estimator: Estimator } | null = null;
  let ownVersion: string | null = null;
  /** Whether an engine with another name learned the latest parameters. */
  const isForeign = async ({ versions }: ParameterVersions) => {
    if (versions.at(-1)?.version === (ownVersion ?? undefined)) return false;
    const last = (await store.findParameters()).parameters.at(-1);
    if (last && !engine.hasLearned(last)) return true;
    ownVersion = last?.version ?? null;
    return false;
  };
  return {
    hasMonth: async (at) => !isMissing(await store.findParameterVersions(), monthOf(at)),
    learn: async (at, pace) => {
      const { sealedAt } = await store.findHistoryState();
      const state = await store.findParameterVersions();
      const work = { store, engine, pace, to: monthOf(at) };
      if (sealedAt === null) {
        if (isOutdated(state, work.to) || (await isForeign(state))) {
          await learnAll(work, state.change);
        }
      } else if (isMissing(state, work.to)) {
        await learnMissing(work, sealedAt, state);
        await noteEmpty(work.to);
      }
    },
    learnApart: async (at, learn) => {
      await learn();
      await noteEmpty(monthOf(at));
    },
    findEstimator: async () => {
      const name = namesOf((await store.findParameterVersions()).versions);
      if (made?.name === name) return made.estimator;
      const { parameters } = await store.findParameters();
      made = { name: namesOf(parameters), estimator: engine.makeEstimator(parameters) };
      return made.estimator;
    },
  };
}

function namesOf(versions: readonly Omit<StoredParameters, 'body'>[]): string {
  return versions.map(({ version }) => version).join(' ');
}

/** Whether a month has no parameters although there may be something to learn them from. */
function isMonthMissing({ versions, changedFrom }: ParameterVersions, month: Month): boolean {
  const last = versions.at(-1);
  return last ? last.month < month : changedFrom !== null;
}

/** Whether rows have changed that these parameters were, or should have been, learned from. */
function isOutdated(state: ParameterVersions, month: Month): boolean {
  const { changedFrom } = state;
  return isMonthMissing(state, month) || (changedFrom !== null && changedFrom < month);
}

interface Work {
  readonly store: MarketPublishing;
  readonly engine: ValueEngine;
  readonly pace: LearningPace;
  /** The last month that is wanted. */
  readonly to: Month;
}

/** History is not sealed: everything is learned anew, from all rows. */
async function learnAll(work: Work, change: number): Promise<void> {
  const parameters = await learnFrom(work, { knownBefore: null, to: work.to });
  await retryWhileBusy(() => work.store.saveParameters(parameters, change));
}

/** History is sealed: only months that have none are learned, from what was known then. */
async function learnMissing(
  work: Work,
  sealedAt: number,
  { versions }: ParameterVersions,
): Promise<void> {
  let last = versions.at(-1)?.month ?? null;
  for (const step of stepsTo(work.to, sealedAt)) {
    if (last !== null && step.to <= last) continue;
    const { parameters: frozen } = await work.store.findParameters();
    const learned = await learnFrom(work, { from: last && last + 1, ...step, frozen });
    if (learned.length === 0) continue;
    // Another process may have been faster: what is there stays, and is what the next month sees.
    await retryWhileBusy(() => work.store.freezeParameters(learned));
    last = step.to;
  }
}

interface Step {
  /** Null: from the month of the first sale on. */
  readonly from?: Month | null;
  readonly to: Month;
  /** Rows that came in at or after this instant do not count; null: all rows count. */
  readonly knownBefore: number | null;
}

/**
 * Up to the month of sealing, months are learned from all that was known when history was sealed;
 * each later one from what was known when it began.
 */
function stepsTo(to: Month, sealedAt: number): Step[] {
  const sealedIn = monthOf(sealedAt);
  const steps: Step[] = [{ to: Math.min(sealedIn, to), knownBefore: sealedAt + 1 }];
  for (let month = sealedIn + 1; month <= to; month++) {
    // Never an earlier month: values were made and sealed without parameters for it.
    steps.push({ from: month, to: month, knownBefore: monthStart(month) });
  }
  return steps;
}

/** The parameters of the months from one, or that of the first sale, on; none without sales. */
async function learnFrom(
  work: Work,
  step: Step & { readonly frozen?: readonly StoredParameters[] },
): Promise<StoredParameters[]> {
  const { engine, pace } = work;
  const { to, knownBefore, frozen = [] } = step;
  const items = await gatherItems(work, { from: step.from ?? null, to, knownBefore }, pace);
  const learner = await makeLearner(engine, items, { knownBefore, pace });
  const first = learner.firstMonth();
  const from = step.from ?? first;
  if (from === null || first === null || from > to) return [];
  const { pause } = pace;
  return learner.learn(pause ? { frozen, from, to, pause } : { frozen, from, to });
}

/** How often writing is tried while another process writes, and the time between. */
const triesMax = 60;
const retryMs = secondMs / 2;

/** Writes what took long to learn, also in a process that otherwise does not wait for others. */
async function retryWhileBusy(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreBusyError) || tries === triesMax) throw error;
      await Bun.sleep(retryMs);
    }
  }
}
