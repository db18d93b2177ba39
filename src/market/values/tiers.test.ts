/** Tiers: each of an item's two values has one, by the sales in its own condition. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import type { ConditionEvidence } from '../evidence/evidence.ts';
import { tierIn, unitTiers } from './tiers.ts';

const condition = (valueSpread: number, days90: number, days180: number): ConditionEvidence => ({
  valueCents: 100,
  lowCents: 90,
  highCents: 110,
  valueSpread,
  saleSpread: 0.1,
  sales: { ever: days180, days30: 0, days90, days180, days365: days180 },
  firstSale: null,
  latestSale: null,
});

test.each([
  ['high', condition(0.06, 10, 10)],
  ['medium', condition(0.06, 9, 9)],
  ['medium', condition(0.12, 0, 3)],
  ['low', condition(0.12, 0, 2)],
  ['low', condition(0.13, 10, 10)],
  ['low', condition(0.35, 0, 1)],
  ['modeled', condition(0.35, 0, 0)],
  ['modeled', condition(0.36, 10, 10)],
  ['modeled', null],
] as const)('a value is %s by the sales of its own condition', (tier, found) => {
  const evidence = someEvidence({ tier: 'medium', sealed: found, used: found });
  expect(unitTiers('set', evidence)).toEqual({ newTier: 'medium', usedTier: tier });
  expect(unitTiers('minifig', evidence)).toEqual({ newTier: tier, usedTier: 'medium' });
});

test('a condition has the tier of the item if it was ever sold, and is modeled otherwise', () => {
  const [sealed, used] = [condition(0.1, 0, 1), condition(0.1, 0, 0)];
  const evidence = someEvidence({ tier: 'low', sealed, used });
  expect([tierIn(evidence, 'sealed'), tierIn(evidence, 'used')]).toEqual(['low', 'modeled']);
});

test('a used minifig does not get the tier of the sealed bags it shares its value with', () => {
  const sharedWith = { kind: 'set', number: '71027-2' } as const;
  const [sealed, used] = [condition(0.05, 60, 60), condition(0.2, 1, 1)];
  const evidence = someEvidence({ tier: 'high', sealed, used, sharedWith });
  expect([tierIn(evidence, 'sealed'), tierIn(evidence, 'used')]).toEqual(['high', 'low']);
  expect(unitTiers('minifig', evidence)).toEqual({ newTier: 'high', usedTier: 'low' });
});
