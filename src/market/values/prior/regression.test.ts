/** Robust ridge regression: shrinkage to its center, and outliers. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { deviationOf, fitRobustly, type RegressionTask, residualsOf } from './regression.ts';

/** A task with an intercept only, or with several features. */
function taskOf(
  targets: readonly number[],
  facts: Partial<Omit<RegressionTask, 'targets'>> = {},
): RegressionTask {
  return {
    targets: Float64Array.from(targets),
    features: [new Float64Array(targets.length).fill(1)],
    noise: new Float64Array(targets.length).fill(1),
    center: [0],
    ridge: [1],
    ...facts,
  };
}

/** The lower median, by sorting. */
function lowerMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}

/** Textbook Huber weights, divided by the squared noise. */
function weightsOf(residuals: readonly number[], noise: readonly number[]): number[] {
  const sizes = residuals.map((residual, i) => Math.abs(residual) / (noise[i] ?? 1));
  const limit = 1.345 * Math.max(1e-6, 1.4826 * lowerMedian(sizes));
  return sizes.map((size, i) => Math.min(1, limit / size) / (noise[i] ?? 1) ** 2);
}

describe('residuals', () => {
  test('are target minus prediction', () => {
    const features = [Float64Array.of(1, 1, 1), Float64Array.of(2, 3, 5)];
    const task = taskOf([10, 20, 40], { features, center: [0, 0], ridge: [1, 1] });
    expect([...residualsOf(task, [4, 2])]).toEqual([2, 10, 26]);
    expect([...task.targets]).toEqual([10, 20, 40]);
  });

  test('have a deviation of 1.4826 times their median size in units of noise', () => {
    const ones = (n: number) => new Float64Array(n).fill(1);
    expect(deviationOf(Float64Array.of(-3, 1, 2), ones(3))).toBeCloseTo(2 * 1.4826, 12);
    expect(deviationOf(Float64Array.of(4, -3, 1, 2), ones(4))).toBeCloseTo(2 * 1.4826, 12);
    const noise = Float64Array.of(1, 4, 2);
    expect(deviationOf(Float64Array.of(-3, 4, 4), noise)).toBeCloseTo(2 * 1.4826, 12);
    expect(deviationOf(Float64Array.of(-0.5), ones(1))).toBeCloseTo(0.5 * 1.4826, 12);
    expect(deviationOf(new Float64Array(0), ones(0))).toBe(0);
  });

  test('have the same median as by sorting', () => {
    const list = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(list, (values) => {
        const noise = new Float64Array(values.length).fill(1);
        const found = deviationOf(Float64Array.from(values), noise) / 1.4826;
        expect(found).toBeCloseTo(lowerMedian(values), 9);
      }),
      { seed: 231, numRuns: 300 },
    );
  });
});

describe('a regression', () => {
  test('stays at its center without examples', () => {
    const empty = { features: [new Float64Array(0), new Float64Array(0)], ridge: [2, 3] };
    expect(fitRobustly(taskOf([], { ...empty, center: [5, -7] }))).toEqual([5, -7]);
  });

  test('is shrunk to its center by pseudo-examples', () => {
    // Two examples at 4, and two pseudo-examples at 10.
    expect(fitRobustly(taskOf([4, 4], { center: [10], ridge: [2] }))[0]).toBeCloseTo(7, 2);
    expect(fitRobustly(taskOf([4, 4], { center: [10], ridge: [6] }))[0]).toBeCloseTo(8.5, 2);
  });

  test('weights an example of twice the noise by a quarter', () => {
    const task = taskOf([0, 1, 1], { noise: Float64Array.of(1, 2, 2), ridge: [0] });
    expect(fitRobustly(task)[0]).toBeCloseTo(1 / 3, 2);
  });

  test('that is singular returns the start', () => {
    const features = [new Float64Array(2)];
    expect(fitRobustly(taskOf([4, 5], { features, ridge: [0] }), [3])).toEqual([3]);
  });

  test('finds an exact line from any start', () => {
    const x = [0, 1, 2, 3, 4, 5, 6, 7];
    const features = [Float64Array.from(x, () => 1), Float64Array.from(x)];
    const task = taskOf(
      x.map((at) => 2 - 0.5 * at),
      { features, center: [0, 0], ridge: [0, 0] },
    );
    for (const near of [
      [0, 0],
      [9, 9],
    ]) {
      const [base = 0, slope = 0] = fitRobustly(task, near);
      expect([base, slope].map((value) => value.toFixed(6))).toEqual(['2.000000', '-0.500000']);
    }
  });

  test('is robust against outliers', () => {
    const targets = [0.9, 1.1, 0.8, 1.2, 1, 1.05, 0.95, 40];
    expect(fitRobustly(taskOf(targets, { ridge: [0] }))[0]).toBeWithin(0.95, 1.1);
  });

  test('satisfies its normal equations', () => {
    const number = fc.double({ min: -2, max: 2, noNaN: true });
    const example = fc.record({ target: number, x: number, noise: fc.constantFrom(1, 1, 2) });
    const examples = fc.array(example, { minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(examples, (all) => {
        const columns = [all.map(() => 1), all.map(({ x }) => x)];
        const noise = all.map((one) => one.noise);
        const center = [0.3, -0.2];
        const ridge = [4, 5];
        const task = taskOf(
          all.map(({ target }) => target),
          {
            features: columns.map((column) => Float64Array.from(column)),
            noise: Float64Array.from(noise),
            center,
            ridge,
          },
        );
        const found = fitRobustly(task);
        const residuals = [...residualsOf(task, found)];
        const weights = weightsOf(residuals, noise);
        for (const [j, column] of columns.entries()) {
          const pull = (ridge[j] ?? 0) * ((center[j] ?? 0) - (found[j] ?? 0));
          const errors = column.reduce(
            (sum, x, i) => sum + (weights[i] ?? 0) * x * (residuals[i] ?? 0),
            0,
          );
          expect(Math.abs(errors + pull)).toBeLessThan(0.05);
        }
      }),
      { seed: 232, numRuns: 60 },
    );
  });
});
