/** Ranges use the narrowest group of past errors. */
import { expect, test } from 'bun:test';
import { normalAbove } from '../price.ts';
import { aboveOf, groupNames, quantilesOf, supportOf } from './range.ts';

test('the narrowest group with errors counts', () => {
  const names = groupNames('set', 'used', { group: '3-9', motion: 'steady' });
  const [a, b, c] = [1, 2, 3].map((high) => ({ low: -high, high }));
  if (!a || !b || !c) throw new Error('Quantiles are missing.');
  expect(names).toEqual(['set used 3-9', 'set used', 'set']);
  expect(quantilesOf({ 'set used 3-9': a, 'set used': b, set: c }, names, '3-9')).toBe(a);
  expect(quantilesOf({ 'set used 10+': a, 'set used': b, set: c }, names, '3-9')).toBe(b);
  expect(quantilesOf({ 'set sealed': a, set: c }, names, '3-9')).toBe(c);
});

test('prices that move have groups of their own, if there are enough errors', () => {
  expect(groupNames('set', 'used', { group: '3-9', motion: 'falling' })).toEqual([
    'set used falling',
    'set falling',
    'set used 3-9',
    'set used',
    'set',
  ]);
});

test('until errors are known, ranges are wider than normal, most of all with few sales', () => {
  const lows = (['never', '0', '1-2', '3-9', '10+'] as const).map((group) => {
    const { low, high } = quantilesOf(
      {},
      groupNames('set', 'sealed', { group, motion: 'steady' }),
      group,
    );
    expect(high).toBe(-low);
    return low;
  });
  expect(lows).toEqual([-1.638, -1.638, -1.638, -1.476, -1.372]);
});

test('items never sold have their own quantiles', () => {
  const names = groupNames('set', 'sealed', { group: 'never', motion: 'falling' });
  const [sold, never] = [
    { low: -1, high: 1 },
    { low: -2, high: 2 },
  ];
  const others = { 'set sealed 0': sold, 'set sealed': sold, set: sold };
  expect(quantilesOf(others, names, 'never')).toBe(quantilesOf({}, names, 'never'));
  expect(quantilesOf({ set: sold, 'set never': never }, names, 'never')).toBe(never);
});

test('support has four groups', () => {
  expect([0, 1, 2, 3, 9, 10, 99].map(supportOf)).toEqual([
    '0',
    '1-2',
    '1-2',
    '3-9',
    '3-9',
    '10+',
    '10+',
  ]);
});

test('exceedances are learned, or derived from the range', () => {
  const above = [0.1, -0.2];
  expect(aboveOf({ low: -1, high: 1, above })).toBe(above);
  const [half, ...others] = aboveOf({ low: -0.6408, high: 2 });
  expect(half).toBeCloseTo(0, 9);
  for (const [index, quantile] of others.entries()) {
    expect(quantile).toBeCloseTo((normalAbove[index + 1] ?? 0) / 2, 2);
  }
});

test('exceedances are rounded to three decimals', () => {
  expect(aboveOf({ low: -2.5632, high: 2 }).slice(1)).toEqual([
    -0.251, -0.507, -0.771, -1.049, -1.349, -1.683, -2.073, -2.563, -3.29,
  ]);
});
