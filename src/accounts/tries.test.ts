/** How often things may be tried, by whom it concerns. */
import { expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import { dayMs } from '../domain/kernel/time.ts';
import { mayNotifyTurnedOff } from './tries.ts';

const shared = shareStore();

test('an address hears of three channels that were turned off in a day, however it is written', async () => {
  const mayNotify = (email: string, at: number) =>
    mayNotifyTurnedOff(shared.store.accounts, { email, at });
  const spellings = ['ann@example.com', 'Ann@Example.com', 'ann@example.com', 'ANN@example.com'];
  const answers: boolean[] = [];
  for (const email of spellings) answers.push(await mayNotify(email, now));
  expect(answers).toEqual([true, true, true, false]);
  expect(await mayNotify('bob@example.com', now)).toBe(true);
  expect(await mayNotify('ann@example.com', now + dayMs)).toBe(true);
});
