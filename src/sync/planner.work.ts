/** Ranks questions by the worth of their answers. */

import { at } from '../kernel/at.ts';
import { dayMs } from '../kernel/time.ts';
import type { PlanningStore } from './planning.store.ts';
import type {
  ItemName,
  Planner,
  PlanOverview,
  PlanScope,
  QueuedQuestion,
  RankedQuestion,
} from './planning.ts';
import { AllQuestions, type AskedState } from './questions.work.ts';
import { Ranking, scoreOf } from './ranking.ts';
import type { Coverage } from './source-state.ts';
import { type QuestionFacts, reasonOf, standingOf, waitDays } from './worth.ts';

export function makePlanner(store: PlanningStore): Planner & PlanOverview {
  return {
    rank: (scope) => rank(store, scope),
    findCoverage: async (source, topics, at) =>
      coverageOf(await AllQuestions.load(store, { source, topics, at })),
    findQueued: async (scope, item) => findQueued(await AllQuestions.load(store, scope), item),
    findNames: store.findNames,
  };
}

async function rank(
  store: PlanningStore,
  scope: PlanScope & { readonly limit: number },
): Promise<RankedQuestion[]> {
  const all = await AllQuestions.load(store, scope);
  const ranking = new Ranking(Math.min(scope.limit, all.count));
  all.forEach((index, facts, state) => {
    if (!all.isPostponed(state)) ranking.add(index, facts);
  });
  const chosen = ranking.chosen().map((index) => all.at(index));
  const numbers = await store.findNumbers([...new Set(chosen.map(({ item }) => item.itemId))]);
  return chosen.map(({ item, topic, state: { askedAt }, facts }) => ({
    kind: topic.kind,
    key: item.key,
    topic: topic.name,
    number: numbers.get(item.itemId) ?? item.key,
    worth: standingOf(facts)?.worth ?? 0,
    askedAt,
    reason: reasonOf(facts),
  }));
}

function coverageOf(all: AllQuestions): Coverage {
  const times = new Float64Array(all.count);
  let known = 0;
  all.forEach((_index, _facts, { askedAt }) => {
    if (askedAt !== null) times[known++] = askedAt;
  });
  const sorted = times.subarray(0, known).sort();
  return {
    questions: all.count,
    neverAsked: all.count - known,
    oldestAt: sorted[0] ?? null,
    medianAt: sorted[(known - 1) >> 1] ?? null,
  };
}

function findQueued(all: AllQuestions, item: ItemName): QueuedQuestion[] {
  const own = all.ofItem(item);
  const scoreNow = (facts: QuestionFacts, state: AskedState) =>
    all.isPostponed(state) ? null : scoreOf(facts);
  const scores = own.map(({ facts, state }) => scoreNow(facts, state));
  const before = own.map(() => 0);
  all.forEach((_index, facts, state) => {
    const score = scoreNow(facts, state);
    for (const [index, mine] of scores.entries()) {
      if (score !== null && mine !== null && score > mine) before[index] = at(before, index) + 1;
    }
  });
  return own.map(({ topic, facts, state: { askedAt, retryAt } }, index) => {
    const isAsked = scores[index] !== null;
    const rested = (askedAt ?? 0) + waitDays(facts) * dayMs;
    return {
      topic: topic.name,
      askedAt,
      isKnown: facts.isKnown,
      queueNumber: isAsked ? at(before, index) + 1 : null,
      notBefore: isAsked ? null : Math.round(Math.max(retryAt ?? 0, rested)),
      reason: reasonOf(facts),
    };
  });
}
