/** Guarantees of every store about what grades do to values. */
import { expect, test } from 'bun:test';
import { shareStore } from '../../../test/support/shared-store.ts';
import { assumedEffects } from './grades.ts';

const shared = shareStore();

test('effects are assumed until they are learned, and a change is a publication', async () => {
  const { market } = shared.store;
  expect(await market.findGradeEffects()).toEqual(assumedEffects);
  const learned = { ...assumedEffects, damaged_box: { share: 0.8123, sales: 60 } };
  const before = await market.publishStamp();
  await market.saveGradeEffects(learned);
  expect(await market.findGradeEffects()).toEqual(learned);
  const stamp = await market.publishStamp();
  expect(stamp).toBeGreaterThan(before);
  await market.saveGradeEffects(learned);
  expect(await market.publishStamp()).toBe(stamp);
  await market.saveGradeEffects(assumedEffects);
  expect(await market.findGradeEffects()).toEqual(assumedEffects);
});
