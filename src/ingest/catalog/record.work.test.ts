/** Records of other catalogs as feed records. */
import { expect, test } from 'bun:test';
import { RowError } from '../runner/fields.ts';
import { addressOf, boxOf, measureOf, setRow, tidyNumber, wholeOf } from './record.work.ts';

const now = Date.UTC(2026, 10, 15);
const unknown = { widthCm: null, heightCm: null, depthCm: null, weightKg: null };

test('a box is in inches and pounds, to two places', () => {
  expect(boxOf({ widthCm: 25.4, heightCm: 2.54, depthCm: 10, weightKg: 1 })).toEqual({
    width_in: 10,
    height_in: 1,
    depth_in: 3.94,
    weight_lbs: 2.2,
  });
  const nothing = { width_in: null, height_in: null, depth_in: null };
  expect(boxOf({ ...unknown, weightKg: 0.001 })).toEqual({ ...nothing, weight_lbs: 0.01 });
  expect(boxOf(unknown)).toBeNull();
});

test.each([
  [null, null],
  ['1,234', 1234],
  ['0', 0],
])('%p as a whole number is %p', (text, value) => {
  expect(wholeOf(text, 'n')).toBe(value);
});

test.each([
  [null, null],
  ['2,5', 2.5],
  ['0', null],
  ['0.0', null],
])('%p as a measure is %p', (text, value) => {
  expect(measureOf(text, 'n')).toBe(value);
});

test('invalid numbers are rejected with their field name', () => {
  const whole = "'n' must be a whole number, not 'x'";
  expect(() => wholeOf('x', 'n')).toThrow(new RowError(whole));
  expect(() => measureOf('x', 'n')).toThrow(new RowError("'n' must be a number, not 'x'"));
});

test('spaces in numbers and URLs are fixed', () => {
  expect([tidyNumber('850508 -1'), tidyNumber('850508-1')]).toEqual(['850508-1', '850508-1']);
  expect([addressOf('https://a/b c d'), addressOf(null)]).toEqual(['https://a/b%20c%20d', null]);
});

test('problems of a record name its number', () => {
  const location = { where: 'a:1', text: '' };
  const read = (record: Record<string, unknown>) =>
    setRow(location, { source: 's', now }, (optional) => {
      const year = optional(() => wholeOf('x', 'year'));
      return { set_number: '7-1', title: 'Hut', theme: 'Huts', year, ...record };
    }).result;
  expect(read({})).toMatchObject({
    row: { kind: 'set', source: 's' },
    warnings: ["'7-1': 'year' must be a whole number, not 'x'"],
  });
  expect(read({})).not.toHaveProperty('row.keeps');
  expect(read({ title: 5 })).toEqual({ reason: "'7-1': 'title' must be text, not 5" });
});
