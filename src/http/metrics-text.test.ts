/** The text format, read by a reader that takes nothing else. */
import { expect, test } from 'bun:test';
import { readMetrics } from '../../test/support/metrics.ts';
import { writeMetrics } from './metrics.ts';

test('label values can be parsed back', () => {
  const said = [
    '',
    'plain',
    'a "quoted" word',
    'back\\slash',
    'two\nlines',
    '\\n',
    'ü, =}{',
    '\\"',
  ];
  const text = writeMetrics([
    {
      name: 'said',
      type: 'gauge',
      help: 'One \\ two\nthree "four".',
      samples: said.map((word, value) => ({ labels: { word, other: 'x' }, value })),
    },
  ]);
  const { samples } = readMetrics(text);
  expect(samples.map(({ labels }) => labels.word)).toEqual(said);
  expect(samples.map(({ value }) => value)).toEqual(said.map((_, index) => index));
});

test('all kinds of numbers are formatted', () => {
  const numbers = [0, 1e21, 1e-7, 1.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const samples = [...numbers, Number.NaN].map((value, index) => ({
    labels: { index: String(index) },
    value,
  }));
  const text = writeMetrics([{ name: 'n', type: 'gauge', help: 'Numbers.', samples }]);
  expect(readMetrics(text).samples.map(({ value }) => value)).toEqual([...numbers, Number.NaN]);
  expect(text).toContain(' +Inf\n');
  expect(text).toContain(' -Inf\n');
});
