/** What groups of examples have in common, held back where they are few. */
import { describe, expect, test } from 'bun:test';
import { groupEffects, groupMeans, groupsOf } from './group-effects.ts';

test('groups are in order of name, their examples in order, and null belongs to none', () => {
  const groups = groupsOf(['b', null, 'a', 'b', 'é', 'a']);
  expect([...groups]).toEqual([
    ['a', [2, 5]],
    ['b', [0, 3]],
    ['é', [4]],
  ]);
  expect(groupsOf([]).size).toBe(0);
});

describe('effects', () => {
  const ones = Float64Array.of(1, 1, 1, 1);

  test('are medians, held back by the shrinkage, and what is left is without them', () => {
    const { effects, left, freedom } = groupEffects(groupsOf(['a', 'a', 'a', 'b']), {
      residuals: Float64Array.of(1, 2, 9, -4),
      shares: ones,
      noise: ones,
      shrinkage: 2,
    });
    // Three examples are worth 3 ÷ 5 of their median of 2, one a third of -4.
    expect(effects.a).toBeCloseTo(1.2, 12);
    expect(effects.b).toBeCloseTo(-4 / 3, 12);
    const expected = [1 - 1.2, 2 - 1.2, 9 - 1.2, -4 + 4 / 3];
    for (const [i, value] of expected.entries()) expect(left[i]).toBeCloseTo(value, 12);
    expect(freedom).toBeCloseTo(3 / 5 + 1 / 3, 12);
  });

  test('count an example by its share, and over its noise', () => {
    const { effects, left } = groupEffects(groupsOf(['a', 'a']), {
      // Worth 4 and 10 for the whole group, with weights of a half and a quarter.
      residuals: Float64Array.of(2, 5),
      shares: Float64Array.of(0.5, 0.5),
      noise: Float64Array.of(1, 2),
      shrinkage: 2,
    });
    const effect = (0.75 / 2.75) * 4;
    expect(effects.a).toBeCloseTo(effect, 12);
    expect(left[0]).toBeCloseTo(2 - effect / 2, 12);
    expect(left[1]).toBeCloseTo(5 - effect / 2, 12);
  });

  test('of none are none', () => {
    const given = { residuals: ones, shares: ones, noise: ones, shrinkage: 2 };
    const { effects, left, freedom } = groupEffects(groupsOf([null, null]), given);
    expect({ effects, left: [...left], freedom }).toEqual({
      effects: {},
      left: [1, 1, 1, 1],
      freedom: 0,
    });
  });
});

test('means are held back by the shrinkage, and what is left is without them', () => {
  const { effects, left } = groupMeans(
    groupsOf(['a', 'b', 'a', null]),
    Float64Array.of(1, 6, 5, 7),
    2,
  );
  expect(effects).toEqual({ a: 1.5, b: 2 });
  expect([...left]).toEqual([-0.5, 4, 3.5, 7]);
});
