/** The rows that a learner gets, and the pauses between slices. */
import { expect, test } from 'bun:test';
import { storedSale } from '../../../test/support/item-inputs.ts';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { weekOf, weekStart } from '../../kernel/time.ts';
import type { MinifigToValue, SetToValue, ValueEngine } from './estimator.ts';
import { type LearningItem, makeLearner } from './learning.work.ts';

const at = weekStart(weekOf(Date.UTC(2026, 5, 1)));
const week = weekOf(at);
const sale = (sourceId: string, ingestedAt: number, retractedAt: number | null = null) =>
  storedSale({ sourceId, soldAt: at, ingestedAt, retractedAt });

async function learned(items: readonly LearningItem[], knownBefore: number | null, slice = 10) {
  const given: string[] = [];
  let pauses = 0;
  const tell = (kind: string) => (item: SetToValue | MinifigToValue, rank: number) => {
    const sales = item.sales.map(({ sourceId, retractedAt }) =>
      retractedAt === null ? sourceId : `-${sourceId}`,
    );
    const weeks = 'retailWeeks' in item ? item.retailWeeks.map((each) => each.week - week) : [];
    given.push([kind, rank, ...sales, ...weeks].join(' '));
  };
  const engine: ValueEngine = {
    ...plainEngine,
    startLearning: () => ({
      ...plainEngine.startLearning(),
      addSet: tell('set'),
      addMinifig: tell('minifig'),
    }),
  };
  const pause = async () => {
    pauses++;
  };
  await makeLearner(engine, items, {
    knownBefore,
    pace: { slice: { items: slice, rows: 1 }, pause },
  });
  return { given, pauses };
}

const setOf = (rank: number, sales: readonly ReturnType<typeof sale>[], weeks: number[] = []) => {
  const retailWeeks = weeks.map((each) => ({ week: week + each }));
  return { kind: 'set', rank, item: { facts: {}, sales, retailWeeks } } as unknown as LearningItem;
};
const minifigOf = (rank: number, sales: readonly ReturnType<typeof sale>[]) =>
  ({ kind: 'minifig', rank, item: { facts: {}, sales } }) as unknown as LearningItem;

test('without a time, all rows count', async () => {
  const items = [setOf(1, [sale('a', at, at + 1)], [0, 1]), minifigOf(2, [sale('b', at + 9)])];
  expect((await learned(items, null)).given).toEqual(['set 1 -a 0 1', 'minifig 2 b']);
});

test('with a time, rows count that were known and not retracted then', async () => {
  const sales = [
    sale('known', at - 1),
    sale('late', at),
    sale('gone', at - 2, at - 1),
    sale('going', at - 2, at),
  ];
  // A week counts once it is over.
  const items = [setOf(1, sales, [-2, -1, 0]), minifigOf(2, [sale('late', at)])];
  expect((await learned(items, at)).given).toEqual(['set 1 known -gone going -2 -1']);
});

test('a pause that throws aborts learning before any item', async () => {
  const added: string[] = [];
  const engine: ValueEngine = {
    ...plainEngine,
    startLearning: () => ({
      ...plainEngine.startLearning(),
      addMinifig: () => added.push('minifig'),
    }),
  };
  const pause = () => Promise.reject(new Error('It is to end.'));
  const pace = { slice: { items: 1, rows: 1 }, pause };
  const learning = makeLearner(engine, [minifigOf(1, [sale('a', at)])], {
    knownBefore: null,
    pace,
  });
  await expect(learning).rejects.toThrow('It is to end.');
  expect(added).toEqual([]);
});

test('there is a pause before each slice of items', async () => {
  const items = Array.from({ length: 5 }, (_, index) => minifigOf(index, [sale('a', at)]));
  expect((await learned(items, null, 2)).pauses).toBe(3);
  expect((await learned(items, null, 5)).pauses).toBe(1);
});
