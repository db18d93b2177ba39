/** When an account is told about its allowance and its keys. */
import { expect, test } from 'bun:test';
import { dayMs, parseInstant } from '../../kernel/time.ts';
import { expiryNotices, quotaNotices } from './account-notice.ts';

const now = parseInstant('2026-11-15T12:00:00Z') ?? 0;
const quota = { accountId: 7, place: 2, prefix: 'bmk_0123', allowance: 1000 };

test.each([
  [799, []],
  [800, [80]],
  [999, [80]],
  [1000, [80, 100]],
  [1500, [80, 100]],
])('of 1000 calls, %d reach %j percent', (used, percents) => {
  const notices = quotaNotices({ ...quota, used }, now);
  expect(notices.map(({ details }) => details.percent)).toEqual(percents);
});

test('a quota has one name per place, day and share', () => {
  const namesAt = (at: number, place = 2) =>
    quotaNotices({ ...quota, place, used: 1000 }, at).map(({ name }) => name);
  expect(new Set([...namesAt(now), ...namesAt(now + 1), ...namesAt(now, 3)]).size).toBe(4);
  expect(namesAt(now + dayMs)).not.toEqual(namesAt(now));
});

const key = { id: 5, accountId: 7, prefix: 'bmk_0123' };

test('a key expires in 14 days, then in one, and the latter has another name', () => {
  const expiring = { ...key, chosenAt: now - 100 * dayMs, expiresAt: now + 14 * dayMs };
  expect(expiryNotices(expiring, now - 1)).toEqual([]);
  const [first] = expiryNotices(expiring, now);
  expect(first).toMatchObject({ accountId: 7, kind: 'key.expiring' });
  expect(expiryNotices(expiring, now + dayMs)).toEqual([first as never]);
  const [last] = expiryNotices(expiring, now + 13 * dayMs);
  expect(last?.name).not.toBe(first?.name ?? '');
});

test('who chooses a date within 14 days is told a day before only', () => {
  const expiring = { ...key, chosenAt: now, expiresAt: now + 10 * dayMs };
  expect(expiryNotices(expiring, now + dayMs)).toEqual([]);
  expect(expiryNotices(expiring, now + 9 * dayMs)).toHaveLength(1);
});
