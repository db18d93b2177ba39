/** Metrics of helper processes. */
import { expect, test } from 'bun:test';
import { readMetrics } from '../../test/support/metrics.ts';
import { HelperHealth } from './helper-metrics.ts';
import { writeMetrics } from './metrics-text.ts';

test('replacements are counted from zero, and silence is that of the running process', () => {
  const health = new HelperHealth(['pages', 'sync']);
  const read = (name: string, helper: string) =>
    readMetrics(writeMetrics(health.list())).value(`brickmark_helper_${name}`, { helper });
  expect([read('replaced_total', 'pages'), read('silent_seconds', 'pages')]).toEqual([0, 0]);
  health.watch('pages', () => 2_500);
  health.noteReplaced('pages');
  expect([read('replaced_total', 'pages'), read('silent_seconds', 'pages')]).toEqual([1, 2.5]);
  expect([read('replaced_total', 'sync'), read('silent_seconds', 'sync')]).toEqual([0, 0]);
  health.watch('pages', null);
  expect(read('silent_seconds', 'pages')).toBe(0);
});
