/** What is said of an allowance: never less than nothing, and never too early. */
import { expect, test } from 'bun:test';
import type { Caller } from '../domain/account/quota.ts';
import { rateLimitOf, secondsUntilReset } from './respond.ts';

const at = Date.UTC(2026, 10, 15, 12);
const caller: Caller = {
  keyId: 1,
  accountId: 1,
  plan: 'reseller',
  allowance: 10,
  privateVersion: 0,
};

test.each([
  [0, 10],
  [9, 1],
  [10, 0],
  [11, 0],
  [1000, 0],
])('of an allowance of 10, %d calls leave %d', (used, remaining) => {
  expect(rateLimitOf({ caller, used, outcome: 'granted' }, at)).toEqual({
    limit: 10,
    remaining,
    reset: '2026-11-16T00:00:00.000Z',
  });
});

test.each([
  ['2026-11-15T12:00:00.000Z', 43_200],
  ['2026-11-15T12:00:00.001Z', 43_200],
  ['2026-11-15T23:59:57.999Z', 3],
  ['2026-11-15T23:59:58.000Z', 2],
  ['2026-11-15T23:59:58.001Z', 2],
  ['2026-11-15T23:59:59.999Z', 1],
])('whoever comes back when %s says so is not too early', (instant, seconds) => {
  expect(secondsUntilReset(Date.parse(instant))).toBe(seconds);
});
