/** Guarantees of every store about leases. */
import { expect, test } from 'bun:test';
import { shareStore } from '../../../test/support/shared-store.ts';

const shared = shareStore();

test('a lease has one holder at a time, who can renew it, and can be taken over when it ends', async () => {
  const take = (holder: string, at: number) =>
    shared.store.market.takeLease({ name: 'upkeep', holder, at, until: at + 100 });
  expect(await take('a', 0)).toBe(true);
  expect(await take('b', 50)).toBe(false);
  expect(await take('a', 60)).toBe(true);
  expect(await take('b', 159)).toBe(false);
  expect(await take('b', 160)).toBe(true);
  expect(await take('a', 161)).toBe(false);
});
