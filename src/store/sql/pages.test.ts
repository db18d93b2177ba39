/** Iterating over long lists in parts. */
import { expect, test } from 'bun:test';
import { eachPart } from './pages.ts';

test('each row is visited once, and each part continues after the last row of the previous one', () => {
  const ids = [3, 4, 9, 10, 12];
  const asked: number[] = [];
  const visited: number[][] = [];
  const operation = eachPart(
    function* (afterId) {
      asked.push(afterId);
      return ids
        .filter((id) => id > afterId)
        .map((id) => ({ id }))
        .slice(0, 2);
    },
    (rows) => {
      visited.push(rows.map(({ id }) => id));
      return undefined;
    },
  );
  expect(operation.next().done).toBe(true);
  expect(asked).toEqual([0, 4, 10, 12]);
  expect(visited).toEqual([[3, 4], [9, 10], [12]]);
});
