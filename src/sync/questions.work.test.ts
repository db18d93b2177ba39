/** All questions with their facts, coverage and places. */
import { expect, test } from 'bun:test';
import { anOutlook } from '../../test/support/builders.ts';
import { noInterest } from '../catalog/interest/interest.ts';
import type { ItemKind } from '../catalog/items/numbers.ts';
import { dayMs, dayOf } from '../kernel/time.ts';
import { keepOutlook } from '../market/values/uncertainty.ts';
import { makePlanner } from './planner.work.ts';
import type { PlanningStore } from './planning.store.ts';
import type { AskedQuestion, Topic } from './planning.ts';
import { AllQuestions } from './questions.work.ts';

const at = Date.UTC(2026, 10, 15, 12);
const topicOf = (name: string, kind: ItemKind, needs: Topic['needs'] = null): Topic => {
  return { name, kind, condition: 'used', reachDays: 90, restDays: 2, needs };
};
const topics = [topicOf('new', 'set'), topicOf('old', 'set'), topicOf('old', 'minifig')];
const asked = (key: string, topic: string, given: Partial<AskedQuestion> = {}): AskedQuestion => {
  return { key, topic, askedAt: null, retryAt: null, isKnown: true, ...given };
};
const daysAgo = (days: number) => at - days * dayMs;

/** Sets 1 to 3 and minifigs a and b, with some earlier questions. */
function storeOf(
  given: {
    readonly asked?: Partial<Record<ItemKind, readonly AskedQuestion[]>>;
    readonly units?: Readonly<Record<string, number>>;
  } = {},
): PlanningStore {
  const keys = { set: ['1', '2', '3'], minifig: ['a', 'b'] };
  const { units = {} } = given;
  return {
    listPlanned: async (kind: ItemKind) =>
      keys[kind].map((key, index) => ({ itemId: index + 1, key, ...keepOutlook(anOutlook()) })),
    listAsked: async (_: string, kind: ItemKind) => given.asked?.[kind] ?? [],
    listWanted: async (kind: ItemKind) =>
      keys[kind]
        .filter((key) => key in units)
        .map((key) => ({ ...noInterest(dayOf(at)), key, units: units[key] ?? 0 })),
    findNumbers: async (ids: readonly number[]) => new Map(ids.map((id) => [id, `#${id}`])),
    findNames: async () => new Map(),
  } as unknown as PlanningStore;
}

const scope = { source: 's', topics, at };
const nameOf = ({ key, topic }: { readonly key: string; readonly topic: string }) =>
  `${key} ${topic}`;

test('every topic of every item is a numbered question', async () => {
  const all = await AllQuestions.load(storeOf(), scope);
  expect(all.count).toBe(8);
  const numbers: number[] = [];
  all.forEach((index) => void numbers.push(index));
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(all.at(0).facts.interest).toEqual({ units: 0, lookUps: 0 });
  const names = numbers.map((index) => {
    const { item, topic } = all.at(index);
    return nameOf({ key: item.key, topic: topic.name });
  });
  const ofSets = ['1 new', '1 old', '2 new', '2 old', '3 new', '3 old'];
  expect(names).toEqual([...ofSets, 'a old', 'b old']);
  expect(() => all.at(8)).toThrow('There is no question 8.');
});

test('earlier questions are found by item and topic', async () => {
  const rows = [
    asked('1', 'new', { askedAt: daysAgo(1) }),
    asked('1', 'old', { askedAt: daysAgo(2) }),
    asked('3', 'old', { askedAt: daysAgo(3), isKnown: false }),
  ];
  const all = await AllQuestions.load(storeOf({ asked: { set: rows } }), scope);
  const days: (number | null)[] = [];
  all.forEach((_, { askedDays }) => void days.push(askedDays));
  expect(days).toEqual([1, 2, null, null, null, 3, null, null]);
  expect(all.at(5).facts.isKnown).toBe(false);
});

test('an answer from the future counts as current', async () => {
  const rows = [asked('1', 'new', { askedAt: at + dayMs })];
  const all = await AllQuestions.load(storeOf({ asked: { set: rows } }), scope);
  expect(all.at(0).facts.askedDays).toBe(0);
});

test('a question is postponed until the instant, exclusive', async () => {
  const all = await AllQuestions.load(storeOf(), scope);
  const isPostponed = (retryAt: number | null) =>
    all.isPostponed({ askedAt: null, isKnown: true, retryAt });
  expect([isPostponed(null), isPostponed(at), isPostponed(at + 1)]).toEqual([false, false, true]);
});

test('questions of an item are of its kind', async () => {
  const all = await AllQuestions.load(storeOf(), scope);
  const of = (kind: ItemKind, key: string) =>
    all.ofItem({ kind, key }).map(({ topic }) => topic.name);
  expect(of('set', '2')).toEqual(['new', 'old']);
  expect(of('minifig', 'a')).toEqual(['old']);
  expect(of('set', 'a')).toEqual([]);
});

test('coverage counts answers, with the oldest and the median', async () => {
  const coverage = (days: readonly number[]) => {
    const rows = days.map((each, index) =>
      asked(`${index + 1}`, 'new', { askedAt: daysAgo(each) }),
    );
    return makePlanner(storeOf({ asked: { set: rows } })).findCoverage('s', topics, at);
  };
  const none = { questions: 8, neverAsked: 8, oldestAt: null, medianAt: null };
  expect(await coverage([])).toEqual(none);
  expect(await coverage([5])).toEqual({
    questions: 8,
    neverAsked: 7,
    oldestAt: daysAgo(5),
    medianAt: daysAgo(5),
  });
  expect(await coverage([1, 9])).toMatchObject({ oldestAt: daysAgo(9), medianAt: daysAgo(9) });
  expect(await coverage([1, 9, 5])).toMatchObject({ oldestAt: daysAgo(9), medianAt: daysAgo(5) });
});

test('the most wanted items come first, without postponed ones', async () => {
  const rows = [asked('2', 'new', { retryAt: at + 1 }), asked('2', 'old', { askedAt: daysAgo(1) })];
  const planner = makePlanner(storeOf({ asked: { set: rows }, units: { '2': 9, '3': 5, a: 7 } }));
  const ranked = await planner.rank({ ...scope, limit: 3 });
  expect(ranked.map((each) => [nameOf(each), each.number, each.askedAt])).toEqual([
    ['a old', '#1', null],
    ['3 new', '#3', null],
    ['3 old', '#3', null],
  ]);
  expect(ranked.every(({ worth }) => worth > 0)).toBe(true);
  expect(await planner.rank({ ...scope, limit: 99 })).toHaveLength(6);
});

test('a place counts questions worth more; postponed ones have their earliest time', async () => {
  const rows = [
    asked('1', 'old', { askedAt: daysAgo(1) }),
    asked('2', 'new', { retryAt: at + 5 }),
    asked('2', 'old', { askedAt: daysAgo(1), retryAt: at + 9 * dayMs }),
  ];
  const planner = makePlanner(storeOf({ asked: { set: rows }, units: { '1': 5, '3': 9, a: 7 } }));
  const places = async (key: string) =>
    (await planner.findQueued(scope, { kind: 'set', key })).map((each) => [
      each.topic,
      each.queueNumber,
      each.notBefore,
    ]);
  // Two questions about set 3 and one about minifig a are worth more.
  expect(await places('1')).toEqual([
    ['new', 4, null],
    ['old', null, daysAgo(1) + 2 * dayMs],
  ]);
  expect(await places('2')).toEqual([
    ['new', null, expect.any(Number)],
    ['old', null, at + 9 * dayMs],
  ]);
  expect(await places('3')).toEqual([
    ['new', 1, null],
    ['old', 1, null],
  ]);
});
