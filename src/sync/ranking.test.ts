/** The order of questions: overdue ones, then by worth, with room for new ones. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Ranking } from './ranking.ts';
import type { QuestionFacts } from './worth.ts';

const facts = (askedDays: number | null, units: number): QuestionFacts => ({
  uncertainty: {
    valueCents: 100_00,
    valueSpread: 0.2,
    saleSpread: 0.15,
    sales: 6,
    usualRate: 0.01,
  },
  interest: { units, lookUps: 0 },
  askedDays,
  isKnown: true,
  reachDays: 170,
  restDays: 0.9,
});

function chosen(limit: number, questions: readonly QuestionFacts[]): number[] {
  const ranking = new Ranking(limit);
  for (const [entry, question] of questions.entries()) ranking.add(entry, question);
  return ranking.chosen();
}

test('overdue questions come first, oldest first; then by worth', () => {
  const questions = [facts(20, 5), facts(165, 0), facts(20, 900), facts(161, 9), facts(0.1, 99)];
  expect(chosen(9, questions)).toEqual([1, 3, 2, 0]);
  expect(chosen(1, questions)).toEqual([1]);
  expect(chosen(0, questions)).toEqual([]);
});

test('one in ten is new, if there are any, however little it is worth', () => {
  const worthMore = Array.from({ length: 30 }, (_, index) => facts(90, 1_000 - index));
  const never = [facts(null, 0), facts(null, 1), facts(null, 0)];
  const best = chosen(20, [...worthMore, ...never]);
  expect(best).toHaveLength(20);
  expect(best.slice(0, 18)).toEqual(Array.from({ length: 18 }, (_, index) => index));
  expect(best.slice(18)).toEqual([31, 30]);
  // One in fifteen, as the second would be one in less than ten.
  expect(chosen(15, [...worthMore, ...never])).toEqual([...Array(14).keys(), 31]);
  // A new question that is last by worth is kept.
  const few = [...worthMore.slice(0, 19), facts(null, 5), facts(90, 0), facts(null, 0)];
  expect(chosen(20, few)).toEqual([...Array(18).keys(), 19, 21]);
  // New questions chosen for their worth count.
  expect(chosen(10, [facts(null, 9_000), ...worthMore, ...never]).slice(-1)).toEqual([9]);
});

test('the limit is used up, without duplicates', () => {
  const question = fc.record({
    askedDays: fc.option(fc.double({ min: 1, max: 300, noNaN: true }), { nil: null }),
    units: fc.nat(50),
  });
  fc.assert(
    fc.property(fc.array(question, { maxLength: 80 }), fc.nat(40), (all, limit) => {
      const best = chosen(
        limit,
        all.map(({ askedDays, units }) => facts(askedDays, units)),
      );
      expect(best.length).toBe(Math.min(limit, all.length));
      expect(new Set(best).size).toBe(best.length);
    }),
  );
});
