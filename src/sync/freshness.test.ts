/** The health of a source at an instant. */
import { expect, test } from 'bun:test';
import { dayMs, hourMs } from '../kernel/time.ts';
import { freshnessOf, isDelayed } from './freshness.ts';
import type { SourceState } from './source-state.ts';
import { afterFailure, afterStop, afterSuccess, countDay, emptyState } from './state-changes.ts';

const now = Date.UTC(2026, 10, 15, 12);
const success = afterSuccess(emptyState, { at: now, nextAt: now + hourMs });
const failure = { at: now, message: 'HTTP 500.', retryAfterMs: null, random: 0.5 };
const stopped = afterStop(success, { at: now, message: 'Renew the key.' });

test.each([
  ['working', success],
  ['working', { ...success, nextAt: now - 2 * hourMs }],
  ['overdue', { ...success, nextAt: now - 2 * hourMs - 1 }],
  ['overdue', { ...success, nextAt: 1 }],
  ['working', countDay(emptyState, now, { calls: 1 })],
  ['failing', afterFailure(success, failure)],
  ['failing', { ...afterFailure(success, failure), nextAt: now - dayMs }],
  ['stopped', stopped],
  ['off', { ...stopped, isOff: true }],
  ['working', afterSuccess(stopped, { at: now, nextAt: now + hourMs })],
] as const)('a source is %s', (standing, state) => {
  expect(freshnessOf(state, now).standing).toBe(standing);
});

test('a source that rests for a month is not late, and its first failure is not a long one', () => {
  const rested = afterSuccess(emptyState, { at: now - 30 * dayMs, nextAt: now });
  const failing = (hours: number) =>
    afterFailure(afterFailure(rested, failure), { ...failure, at: now + hours * hourMs });
  const late = [rested, afterFailure(rested, failure), failing(1), failing(25)].map((state) =>
    isDelayed(state, now + 25 * hourMs),
  );
  expect(isDelayed(rested, now)).toBe(false);
  expect(isDelayed(failing(1), now + 23 * hourMs)).toBe(false);
  expect(late.slice(1)).toEqual([true, true, true]);
  expect(isDelayed({ ...rested, isOff: true }, now + 99 * dayMs)).toBe(false);
});

test('the remaining budget and when more is available; null without a budget', () => {
  const rule = { kind: 'day', calls: 100 } as const;
  const budget = { hours: [[now / hourMs - 3, 60]] as const, tokens: null, rule };
  const { left, moreAt } = freshnessOf({ ...success, budget }, now);
  expect([left, moreAt]).toEqual([40, now + 22 * hourMs + hourMs / 6]);
  expect(freshnessOf(success, now)).toMatchObject({ left: null, moreAt: null });
});

test('the ordinary day is the mean of up to seven full days', () => {
  const on = (state: SourceState, daysAgo: number, rows: number) =>
    countDay(state, now - daysAgo * dayMs, { calls: 2, rows, rejects: 1 });
  expect(freshnessOf(on(success, 0, 10), now)).toMatchObject({
    today: { calls: 2, rows: 10, rejects: 1 },
    ordinaryDay: null,
  });
  const three = on(on(on(success, 3, 90), 1, 30), 0, 10);
  expect(freshnessOf(three, now).ordinaryDay).toEqual({ calls: 1, rows: 40, rejects: 1 });
  const old = on(on(three, 20, 10_000), 7, 27);
  expect(freshnessOf(old, now).ordinaryDay?.rows).toBe(21);
  expect(freshnessOf(emptyState, now)).toMatchObject({
    today: { calls: 0, rows: 0, rejects: 0 },
    ordinaryDay: null,
  });
});
