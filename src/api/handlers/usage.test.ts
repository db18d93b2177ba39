/** Daily usage of the caller's key, today last. */
import { expect, test } from 'bun:test';
import { dataIn } from '../../../test/support/handled.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { usageHandlers } from './usage.ts';

test('each of 30 days has the calls of this key only', async () => {
  const at = Date.UTC(2026, 10, 15, 12);
  const today = dayOf(at);
  const asked: number[][] = [];
  const row = (keyId: number | null, ago: number, used: number) => {
    return { keyId, day: today - ago, used };
  };
  const rows = [row(7, 29, 4), row(7, 1, 3), row(8, 1, 50), row(null, 0, 60), row(7, 0, 2)];
  const findUsage = async (...asking: number[]) => {
    asked.push(asking);
    return { days: rows, earlier: 1000 };
  };
  const { getUsage }: Pick<Handlers, 'getUsage'> = usageHandlers({
    accounts: { findUsage },
  } as unknown as HandlerDeps);
  const caller = { keyId: 7, accountId: 3, allowance: 10 } as never;
  const input = { params: {}, query: {}, body: null };
  const usage = dataIn(await getUsage(input).read(caller, { used: 12, at }));
  expect(asked).toEqual([[3, today - 29]]);
  expect(usage).toMatchObject({ limit: 10, used: 12, remaining: 0 });
  expect(usage.reset).toBe('2026-11-16T00:00:00.000Z');
  expect(usage.days.map((day: { used: number }) => day.used)).toEqual([
    4,
    ...Array(27).fill(0),
    3,
    2,
  ]);
  expect([usage.days[0].date, usage.days[29].date]).toEqual([
    new Date(at - 29 * dayMs).toISOString().slice(0, 10),
    '2026-11-15',
  ]);
});
