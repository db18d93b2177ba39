/** The best entries are the first ones of a full sort. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TopList } from './top-list.ts';

test('the entries equal the start of the sorted list', () => {
  const score = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer());
  const scores = fc.array(score, { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.nat(12), (all, limit) => {
      const top = new TopList(limit);
      for (const [entry, score] of all.entries()) top.add(entry, score);
      const sorted = [...all.entries()].sort(([a, x], [b, y]) => y - x || a - b);
      expect(top.entries()).toEqual(sorted.slice(0, limit).map(([entry]) => entry));
    }),
    { seed: 3, numRuns: 500 },
  );
});
