/** The closed form equals a Kalman filter with matrices. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Belief, type Side } from './filter.ts';

type Matrix = readonly (readonly number[])[];

/** The textbook Kalman filter, with matrices. */
class Reference {
  x: Matrix;
  p: Matrix;

  constructor({ a, aVariance, r, rVariance }: ConstructorParameters<typeof Belief>[0]) {
    this.x = [[a], [r]];
    this.p = [
      [aVariance, 0],
      [0, rVariance],
    ];
  }

  drift({ a, r, aVariance, rVariance }: Parameters<Belief['drift']>[0]): void {
    this.x = add(this.x, [[a], [r]]);
    this.p = add(this.p, [
      [aVariance, 0],
      [0, rVariance],
    ]);
  }

  learn(side: Side, error: number, noise: number): void {
    const h = [[1, side === 'lead' ? 0 : 1]];
    const s = at(times(times(h, this.p), flip(h)), 0, 0) + noise;
    const k = times(times(this.p, flip(h)), [[1 / s]]);
    const kept = add(one, times(times(k, [[-1]]), h));
    this.x = add(this.x, times(k, [[error]]));
    // Joseph form, which keeps the covariance symmetric and positive semidefinite.
    const noiseShare = times(times(k, [[noise]]), flip(k));
    this.p = add(times(times(kept, this.p), flip(kept)), noiseShare);
  }
}

const one: Matrix = [
  [1, 0],
  [0, 1],
];
const at = (m: Matrix, row: number, column: number) => m[row]?.[column] ?? Number.NaN;
const add = (m: Matrix, n: Matrix) => m.map((row, i) => row.map((v, j) => v + at(n, i, j)));
const flip = (m: Matrix) => (m[0] ?? []).map((_, j) => m.map((row) => row[j] ?? Number.NaN));
const times = (m: Matrix, n: Matrix) =>
  m.map((row) => flip(n).map((column) => row.reduce((sum, v, i) => sum + v * (column[i] ?? 0), 0)));

const variance = fc.double({ min: 1e-6, max: 1, noNaN: true });
const number = fc.double({ min: -2, max: 2, noNaN: true });
const start = fc.record({ a: number, aVariance: variance, r: number, rVariance: variance });
const step = fc.oneof(
  fc.record({ drift: start }),
  fc.record({
    side: fc.constantFrom<Side[]>('lead', 'other'),
    error: number,
    noise: fc.double({ min: 1e-4, max: 10, noNaN: true }),
  }),
);

function play(
  belief: Belief | Reference,
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
) {
  for (const each of steps) {
    if ('drift' in each) belief.drift(each.drift);
    else belief.learn(each.side, each.error, each.noise);
  }
}

test('it equals a Kalman filter with matrices', () => {
  fc.assert(
    fc.property(start, fc.array(step, { maxLength: 30 }), (from, steps) => {
      const [belief, reference] = [new Belief(from), new Reference(from)];
      play(belief, steps);
      play(reference, steps);
      expect(belief.a).toBeCloseTo(at(reference.x, 0, 0), 8);
      expect(belief.r).toBeCloseTo(at(reference.x, 1, 0), 8);
      expect(belief.aa).toBeCloseTo(at(reference.p, 0, 0), 8);
      expect(belief.ar).toBeCloseTo(at(reference.p, 0, 1), 8);
      expect(belief.ar).toBeCloseTo(at(reference.p, 1, 0), 8);
      expect(belief.rr).toBeCloseTo(at(reference.p, 1, 1), 8);
    }),
    { seed: 207 },
  );
});

test('variances stay positive, and correlations within 1', () => {
  const sale = step.filter((each) => 'side' in each);
  fc.assert(
    fc.property(start, fc.array(sale, { minLength: 100, maxLength: 400 }), (from, steps) => {
      const belief = new Belief(from);
      play(belief, steps);
      expect(Math.min(belief.aa, belief.rr)).toBeGreaterThan(0);
      expect(belief.variance('other')).toBeGreaterThan(0);
      expect(belief.ar ** 2).toBeLessThanOrEqual(belief.aa * belief.rr * (1 + 1e-9));
    }),
    { seed: 208, numRuns: 50 },
  );
});

test('a sale in one condition moves the other one with it', () => {
  const belief = new Belief({ a: 1, aVariance: 0.04, r: -0.5, rVariance: 0.04 });
  belief.learn('other', 0.3, 0.04);
  // A third of the error each for value, ratio and noise.
  expect(belief.a).toBeCloseTo(1.1, 12);
  expect(belief.r).toBeCloseTo(-0.4, 12);
  expect(belief.expectedLog('lead')).toBe(belief.a);
  expect(belief.expectedLog('other')).toBe(belief.a + belief.r);
});

test('loosening adds variance to value and ratio', () => {
  const belief = new Belief({ a: 0, aVariance: 0.01, r: 0, rVariance: 0.02 });
  belief.loosen({ aVariance: 0.04, rVariance: 0.005 });
  expect(belief.variance('lead')).toBeCloseTo(0.05, 12);
  expect(belief.variance('other')).toBeCloseTo(0.075, 12);
});
