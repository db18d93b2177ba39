/** Solving positive definite systems, and rejecting others. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { solveSymmetric } from './cholesky.ts';

test('the solution of any positive definite system solves it', () => {
  const entry = fc.double({ min: -3, max: 3, noNaN: true });
  const system = fc.integer({ min: 1, max: 8 }).chain((size) =>
    fc.record({
      factor: fc.array(entry, { minLength: size * size, maxLength: size * size }),
      solution: fc.array(entry, { minLength: size, maxLength: size }),
    }),
  );
  fc.assert(
    fc.property(system, ({ factor, solution }) => {
      const size = solution.length;
      const indexes = [...solution.keys()];
      const product = (row: number, column: number) =>
        indexes.reduce(
          (sum, k) => sum + (factor[row * size + k] ?? 0) * (factor[column * size + k] ?? 0),
          row === column ? 1 : 0,
        );
      const matrix = indexes.flatMap((row) => indexes.map((column) => product(row, column)));
      const right = indexes.map((row) =>
        indexes.reduce((sum, k) => sum + product(row, k) * (solution[k] ?? 0), 0),
      );
      const found = solveSymmetric({
        matrix: Float64Array.from(matrix),
        right: Float64Array.from(right),
      });
      for (const [k, value] of solution.entries()) expect(found?.[k]).toBeCloseTo(value, 6);
    }),
  );
});

test.each([
  ['zero', [0, 0, 0, 0]],
  ['negative', [1, 0, 0, -1]],
  ['singular', [1, 1, 1, 1]],
  ['not a number', [1, 0, 0, Number.NaN]],
])('a matrix that is %s has no solution', (_, matrix) => {
  const right = Float64Array.from([1, 2]);
  expect(solveSymmetric({ matrix: Float64Array.from(matrix), right })).toBeNull();
});
