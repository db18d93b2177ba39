/** The cache of Intl formatters. */
import { expect, test } from 'bun:test';
import { dateFormat, numberFormat } from './intl.ts';

test('a formatter is created once for a kind, locale, currency and time zone', () => {
  expect(numberFormat('money', 'de-DE', 'EUR')).toBe(numberFormat('money', 'de-DE', 'EUR'));
  expect(numberFormat('money', 'de-DE', 'EUR')).not.toBe(numberFormat('gain', 'de-DE', 'EUR'));
  expect(numberFormat('money', 'de-DE', 'EUR')).not.toBe(numberFormat('money', 'de-DE', 'GBP'));
  expect(dateFormat('wall', 'en-US', 'Asia/Tokyo')).toBe(dateFormat('wall', 'en-US', 'asia/tokyo'));
  expect(dateFormat('wall', 'en-US', 'Asia/Tokyo')).not.toBe(dateFormat('wall', 'en-US', 'UTC'));
});

test('any number of spellings takes a limited amount of memory', () => {
  const first = numberFormat('count', 'en-US');
  for (let index = 0; index < 2_100; index++) numberFormat('count', `en-x-a${index}`);
  expect(numberFormat('count', 'en-US')).not.toBe(first);
  expect(numberFormat('count', 'en-US').format(1_234)).toBe('1,234');
});
