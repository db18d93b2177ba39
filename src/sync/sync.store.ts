/** The state of sources with automatic imports, and of the questions asked. */

import type { StoreClock } from '../store/sql/clock.ts';
import * as db from '../store/sql/operation.ts';
import { columnsOf, tables } from '../store/sql/tables.ts';
import { callsOf, type SpendRequest, spend } from './budget.ts';
import type { ItemQuestion } from './planning.ts';
import type { NamedState, Question, SourceState, Spending } from './source-state.ts';
import { countDay, emptyState, questionRetryAt } from './state-changes.ts';

/** Processes that share a store share budgets. */
export function marketSync(engine: db.Engine, clock: StoreClock) {
  return {
    ...db.methods(engine.run, { listSources, findSource }),
    ...db.methods(engine.transaction, { postponeQuestions }),
    /** Charges calls before they are made, unless the budget is exceeded. */
    spend: (source: string, request: SpendRequest) =>
      engine.transaction(function* (): db.Operation<Spending> {
        yield* db.lock(lockOf(source));
        const before = yield* findSource(source);
        // All processes that share a budget use one clock.
        const at = yield* instant(request.at, clock);
        const result = spend(before.budget, { ...request, at });
        if (!result.isGranted) return result;
        const calls = callsOf(request.rule, request.cost);
        const after = countDay({ ...before, budget: result.after }, at, { calls });
        yield* saveState(source, after);
        return { isGranted: true };
      }),
    /** Changes the state of a source under a lock. */
    changeSource: (source: string, change: (before: SourceState) => SourceState) =>
      engine.transaction(function* () {
        yield* db.lock(lockOf(source));
        const after = change(yield* findSource(source));
        yield* saveState(source, after);
        return after;
      }),
    /** Saves when questions were answered, and which of them the source does not know. */
    saveAnswers: (
      source: string,
      {
        at,
        known,
        unknown,
      }: {
        readonly at: number;
        readonly known: readonly Question[];
        readonly unknown: readonly Question[];
      },
    ) => {
      const answered = (isKnown: boolean) => (question: Question) => {
        return { source, ...question, askedAt: at, failures: 0, retryAt: null, isKnown };
      };
      const rows = [...known.map(answered(true)), ...unknown.map(answered(false))];
      return engine.transaction(() => saveQuestions(rows));
    },
  };
}

export interface SyncStore extends ReturnType<typeof marketSync> {}

interface StateRow {
  readonly name: string;
  readonly body: string;
}

interface QuestionRow extends Question, ItemQuestion {}

const lockOf = (source: string) => `sync ${source}`;

/** All sources that were ever called, by name. Servers may read this. */
function* listSources(): db.Reading<NamedState[]> {
  const sql = 'SELECT s.name, s.body FROM published.sync_source s ORDER BY s.name';
  const rows = yield* db.query<StateRow>(sql);
  return rows.map(({ name, body }) => ({ source: name, state: JSON.parse(body) }));
}

/** The state is empty if the source was never called. */
function* findSource(source: string): db.Reading<SourceState> {
  const sql = 'SELECT s.name, s.body FROM published.sync_source s WHERE s.name = $1::text';
  const row = yield* db.first<StateRow>(sql, [source]);
  return row ? JSON.parse(row.body) : emptyState;
}

function saveState(source: string, state: SourceState): db.Operation<void> {
  const row: StateRow = { name: source, body: JSON.stringify(state) };
  return db.saveRows(tables.syncSource, [row]);
}

function* instant(at: number, clock: StoreClock): db.Reading<number> {
  const sql = 'SELECT published.instant($1::bigint, $2::bigint)::float8 AS at';
  const row = yield* db.first<{ at: number }>(sql, clock(at));
  return row?.at ?? at;
}

/** Postpones questions after a failed call, with a growing delay. */
function* postponeQuestions(
  source: string,
  questions: readonly Question[],
  at: number,
): db.Operation<void> {
  const known = yield* db.query<QuestionRow>(
    `SELECT ${columnsOf(tables.syncItem, 'i')} FROM source.sync_item i
     WHERE i.source = $1::text AND i.key = ANY($2::text[])`,
    [source, questions.map(({ key }) => key)],
  );
  const before = new Map(known.map((row) => [nameOf(row), row]));
  const rows = questions.map((question) => {
    const { askedAt = null, failures = 0, isKnown = true } = before.get(nameOf(question)) ?? {};
    const retryAt = questionRetryAt(failures + 1, at);
    return { source, ...question, askedAt, failures: failures + 1, retryAt, isKnown };
  });
  yield* saveQuestions(rows);
}

function saveQuestions(rows: readonly QuestionRow[]): db.Operation<void> {
  // A question that was asked twice is written once.
  const each = [...new Map(rows.map((row) => [nameOf(row), row])).values()];
  return db.saveRows(tables.syncItem, each);
}

function nameOf({ kind, key, topic }: Question): string {
  return `${kind} ${topic} ${key}`;
}
