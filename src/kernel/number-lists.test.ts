/** Lists of numbers: building, reordering and inverting. */
import { expect, test } from 'bun:test';
import { invertLists, type NumberLists, NumberListsBuilder } from './number-lists.ts';

function toArrays({ starts, values }: NumberLists): number[][] {
  return [...starts.subarray(1)].map((end, list) => [...values.subarray(starts[list], end)]);
}

function build(lists: readonly number[][], order: number[], replace: number[] | null) {
  const builder = new NumberListsBuilder();
  for (const list of lists) {
    builder.begin();
    for (const value of list) builder.push(value);
  }
  return builder.build(Uint32Array.from(order), replace && Uint32Array.from(replace));
}

const lists = [[1, 2, 1], [], [0], [2, 0]];

test('lists are reordered, and their values replaced', () => {
  const built = build(lists, [0, 1, 2, 3], null);
  expect(toArrays(built)).toEqual(lists);
  expect([...built.values]).toEqual(lists.flat());
  expect(toArrays(build(lists, [3, 0, 2, 1], [7, 8, 9]))).toEqual([[9, 7], [8, 9, 8], [7], []]);
});

test('inverted lists contain the lists of each value, once and in order', () => {
  expect(toArrays(invertLists(build(lists, [0, 1, 2, 3], null), 4))).toEqual([
    [2, 3],
    [0],
    [0, 3],
    [],
  ]);
});

test('the initial capacity is extended', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => [index, index + 1]);
  const order = many.map((_, index) => index);
  expect(toArrays(build(many, order, null))).toEqual(many);
});
