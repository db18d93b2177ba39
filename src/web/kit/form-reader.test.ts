/** The values of fields: their limits are part of what is accepted. */
import { expect, test } from 'bun:test';
import { FormReader } from './form-reader.ts';

/** What is wrong with a value; null if it is accepted. */
function faultOf(text: string, read: (fields: FormReader) => unknown): string | null {
  const fields = FormReader.ofQuery(new URLSearchParams({ a: text }), '2026-11-15');
  read(fields);
  return fields.typed.faults.a ?? null;
}

test('a whole number may be the least and the most, and nothing beyond', () => {
  const fault = (text: string) =>
    faultOf(text, (fields) => fields.whole('a', { min: 2, max: 1_500 }));
  expect(['2', '1500', '1,500'].map(fault)).toEqual([null, null, null]);
  expect(fault('1')).toBe('Enter 2 or more.');
  expect(fault('1501')).toBe('Enter 1,500 or less.');
  expect(fault('2.5')).toBe('Enter a whole number.');
});

test('a percentage may be the least and the most, and has at most two decimals', () => {
  const fault = (text: string) =>
    faultOf(text, (fields) => fields.basisPoints('a', { min: 5, max: 90 }));
  expect(['5', '90', '8.25 %'].map(fault)).toEqual([null, null, null]);
  expect(['4', '91'].map(fault)).toEqual(['Enter 5 to 90.', 'Enter 5 to 90.']);
  expect(fault('8.125')).toBe('Use at most two decimals.');
});

test('an amount may be 0, and is in dollars with at most two decimals', () => {
  const fault = (text: string) => faultOf(text, (fields) => fields.cents('a'));
  expect(['0', '119.99', '$5'].map(fault)).toEqual([null, null, null]);
  expect(fault('-1')).toBe('Enter 0 or more.');
  expect(fault('1.234')).toBe('Use at most two decimals.');
  expect(fault('5 EUR')).toBe('Enter the amount in US dollars.');
});
