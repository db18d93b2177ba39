/** Grades of condition: their names, their order, and their effect on values. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  assumedEffects,
  conditionOfGrade,
  type Grade,
  gradedCents,
  gradePercent,
  gradeShare,
  incompleteGrade,
  orderedEffects,
  parseGrade,
  plainGrade,
  sealedGrades,
} from './grades.ts';

test.each(['perfect', 'complete_boxed', 'incomplete', 'incomplete_1', 'incomplete_99', 'parts'])(
  '%s is a grade',
  (text) => {
    const grade = parseGrade(text);
    expect(grade as string).toBe(text);
  },
);

test.each(['', 'Perfect', 'incomplete_', 'incomplete_0', 'incomplete_07', 'incomplete_100', 'x'])(
  "'%s' is no grade",
  (text) => expect(parseGrade(text)).toBeNull(),
);

test('an incomplete grade has a percentage, or none', () => {
  expect([gradePercent('incomplete_85'), gradePercent('incomplete')]).toEqual([85, null]);
  expect([gradePercent('parts'), plainGrade('incomplete_85')]).toEqual([null, 'incomplete']);
  expect(conditionOfGrade('incomplete_85')).toBe('used');
  expect(conditionOfGrade('light_wear')).toBe('sealed');
});

test.each([
  [null, 1, false],
  ['perfect', 1, false],
  ['light_wear', 0.96, true],
  ['damaged_box', 0.9, true],
  ['complete_boxed', 1, false],
  ['complete', 0.95, true],
  ['incomplete_90', 0.8, true],
  ['incomplete', 0.65, true],
  ['incomplete_80', 0.65, true],
  ['incomplete_40', 0.475, true],
  ['parts', 0.3, true],
] as const)('without sales, %s is worth %p of its condition', (grade, share, isAssumed) => {
  const found = gradeShare(grade, assumedEffects);
  expect(found.share).toBeCloseTo(share, 10);
  expect(found.isAssumed).toBe(isAssumed);
});

test('what sales say is not assumed', () => {
  const effects = { ...assumedEffects, damaged_box: { share: 0.8, sales: 50 } };
  const damaged = { share: 0.8, isAssumed: false, isModeled: false, sales: 50 };
  expect(gradeShare('damaged_box', effects)).toEqual(damaged);
  // There are no sales of lightly worn boxes, but their share follows.
  expect(gradeShare('light_wear', effects)).toMatchObject({ share: 0.92, isAssumed: true });
});

/** The grades of each condition, best first. */
const incompletes = Array.from({ length: 99 }, (_, index) => incompleteGrade(99 - index));
const orders: readonly (readonly Grade[])[] = [
  sealedGrades,
  ['complete_boxed', 'complete', ...incompletes, 'parts'],
];

describe('a worse grade is never worth more', () => {
  const share = fc.double({ min: 0.01, max: 3, noNaN: true });
  const effect = fc.record({ share, sales: fc.constantFrom(0, 40) });

  test('whatever sales say, to the cent', () => {
    fc.assert(
      fc.property(
        fc.record({ damaged_box: effect, complete: effect, incomplete: effect }),
        fc.nat(1_000_000),
        (learned, cents) => {
          const effects = orderedEffects(learned);
          for (const grades of orders) {
            const values = grades.map((grade) => gradedCents(cents, gradeShare(grade, effects)));
            expect(values).toEqual(values.toSorted((a, b) => (b ?? 0) - (a ?? 0)));
            expect(values[0]).toBe(cents);
            expect(values.at(-1)).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });
});

test('without a value there is none of a grade', () => {
  expect(gradedCents(null, gradeShare('parts', assumedEffects))).toBeNull();
  expect(gradedCents(333, gradeShare('damaged_box', assumedEffects))).toBe(300);
});
