/** Sparklines. */
import { expect, test } from 'bun:test';
import { sparkline } from './sparkline.ts';

test.each<[values: (number | null)[], width: number, line: string]>([
  [[1, 2, 3, 4, 5, 6, 7, 8], 8, '▁▂▃▄▅▆▇█'],
  [[8, 1], 8, '█▁'],
  [[5, 5, 5], 8, '▄▄▄'],
  [[1, null, 8], 8, '▁ █'],
  [[null, null], 8, '  '],
  [[], 8, ''],
  [[-2, 0, 5], 8, '▁▃█'],
])('draws %j in at most %d columns', (values, width, line) => {
  expect(sparkline(values, width)).toBe(line);
});

test('more values than columns are averaged', () => {
  expect(sparkline([0, 2, 7, 7, 13, 15], 3)).toBe('▁▄█');
  expect(sparkline([0, 0, 0, 7, 7], 3)).toBe('▁▁█');
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  expect(sparkline(many, 8)).toBe('▁▂▃▄▅▆▇█');
  expect([...sparkline(many, 77)]).toHaveLength(77);
  expect(sparkline([1, null, null, null, 9, 9], 3)).toBe('▁ █');
});
