/**
 * A round of one source: plans, calls, stores responses, imports them and saves progress. Nothing
 * sleeps here: a failure ends the round, and the time of the next attempt is in the store.
 */

import type { JsonValue } from '../kernel/json.ts';
import { type Clock, minuteMs } from '../kernel/time.ts';
import type { AnswerFolders, AnswerGroup, ImportGroup } from './answers.work.ts';
import { callsOf, leftOf } from './budget.ts';
import { type SourceClient, SourceError } from './client.work.ts';
import type { Answer, Connector, Plan, PlannedCall } from './connector.work.ts';
import type { Planner, Topic } from './planning.ts';
import type { Coverage, SourceState } from './source-state.ts';
import { afterFailure, afterStop, afterSuccess, countDay, withTokens } from './state-changes.ts';
import type { SyncStore } from './sync.store.ts';

/** Limits of a round in calls and time. */
export const roundMax = { calls: 50, ms: minuteMs };

/** Wait after a plan without calls. */
const idleMsMin = minuteMs;

/** A round ends if its first calls, this many, are all refused. */
const refusedMax = 5;

/** Limit of resuming an interrupted import. */
const resumesMax = 3;

/** Wait before calling a source without a budget again, if the process died during the call. */
const deadCallMs = 10 * minuteMs;

/** An import that rejects its files. */
export class ImportRefusal extends Error {}

export interface ImportCounts {
  readonly rows: number;
  readonly rejects: number;
  /** Rejects that may succeed once an item or a rate is imported. */
  readonly missing: number;
  /** Rows that were added or updated. */
  readonly changed: number;
  /** A problem of the whole import, although it succeeded. */
  readonly problem: string | null;
}

export interface RoundWork {
  readonly store: SyncStore;
  readonly client: SourceClient;
  readonly planner: Planner & {
    /** How recent answers are; absent in some tests. */
    findCoverage?(source: string, topics: readonly Topic[], at: number): Promise<Coverage>;
  };
  readonly answers: AnswerFolders;
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** Throws an `ImportRefusal` if files can never be imported. */
  importFiles(files: ImportGroup & { readonly folder: string }): Promise<ImportCounts>;
  /** Throws if another process has taken over. */
  keepLease(): Promise<void>;
  /** Whether to stop after the current call. */
  isStopping(): boolean;
  redact(text: string): string;
  /** Before each call. */
  onCall?(source: string, call: PlannedCall, count: number): void;
  /** A question was rejected, while others may be answered. */
  onSkipped?(source: string, call: PlannedCall, message: string): void;
}

export interface RoundResult {
  readonly source: string;
  readonly calls: number;
  readonly rows: number;
  readonly rejects: number;
  /** Why it ended early, or a problem of the import. */
  readonly error: string | null;
  readonly isStopped: boolean;
  readonly nextAt: number;
}

/** First resumes interrupted imports. A repeated round starts without a cursor. */
export async function runRound(
  connector: Connector,
  work: RoundWork,
  isRepeated = false,
): Promise<RoundResult> {
  return new Round(connector, work).run(isRepeated);
}

type RoundEnd = { readonly nextAt: number } | { readonly failure: SourceError };

type Continued = { readonly hasMore: boolean };

/** `missing` is null if nothing was imported. */
type GroupCounts = Omit<ImportCounts, 'missing'> & { readonly missing: number | null };

const nothingImported: GroupCounts = {
  rows: 0,
  rejects: 0,
  missing: null,
  changed: 0,
  problem: null,
};

function sumCounts(a: GroupCounts, b: ImportCounts): GroupCounts {
  return {
    rows: a.rows + b.rows,
    rejects: a.rejects + b.rejects,
    missing: (a.missing ?? 0) + b.missing,
    changed: a.changed + b.changed,
    problem: a.problem ?? b.problem,
  };
}

class Round {
  private readonly source: string;
  private calls = 0;
  private rows = 0;
  private rejects = 0;
  private problem: string | null = null;
  private answered = 0;
  private refused = 0;
  private lastRefusal: SourceError | null = null;
  private readonly startedAt: number;

  constructor(
    private readonly connector: Connector,
    private readonly work: RoundWork,
  ) {
    this.source = connector.name;
    this.startedAt = work.clock();
  }

  async run(isRepeated: boolean): Promise<RoundResult> {
    const { answers } = this.work;
    for (const group of answers.listUnfinished(this.source)) {
      const refused = await this.resume(group);
      if (refused) return this.fail(refused);
    }
    const { cursor } = await this.work.store.findSource(this.source);
    const group = answers.begin(this.source, { at: this.startedAt, cursor });
    const ended = await this.ask(group, isRepeated ? null : cursor);
    this.problem ??= this.refusedText();
    if (group.answers.length > 0) {
      const nextAt = 'nextAt' in ended ? ended.nextAt : null;
      const refused = await this.finish(group, nextAt);
      // Before the planned time, the source would send the same files again.
      if (refused) return this.fail(refused, nextAt ?? 0);
    } else if ('nextAt' in ended) {
      await this.postpone(ended.nextAt);
    }
    if ('failure' in ended) return this.fail(ended.failure);
    // If all questions are rejected, a setting may be wrong.
    if (this.lastRefusal && this.answered === 0) return this.fail(this.lastRefusal, ended.nextAt);
    return this.result(ended.nextAt);
  }

  /** Calls until there is nothing left, a limit is reached, or a call fails. */
  private async ask(group: AnswerGroup, from: JsonValue): Promise<RoundEnd> {
    let cursor = from;
    for (;;) {
      const plan = await this.plan(cursor);
      let hasMore = false;
      for (const call of plan.calls) {
        if (this.isLongEnough()) return { nextAt: this.work.clock() };
        const made = await this.make(call, group);
        if (!('hasMore' in made)) return made;
        const answer = group.answers.at(-1);
        if (answer?.cursor !== undefined) cursor = answer.cursor;
        // Only the last response decides.
        hasMore = made.hasMore;
      }
      if (!hasMore || this.isLongEnough()) return { nextAt: this.nextAt(plan, hasMore) };
    }
  }

  /** Makes one call; returns why the round ends, or whether there is more. */
  private async make(call: PlannedCall, group: AnswerGroup): Promise<Continued | RoundEnd> {
    const { work, source } = this;
    const { store, clock } = work;
    await work.keepLease();
    const { cost, questions } = call;
    const spending = await store.spend(source, { rule: this.connector.budget, cost, at: clock() });
    if (!spending.isGranted) return { nextAt: spending.nextAt };
    if (this.connector.budget === null && this.calls === 0) await this.waitIfKilled();
    this.calls += callsOf(this.connector.budget, cost);
    work.onCall?.(source, call, this.calls);
    const answer = await this.askAndKeep(call, group).catch((error) => this.asFailure(error));
    if (!(answer instanceof SourceError)) {
      // Free calls may not have been sent.
      if (cost > 0) this.answered++;
      const { tokens } = answer;
      if (tokens) await store.changeSource(source, (before) => withTokens(before, tokens));
      return { hasMore: answer.hasMore === true };
    }
    // Questions whose calls fail must not block the others.
    if (answer.kind !== 'stopped') await store.postponeQuestions(source, questions, clock());
    if (answer.kind !== 'item' || questions.length === 0) return { failure: answer };
    work.onSkipped?.(source, call, answer.message);
    this.refused++;
    this.lastRefusal = answer;
    const areAllRejected = this.answered === 0 && this.refused >= refusedMax;
    return areAllRejected ? { failure: answer } : { hasMore: false };
  }

  /** Set before the first call; replaced at the end of the round, unless the process dies. */
  private async waitIfKilled(): Promise<void> {
    const nextAt = this.work.clock() + deadCallMs;
    await this.work.store.changeSource(this.source, (before) => ({ ...before, nextAt }));
  }

  /** A response that cannot be stored counts as a failed call. */
  private async askAndKeep(call: PlannedCall, group: AnswerGroup): Promise<Answer> {
    const { client, clock } = this.work;
    const answer = await call.ask(client);
    group.add(answer, { questions: call.questions, at: clock() });
    return answer;
  }

  private refusedText(): string | null {
    const { refused, answered, lastRefusal } = this;
    return (
      lastRefusal && `${refused} of ${refused + answered} calls refused: ${lastRefusal.message}`
    );
  }

  private isLongEnough(): boolean {
    const { clock, isStopping } = this.work;
    const isLong = clock() - this.startedAt >= roundMax.ms;
    return this.calls >= roundMax.calls || isLong || isStopping();
  }

  private async plan(cursor: JsonValue): Promise<Plan> {
    const { store, clock, planner } = this.work;
    const { budget } = this.connector;
    const state = await store.findSource(this.source);
    const at = clock();
    return this.connector.plan({
      source: this.source,
      cursor,
      at,
      limit: roundMax.calls - this.calls,
      left: budget && leftOf(state.budget, budget, at),
      planner,
    });
  }

  private nextAt({ nextAt, calls }: Plan, hasMore: boolean): number {
    const now = this.work.clock();
    if (hasMore) return now;
    return calls.length > 0 ? nextAt : Math.max(nextAt, now + idleMsMin);
  }

  /** Resumes an interrupted import, unless its data is outdated. */
  private async resume(group: AnswerGroup): Promise<SourceError | null> {
    const { lastSuccessAt } = await this.work.store.findSource(this.source);
    const isOvertaken = lastSuccessAt !== null && lastSuccessAt >= group.endedAt;
    if (isOvertaken || group.answers.length === 0) {
      group.end({ refused: 'It is in the store already, or was asked again.' });
      return null;
    }
    if (group.resumes >= resumesMax) return this.giveUp(group);
    group.noteResumed(this.work.clock());
    return this.finish(group, null, true);
  }

  /** An import that keeps killing its process is given up. */
  private async giveUp(group: AnswerGroup): Promise<SourceError> {
    const message =
      `Importing ${this.work.answers.nameOf(group)} failed ${resumesMax + 1} times. ` +
      'The file is kept there and is not tried again.';
    await this.refuse(group, message);
    return new SourceError(message, 'later');
  }

  private async refuse(group: AnswerGroup, message: string): Promise<void> {
    const { store, clock } = this.work;
    const questions = group.answers.flatMap(({ known }) => known);
    await store.postponeQuestions(this.source, questions, clock());
    group.end({ refused: message });
  }

  /** Imports a group and saves its progress; returns why it was rejected, if it was. */
  private async finish(
    group: AnswerGroup,
    nextAt: number | null,
    isResumed = false,
  ): Promise<SourceError | null> {
    const { work, source } = this;
    const { store, clock } = work;
    const { counts, refusal } = await this.import(group);
    const { rows, rejects, missing, changed } = counts;
    this.rows += rows;
    this.rejects += rejects;
    this.problem ??= counts.problem;
    await work.keepLease();
    if (refusal) {
      await this.refuse(group, refusal.message);
      return refusal;
    }
    for (const { at, known, unknown } of group.answers) {
      await store.saveAnswers(source, { at, known, unknown });
    }
    const coverage = await this.findCoverage();
    await store.changeSource(source, (state) => {
      const at = clock();
      const cursor = cursorAfter(group, state);
      // The interrupted process may have imported all rows, so nothing changes now.
      const isNews = changed > 0 || (isResumed && rows > 0);
      const update = { at: group.endedAt, nextAt: nextAt ?? at, cursor, coverage };
      const success = { ...update, missing, changedAt: isNews ? at : null };
      const after = countDay(afterSuccess(state, success), at, { rows, rejects });
      const { problem } = this;
      if (problem === null) return after;
      return { ...after, lastError: { at, message: problem, isStopped: false } };
    });
    group.end({ done: clock() });
    return null;
  }

  /** Returns the counts of imported files, and why others were rejected. */
  private async import(
    group: AnswerGroup,
  ): Promise<{ readonly counts: GroupCounts; readonly refusal: SourceError | null }> {
    const { work } = this;
    let counts = nothingImported;
    try {
      for (const files of group.imports()) {
        await work.keepLease();
        const folder = work.answers.nameOf(group);
        counts = sumCounts(counts, await work.importFiles({ ...files, folder }));
      }
      return { counts, refusal: null };
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      return { counts, refusal: new SourceError(error.message, 'later') };
    }
  }

  private async findCoverage(): Promise<Coverage | undefined> {
    const { planner, clock } = this.work;
    const { topics = [] } = this.connector;
    if (topics.length === 0) return undefined;
    return planner.findCoverage?.(this.source, topics, clock());
  }

  private async postpone(nextAt: number): Promise<void> {
    const coverage = await this.findCoverage();
    await this.work.store.changeSource(this.source, (before) => ({
      ...before,
      nextAt,
      coverage: coverage ?? before.coverage,
    }));
  }

  /** Saves the error and the time of the next attempt. */
  private async fail(failure: SourceError, notBefore = 0): Promise<RoundResult> {
    const { store, clock, random } = this.work;
    const { message, retryAfterMs } = failure;
    const at = clock();
    const isStopped = failure.kind === 'stopped';
    const { nextAt } = await store.changeSource(this.source, (before) => {
      if (isStopped) return afterStop(before, { at, message });
      const after = afterFailure(before, { at, message, retryAfterMs, random: random() });
      return { ...after, nextAt: Math.max(after.nextAt, notBefore) };
    });
    return { ...this.result(nextAt), error: message, isStopped };
  }

  private result(nextAt: number): RoundResult {
    const { source, calls, rows, rejects, problem } = this;
    return { source, calls, rows, rejects, error: problem, isStopped: false, nextAt };
  }

  /** Explains an error without secrets. */
  private asFailure(error: unknown): SourceError {
    const { redact } = this.work;
    if (error instanceof SourceError) {
      return new SourceError(redact(error.message), error.kind, error.retryAfterMs);
    }
    const { message } = error as { message?: string };
    return new SourceError(redact(`Unexpected error: ${message}.`), 'later');
  }
}

/** Undefined if the cursor stays, or was changed in the meantime. */
function cursorAfter(group: AnswerGroup, { cursor }: SourceState): JsonValue | undefined {
  if (JSON.stringify(cursor) !== JSON.stringify(group.start.cursor)) return undefined;
  return group.answers.findLast((answer) => answer.cursor !== undefined)?.cursor;
}
