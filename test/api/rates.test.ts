/** Exchange rates of a day, by default of the day of the call. */
import { expect, test } from 'bun:test';
import { startWorld } from '../support/world.ts';

test('without a date, each call returns the rates of its own day', async () => {
  const world = await startWorld('2026-11-15T23:00:00Z');
  await world.addAccount('ann@example.com');
  const key = await world.addKey('ann@example.com');
  const call = async (query = '') => {
    const answer = await world.call(`/api/plus/v1/rates${query}`, key);
    return (await answer.json()) as { data: unknown; error: { message: string } };
  };
  const read = async () => (await call()).data;
  const rate = { kind: 'fx', currency: 'EUR' };
  await world.load([{ ...rate, date: '2026-11-13', usd_per_unit: 1.08 }]);
  expect(await read()).toEqual({
    date: '2026-11-15',
    rates: [{ currency: 'EUR', date: '2026-11-13', usd_per_unit: 1.08 }],
  });
  world.now = Date.parse('2026-11-16T01:00:00Z');
  await world.load([{ ...rate, date: '2026-11-16', usd_per_unit: 1.09 }]);
  expect(await read()).toEqual({
    date: '2026-11-16',
    rates: [{ currency: 'EUR', date: '2026-11-16', usd_per_unit: 1.09 }],
  });
  expect((await call('?date=2026-02-30')).error.message).toBe(
    "The query parameter 'date' must be a day that exists; got '2026-02-30'.",
  );
  await world.close();
});
