/**
 * A round of one source: plans, asks, keeps the answers, imports them and writes down how far it
 * came. Nothing sleeps in here: what fails ends the round, and when to try again is in the store.
 */
import type { JsonValue } from '../domain/kernel/json.ts';
import { type Clock, minuteMs } from '../domain/kernel/time.ts';
import { callsOf, leftOf } from '../domain/sync/budget.ts';
import type { Planner, Topic } from '../domain/sync/planning.ts';
import type { Coverage, SourceState } from '../domain/sync/source-state.ts';
import {
  afterFailure,
  afterStop,
  afterSuccess,
  countDay,
  withTokens,
} from '../domain/sync/state-changes.ts';
import type { SyncStore } from '../domain/sync/sync-store.ts';
import type { AnswerFolders, AnswerGroup, ImportGroup } from './answers.ts';
import { type SourceClient, SourceError } from './client.ts';
import type { Answer, Connector, Plan, PlannedCall } from './connector.ts';

/** Calls of one round at most, and how long it may go on asking. */
export const roundMax = { calls: 50, ms: minuteMs };

/** A source that has nothing to ask is not planned for again at once. */
const idleMsMin = minuteMs;

/** When so many calls are refused and none is answered, the others would be refused as well. */
const refusedMax = 5;

/** Answers whose import never comes to its end are not taken up more often. */
const takenUpMax = 3;

/** A source without a budget is not called again so soon after a process died calling it. */
const deadCallMs = 10 * minuteMs;

/** Files that an import refuses, with the reason in words. */
export class ImportRefusal extends Error {}

/** What an import of answers came to. */
export interface ImportCounts {
  readonly rows: number;
  readonly rejects: number;
  /** Those of the rejects that lack an item or a rate. */
  readonly missing: number;
  /** Rows that were added, or are others now. */
  readonly changed: number;
  /** What is wrong with it as a whole although it was imported; null: nothing. */
  readonly problem: string | null;
}

/** What rounds work with. */
export interface RoundWork {
  readonly store: SyncStore;
  readonly client: SourceClient;
  readonly planner: Planner & {
    /** How recent the answers to these questions are; left out where nobody counts. */
    findCoverage?(source: string, topics: readonly Topic[], at: number): Promise<Coverage>;
  };
  readonly answers: AnswerFolders;
  readonly clock: Clock;
  /** At least 0 and below 1. */
  random(): number;
  /** Imports files; throws an `ImportRefusal` for those that cannot be, now or later. */
  importFiles(files: ImportGroup & { readonly folder: string }): Promise<ImportCounts>;
  /** Throws when another process has taken over. */
  keepLease(): Promise<void>;
  /** Whether to end after the call at hand. */
  isStopping(): boolean;
  /** Text without secrets. */
  redact(text: string): string;
  /** Told before each call of a source. */
  onCall?(source: string, call: PlannedCall, count: number): void;
  /** Told of a question that cannot be answered, while the others can. */
  onSkipped?(source: string, call: PlannedCall, message: string): void;
}

/** What a round came to. */
export interface RoundResult {
  readonly source: string;
  readonly calls: number;
  readonly rows: number;
  readonly rejects: number;
  /** Why it ended early, or what is wrong with what came; null: nothing. */
  readonly error: string | null;
  readonly isStopped: boolean;
  /** When the source is to be asked again. */
  readonly nextAt: number;
}

/**
 * Runs a round of a source, after what an earlier one left behind. One that is to be repeated is
 * asked as if it never had been.
 */
export async function runRound(
  connector: Connector,
  work: RoundWork,
  isRepeated = false,
): Promise<RoundResult> {
  return new Round(connector, work).run(isRepeated);
}

/** How asking ended: when to go on, or what failed. */
type Ended = { readonly nextAt: number } | { readonly failure: SourceError };

/** A call that does not end asking, and whether its answer said that there is more to ask. */
type Made = { readonly hasMore: boolean };

/** What the imports of a group came to together; `missing` is null when there were none. */
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
  /** Calls that were answered, and those that were refused one by one. */
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
      const refused = await this.takeUp(group);
      if (refused) return this.fail(refused);
    }
    const { cursor } = await this.work.store.findSource(this.source);
    const group = answers.begin(this.source, { at: this.startedAt, cursor });
    const ended = await this.ask(group, isRepeated ? null : cursor);
    this.problem ??= this.refusedText();
    if (group.answers.length > 0) {
      const nextAt = 'nextAt' in ended ? ended.nextAt : null;
      const refused = await this.finish(group, nextAt);
      // Asked again sooner than it would have been, a source would say the same.
      if (refused) return this.fail(refused, nextAt ?? 0);
    } else if ('nextAt' in ended) {
      await this.postpone(ended.nextAt);
    }
    if ('failure' in ended) return this.fail(ended.failure);
    // When nothing is answered, a setting may be wrong rather than every question.
    if (this.lastRefusal && this.answered === 0) return this.fail(this.lastRefusal, ended.nextAt);
    return this.result(ended.nextAt);
  }

  /** Asks until there is nothing more to ask, the round is long enough, or a call fails. */
  private async ask(group: AnswerGroup, from: JsonValue): Promise<Ended> {
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
        // The last answer decides.
        hasMore = made.hasMore;
      }
      if (!hasMore || this.isLongEnough()) return { nextAt: this.nextAt(plan, hasMore) };
    }
  }

  /** One call: how asking ended with it, unless it was answered, or cannot be and others can. */
  private async make(call: PlannedCall, group: AnswerGroup): Promise<Made | Ended> {
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
      // What costs nothing was not asked.
      if (cost > 0) this.answered++;
      const { tokens } = answer;
      if (tokens) await store.changeSource(source, (before) => withTokens(before, tokens));
      return { hasMore: answer.hasMore === true };
    }
    // A question that makes its call fail must not keep the others waiting.
    if (answer.kind !== 'stopped') await store.postponeQuestions(source, questions, clock());
    if (answer.kind !== 'item' || questions.length === 0) return { failure: answer };
    work.onSkipped?.(source, call, answer.message);
    this.refused++;
    this.lastRefusal = answer;
    const isHopeless = this.answered === 0 && this.refused >= refusedMax;
    return isHopeless ? { failure: answer } : { hasMore: false };
  }

  /** However the round ends, it says when to go on; unless the process ends before it. */
  private async waitIfKilled(): Promise<void> {
    const nextAt = this.work.clock() + deadCallMs;
    await this.work.store.changeSource(this.source, (before) => ({ ...before, nextAt }));
  }

  /** An answer that cannot be kept has failed like one that did not come. */
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
      cursor,
      at,
      limit: Math.max(1, roundMax.calls - this.calls),
      left: budget && leftOf(state.budget, budget, at),
      planner,
    });
  }

  private nextAt({ nextAt, calls }: Plan, hasMore: boolean): number {
    const now = this.work.clock();
    if (hasMore) return now;
    return calls.length > 0 ? nextAt : Math.max(nextAt, now + idleMsMin);
  }

  /** Imports what an earlier process fetched, unless others have been there since. */
  private async takeUp(group: AnswerGroup): Promise<SourceError | null> {
    const { lastSuccessAt } = await this.work.store.findSource(this.source);
    const isOvertaken = lastSuccessAt !== null && lastSuccessAt >= group.endedAt;
    if (isOvertaken || group.answers.length === 0) {
      group.end({ refused: 'It is in the store already, or was asked again.' });
      return null;
    }
    if (group.takenUp >= takenUpMax) return this.giveUp(group);
    group.noteTakenUp(this.work.clock());
    return this.finish(group, null, true);
  }

  /** An import that ended its process again and again would go on doing so. */
  private async giveUp(group: AnswerGroup): Promise<SourceError> {
    const message =
      `Importing ${this.work.answers.nameOf(group)} failed ${takenUpMax + 1} times. ` +
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

  /** Imports a group and writes down what it answered; why it was refused, if it was. */
  private async finish(
    group: AnswerGroup,
    nextAt: number | null,
    isTakenUp = false,
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
      // Of what was taken up, an earlier process may have imported all before it died.
      const isNews = changed > 0 || (isTakenUp && rows > 0);
      const asked = { at: group.endedAt, nextAt: nextAt ?? at, cursor, coverage };
      const success = { ...asked, missing, changedAt: isNews ? at : null };
      const after = countDay(afterSuccess(state, success), at, { rows, rejects });
      const { problem } = this;
      if (problem === null) return after;
      return { ...after, lastError: { at, message: problem, isStopped: false } };
    });
    group.end({ done: clock() });
    return null;
  }

  /** Imports what it can of a group: what that came to, and why the rest was refused. */
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

  /** Writes down why there is no answer, and when to try again. */
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

  /** Whatever was thrown while a source was asked, in words that hide secrets. */
  private asFailure(error: unknown): SourceError {
    const { redact } = this.work;
    if (error instanceof SourceError) {
      return new SourceError(redact(error.message), error.kind, error.retryAfterMs);
    }
    const { message } = error as { message?: string };
    return new SourceError(redact(`Unexpected error: ${message}.`), 'later');
  }
}

/** The bookmark after a group; undefined where it stays, or has moved on without it. */
function cursorAfter(group: AnswerGroup, { cursor }: SourceState): JsonValue | undefined {
  if (JSON.stringify(cursor) !== JSON.stringify(group.start.cursor)) return undefined;
  return group.answers.findLast((answer) => answer.cursor !== undefined)?.cursor;
}
