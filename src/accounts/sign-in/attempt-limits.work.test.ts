/** Rate limits of actions. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import {
  attemptKey,
  mayAskToConfirm,
  mayMakePhoto,
  mayNotifyTurnedOff,
  mayOpenMailedLink,
  mayUseAlerts,
} from './attempt-limits.work.ts';
import type { Throttle } from './session.ts';

const shared = shareStore();

test('an address gets three emails about channels turned off per day, in any spelling', async () => {
  const mayNotify = (email: string, at: number) =>
    mayNotifyTurnedOff(shared.store.accounts, { email, at });
  const spellings = ['ann@example.com', 'Ann@Example.com', 'ann@example.com', 'ANN@example.com'];
  const answers: boolean[] = [];
  for (const email of spellings) answers.push(await mayNotify(email, now));
  expect(answers).toEqual([true, true, true, false]);
  expect(await mayNotify('bob@example.com', now)).toBe(true);
  expect(await mayNotify('ann@example.com', now + dayMs)).toBe(true);
});

test('photos of an account have five minutes in an hour, taken before each', async () => {
  const may = (accountId: number, decodeMs: number, at = now) =>
    mayMakePhoto(shared.store.accounts, { accountId, decodeMs, at });
  // With a second for encoding each.
  expect(await may(1, 2 * minuteMs - 1_000)).toBe(true);
  expect(await may(1, 2 * minuteMs - 1_000)).toBe(true);
  expect(await may(1, minuteMs)).toBe(false);
  expect(await may(1, minuteMs - 1_000, now + hourMs - 1)).toBe(true);
  expect(await may(1, 0, now + hourMs - 1)).toBe(false);
  expect(await may(2, minuteMs)).toBe(true);
  expect(await may(1, 4 * minuteMs, now + hourMs)).toBe(true);
  expect(await may(1, minuteMs, now + hourMs)).toBe(false);
});

/** Records what would be counted: keys, limits and windows. */
class Counter {
  readonly limits: (readonly [max: number, ms: number, keys: number])[] = [];
  readonly keys: string[] = [];

  readonly countTry = async (throttles: readonly Throttle[], when: { readonly ms: number }) => {
    const [first] = throttles;
    expect(new Set(throttles.map(({ max }) => max)).size).toBe(1);
    this.limits.push([first?.max ?? 0, when.ms, throttles.length]);
    this.keys.push(...throttles.map(({ key }) => key));
    return true;
  };
}

test('actions with alerts, links and forms are limited, each separately', async () => {
  const counter = new Counter();
  const by = { accountId: 5, email: 'ann@example.com', network: '10.0.0.0/24', at: now };
  for (const what of ['save', 'test', 'add', 'resend'] as const) {
    await mayUseAlerts(counter, what, by);
  }
  await mayAskToConfirm(counter, by);
  await mayNotifyTurnedOff(counter, by);
  await mayOpenMailedLink(counter, by);
  expect(counter.limits).toEqual([
    [60, hourMs, 1],
    [10, 15 * minuteMs, 1],
    [30, hourMs, 1],
    [60, hourMs, 1],
    [5, dayMs, 2],
    [3, dayMs, 1],
    [300, 15 * minuteMs, 1],
  ]);
  expect(new Set(counter.keys).size).toBe(8);
});

test('a key does not reveal whom it is about, and differs by purpose', () => {
  expect(attemptKey('link', 'ann@example.com')).toMatch(/^[\w-]{43}$/);
  expect(attemptKey('link', 'a')).not.toBe(attemptKey('once', 'a'));
});
