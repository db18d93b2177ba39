/** The facts of a set that its value depends on. */
import { expect, test } from 'bun:test';
import { aSet } from '../../../test/support/builders.ts';
import type { SetFacts } from '../../catalog/items/catalog.ts';
import { setValuationFacts } from './valuation-facts.ts';

test('the release is its day or the start of its year, the retirement the last day on sale', () => {
  const dates = { releaseDate: '2020-03-01', year: 2019, retireDate: '2022-12-31' };
  expect(setValuationFacts(aSet(dates))).toMatchObject({
    releasedAt: Date.UTC(2020, 2, 1),
    retiredAt: Date.UTC(2022, 11, 31),
  });
  expect(setValuationFacts(aSet({ year: 2019 }))).toMatchObject({
    releasedAt: Date.UTC(2019, 0, 1),
    retiredAt: null,
  });
});

test('a set on sale without a retirement date retires ten years after its release', () => {
  const onSale = aSet({ releaseDate: '2018-01-01', isOnSale: true });
  // Ten years of 365 days.
  expect(setValuationFacts(onSale).retiredAt).toBe(Date.UTC(2027, 11, 30));
  expect(setValuationFacts({ ...onSale, releaseDate: null }).retiredAt).toBeNull();
});

test('minifigs are those that are counted, or else listed', () => {
  const minifigs = ['cas001'];
  const count = (facts: Partial<SetFacts>) => setValuationFacts(aSet(facts)).minifigs;
  expect([count({ minifigsCount: 3, minifigs }), count({ minifigs }), count({})]).toEqual([
    3,
    1,
    null,
  ]);
});

test('a box has a volume if all of its sides are known', () => {
  const box = { widthIn: 5, heightIn: 4, depthIn: 3, weightLbs: 2 };
  const sizeOf = (facts: SetFacts['box']) => {
    const { weightLbs, cubicInches } = setValuationFacts(aSet({ box: facts }));
    return [weightLbs, cubicInches];
  };
  expect([sizeOf(box), sizeOf({ ...box, weightLbs: null }), sizeOf(null)]).toEqual([
    [2, 60],
    [null, 60],
    [null, null],
  ]);
  for (const side of ['widthIn', 'heightIn', 'depthIn']) {
    expect(sizeOf({ ...box, [side]: null })).toEqual([2, null]);
  }
});
