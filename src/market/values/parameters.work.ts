/**
 * The valuation parameters: learned if missing or outdated. Until history is sealed they follow all
 * rows; after that, each month has parameters learned from what was known when it began, and they
 * never change.
 */

import { StoreBusyError } from '../../kernel/store-errors.ts';
import { type Month, monthOf, monthStart, secondMs } from '../../kernel/time.ts';
import { learnGradeEffects } from '../grades/grade-learning.ts';
import type { GradeEffects } from '../grades/grades.ts';
import type { Estimator, ParameterVersions, StoredParameters, ValueEngine } from './estimator.ts';
import type { LearningStore } from './learning.store.ts';
import {
  gatherItems,
  type LearningPace,
  type LearningScope,
  makeLearner,
} from './learning.work.ts';

export interface ParameterKeeper {
  /** Whether values at a point in time can be computed without learning first. */
  hasMonth(at: number): Promise<boolean>;
  /** Learns what is missing or outdated. */
  learn(at: number, pace: LearningPace): Promise<void>;
  /** Learns what is missing with `learn`, in another process. */
  learnApart(at: number, learn: () => Promise<void>): Promise<void>;
  findEstimator(): Promise<Estimator>;
}

export function makeParameterKeeper(store: LearningStore, engine: ValueEngine): ParameterKeeper {
  // A month of sealed history without anything to learn from; later rows do not change that.
  let emptyMonth: Month | null = null;
  const isMissing = (state: ParameterVersions, month: Month) =>
    month !== emptyMonth && isMonthMissing(state, month);
  /** Remembers such a month, so that it is not tried again. */
  const noteEmpty = async (month: Month) => {
    const { sealedAt } = await store.findHistoryState();
    const state = await store.findParameterVersions();
    if (sealedAt !== null && isMissing(state, month)) emptyMonth = month;
  };
  let made: { readonly name: string; readonly estimator: Estimator } | null = null;
  let ownVersion: string | undefined;
  /** Whether an engine with another name learned the latest parameters. */
  const isForeign = async ({ versions }: ParameterVersions) => {
    if (versions.at(-1)?.version === ownVersion) return false;
    const last = (await store.findParameters()).parameters.at(-1);
    if (last && !engine.hasLearned(last)) return true;
    ownVersion = last?.version;
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

/** Whether a month has no parameters although there may be rows to learn from. */
function isMonthMissing({ versions, changedFrom }: ParameterVersions, month: Month): boolean {
  const last = versions.at(-1);
  return last ? last.month < month : changedFrom !== null;
}

/** Whether rows have changed that the parameters depend on. */
function isOutdated(state: ParameterVersions, month: Month): boolean {
  const { changedFrom } = state;
  return isMonthMissing(state, month) || (changedFrom !== null && changedFrom < month);
}

interface Work {
  readonly store: LearningStore;
  readonly engine: ValueEngine;
  readonly pace: LearningPace;
  /** The last month to learn. */
  readonly to: Month;
}

/** For unsealed history: learns all months again, from all rows. */
async function learnAll(work: Work, change: number): Promise<void> {
  const { parameters, effects } = await learnFrom(work, { knownBefore: null, to: work.to });
  await retryWhileBusy(() => work.store.saveParameters(parameters, change));
  await retryWhileBusy(() => work.store.saveGradeEffects(effects));
}

/** For sealed history: learns only missing months, from what was known at the time. */
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
    if (learned.parameters.length === 0) continue;
    // If another process was faster, its parameters stay, and the next month uses them.
    await retryWhileBusy(() => work.store.freezeParameters(learned.parameters));
    await retryWhileBusy(() => work.store.saveGradeEffects(learned.effects));
    last = step.to;
  }
}

type Step = Omit<LearningScope, 'from'> & Partial<Pick<LearningScope, 'from'>>;

/**
 * Months up to the sealing are learned from what was known when history was sealed, each later one
 * from what was known when it began.
 */
function stepsTo(to: Month, sealedAt: number): Step[] {
  const sealedIn = monthOf(sealedAt);
  const steps: Step[] = [{ to: Math.min(sealedIn, to), knownBefore: sealedAt + 1 }];
  for (let month = sealedIn + 1; month <= to; month++) {
    // Never an earlier month: values were computed and sealed without parameters for it.
    steps.push({ from: month, to: month, knownBefore: monthStart(month) });
  }
  return steps;
}

/**
 * The parameters of the months from `from`, or from the first sale; none without sales. What grades
 * do to values is learned from the same sales, once, up to the last month.
 */
async function learnFrom(
  work: Work,
  step: Step & { readonly frozen?: readonly StoredParameters[] },
): Promise<{ parameters: StoredParameters[]; effects: GradeEffects }> {
  const { engine, pace } = work;
  const { to, knownBefore, frozen = [] } = step;
  const items = await gatherItems(work, { from: step.from ?? null, to, knownBefore }, pace);
  const sets = items.flatMap(({ kind, item }) => (kind === 'set' ? [item.sales] : []));
  const effects = learnGradeEffects(sets, { before: monthStart(to + 1), knownBefore });
  const learner = await makeLearner(engine, items, { knownBefore, pace });
  const first = learner.firstMonth();
  const from = step.from ?? first;
  if (from === null || first === null || from > to) return { parameters: [], effects };
  const { pause } = pace;
  const months = pause ? { frozen, from, to, pause } : { frozen, from, to };
  return { parameters: await learner.learn(months), effects };
}

/** Attempts to write while another process writes, and the time between them. */
const triesMax = 60;
const retryMs = secondMs / 2;

/** Saves what took long to learn, even in a process that otherwise does not wait for others. */
export async function retryWhileBusy(
  write: () => Promise<void>,
  sleep: (ms: number) => Promise<void> = Bun.sleep,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreBusyError) || tries === triesMax) throw error;
      await sleep(retryMs);
    }
  }
}
