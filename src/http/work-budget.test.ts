/** CPU time per account. */
import { expect, test } from 'bun:test';
import { WorkBudget } from './work-budget.ts';

const limits = { burstMs: 1_000, perSecondMs: 100, accounts: 2 };

function makeBudget() {
  const now = { elapsed: 0, cpu: 0 };
  const budget = new WorkBudget(limits, { elapsed: () => now.elapsed, cpu: () => now.cpu });
  const work = (account: number, elapsedMs: number, cpuMs = elapsedMs) =>
    budget.run(account, async () => {
      now.elapsed += elapsedMs;
      now.cpu += cpuMs;
    });
  return { budget, now, work };
}

test('an account that has used its time waits until some of it has grown back', async () => {
  const { budget, now, work } = makeBudget();
  await work(1, 999);
  expect(budget.waitMs(1)).toBe(0);
  await work(1, 501);
  const waitMs = budget.waitMs(1);
  expect(waitMs).toBeGreaterThan(0);
  expect(budget.waitMs(2)).toBe(0);
  now.elapsed += waitMs;
  expect(budget.waitMs(1)).toBe(0);
  // After a long pause, all of it is there again, and no more.
  now.elapsed += 3_600_000;
  await work(1, 1_001);
  expect(budget.waitMs(1)).toBeGreaterThan(0);
});

test('waiting for the store and the work of others are not charged', async () => {
  const { budget, work } = makeBudget();
  await work(1, 10_000, 100);
  await work(1, 100, 10_000);
  expect(budget.waitMs(1)).toBe(0);
});

test('work that fails is charged too', async () => {
  const { budget, now } = makeBudget();
  const failing = budget.run(1, async () => {
    now.elapsed += 5_000;
    now.cpu += 5_000;
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(budget.waitMs(1)).toBeGreaterThan(0);
});

test('only so many accounts are remembered', async () => {
  const { budget, work } = makeBudget();
  for (const account of [1, 2, 3]) await work(account, 2_000);
  expect([1, 2, 3].map((account) => budget.waitMs(account) > 0)).toEqual([false, true, true]);
});
