/** Links that confirm an email address expire. */
import { expect, test } from 'bun:test';
import { dayMs, secondMs } from '../../kernel/time.ts';
import { confirmToken, isConfirmTokenValid } from './confirm-link.ts';

const at = Date.UTC(2026, 10, 15, 12);

test('a link is valid for three days', () => {
  const token = confirmToken('ran-dom_1', at + 999);
  expect(token).toEndWith('-ran-dom_1');
  expect(isConfirmTokenValid(token, at)).toBe(true);
  expect(isConfirmTokenValid(token, at + 3 * dayMs - 1)).toBe(true);
  expect(isConfirmTokenValid(token, at + 3 * dayMs)).toBe(false);
});

test('a token without a time, or with a time far ahead, does not crash', () => {
  expect(isConfirmTokenValid('abc', at)).toBe(false);
  expect(isConfirmTokenValid('', at)).toBe(false);
  expect(isConfirmTokenValid('zzzzzzzzzz-a', at + secondMs)).toBe(false);
});
