/** Shrunk effects of groups. */
import { describe, expect, test } from 'bun:test';
import { groupEffects, groupMeans, groupsOf } from './group-effects.ts';

test('groups and their examples are in order, and null belongs to none', () => {
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

  test('are shrunk medians, and residuals exclude them', () => {
    const { effects, left, freedom } = groupEffects(groupsOf(['a', 'a', 'a', 'b']), {
      residuals: Float64Array.of(1, 2, 9, -4),
      shares: ones,
      noise: ones,
      shrinkage: 2,
    });
    // Three examples: 3/5 of their median of 2. One example: a third of -4.
    expect(effects.a).toBeCloseTo(1.2, 12);
    expect(effects.b).toBeCloseTo(-4 / 3, 12);
    const expected = [1 - 1.2, 2 - 1.2, 9 - 1.2, -4 + 4 / 3];
    for (const [i, value] of expected.entries()) expect(left[i]).toBeCloseTo(value, 12);
    expect(freedom).toBeCloseTo(3 / 5 + 1 / 3, 12);
  });

  test('weight an example by its share and noise', () => {
    const { effects, left } = groupEffects(groupsOf(['a', 'a']), {
      // Divided by their shares: 4 and 10, with weights of a half and a quarter.
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

  test('are empty without groups', () => {
    const given = { residuals: ones, shares: ones, noise: ones, shrinkage: 2 };
    const { effects, left, freedom } = groupEffects(groupsOf([null, null]), given);
    expect({ effects, left: [...left], freedom }).toEqual({
      effects: {},
      left: [1, 1, 1, 1],
      freedom: 0,
    });
  });
});

test('means are shrunk to their start', () => {
  const values = Float64Array.of(1, 1);
  const start = { a: 3, b: 9 };
  const { effects } = groupMeans(groupsOf(['a', 'a']), values, { shrinkage: 2, start });
  expect(effects).toEqual({ a: 2 });
});

test('means are shrunk, and residuals exclude them', () => {
  const { effects, left } = groupMeans(
    groupsOf(['a', 'b', 'a', null]),
    Float64Array.of(1, 6, 5, 7),
    { shrinkage: 2 },
  );
  expect(effects).toEqual({ a: 1.5, b: 2 });
  expect([...left]).toEqual([-0.5, 4, 3.5, 7]);
});
