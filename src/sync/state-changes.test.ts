/** Transitions of a source's state after its calls. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonValue } from '../kernel/json.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';
import {
  afterFailure,
  afterStop,
  afterSuccess,
  countDay,
  daysKept,
  dueAt,
  emptyState,
  isWorthRepeating,
  questionRetryAt,
  withTokens,
} from './state-changes.ts';

const at = Date.UTC(2026, 10, 15, 12);
const success = { at, nextAt: at, changedAt: null, missing: null };
const failure = { at, message: 'It did not answer.', retryAfterMs: null, random: 0.5 };

test('after a failure, the wait is random, with a limit that doubles up to an hour', () => {
  const waits = [];
  let state = emptyState;
  for (let count = 0; count < 9; count++) {
    state = afterFailure(state, failure);
    waits.push((state.nextAt - at) / minuteMs);
  }
  expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30]);
  expect(state.failures).toBe(9);
  expect(state.lastError).toEqual({
    at,
    since: at,
    message: 'It did not answer.',
    isStopped: false,
  });
  fc.assert(
    fc.property(fc.nat(1_000), fc.double({ min: 0, max: 0.999, noNaN: true }), (n, random) => {
      const { nextAt } = afterFailure({ ...emptyState, failures: n }, { ...failure, random });
      expect(nextAt).toBeGreaterThanOrEqual(at + 1_000);
      expect(nextAt).toBeLessThanOrEqual(at + hourMs);
    }),
  );
});

test('a wait requested by the source is respected, up to a day', () => {
  const nextAt = (retryAfterMs: number) =>
    afterFailure(emptyState, { ...failure, retryAfterMs }).nextAt - at;
  expect(nextAt(90_000)).toBe(90_000);
  // A requested wait of 0 does not shorten the backoff.
  expect(nextAt(0)).toBe(minuteMs / 2);
  expect(nextAt(1e12)).toBe(dayMs);
});

test('a source that was never called is due, and misses nothing', () => {
  expect(emptyState).toMatchObject({ nextAt: 0, failures: 0, missing: 0, lastSuccessAt: null });
});

test('an implausibly late time is ignored', () => {
  const due = (nextAt: number) => dueAt({ ...emptyState, nextAt }, at);
  expect(due(at + 31 * dayMs)).toBe(at + 31 * dayMs);
  expect(due(at + 32 * dayMs)).toBe(at + 32 * dayMs);
  expect(due(at + 32 * dayMs + 1)).toBe(0);
});

test('a stopped source is retried after a day', () => {
  const state = afterStop(emptyState, { at, message: 'Renew the key.' });
  expect(state.nextAt).toBe(at + dayMs);
  expect(state.failures).toBe(1);
  expect(state.lastError).toEqual({ at, message: 'Renew the key.', isStopped: true });
});

test('a success resets failures and a stop, but keeps the last error', () => {
  const stopped = afterStop({ ...emptyState, cursor: 'a' }, { at, message: 'Renew the key.' });
  const state = afterSuccess(stopped, { ...success, at: at + 5, nextAt: at + hourMs });
  expect(state.failures).toBe(0);
  expect(state.lastSuccessAt).toBe(at + 5);
  expect(state.nextAt).toBe(at + hourMs);
  expect(state.cursor).toBe('a');
  expect(state.lastError).toEqual({ at, message: 'Renew the key.', isStopped: false });
});

test('a success moves the cursor, also back to the beginning', () => {
  const before = { ...emptyState, cursor: { page: 3 } };
  const after = (cursor: JsonValue) => afterSuccess(before, { ...success, cursor }).cursor;
  expect(after({ page: 4 })).toEqual({ page: 4 });
  expect(after(null)).toBeNull();
});

test('a source with rejected rows is repeated once others have changed', () => {
  const before = afterSuccess(emptyState, { ...success, missing: 3 });
  const catalog = (changedAt: number | null) =>
    afterSuccess(emptyState, { ...success, changedAt, missing: 0 });
  expect(isWorthRepeating(before, [catalog(at + 1)])).toBe(true);
  expect(isWorthRepeating(before, [catalog(at), catalog(at + 1)])).toBe(true);
  expect(isWorthRepeating(before, [catalog(at), catalog(null), emptyState])).toBe(false);
  const unchanged = afterSuccess(catalog(at + 1), success);
  expect(unchanged.changedAt).toBe(at + 1);
  const asBefore = afterSuccess(before, success);
  expect(asBefore.missing).toBe(3);
  const whole = afterSuccess(before, { ...success, missing: 0 });
  expect(isWorthRepeating(whole, [catalog(at + 1)])).toBe(false);
  expect(isWorthRepeating({ ...emptyState, missing: 3 }, [catalog(at + 1)])).toBe(false);
});

test('totals of days are added up in order, and the last thirty are kept', () => {
  let state = countDay(emptyState, at, { calls: 2 });
  state = countDay(state, at + hourMs, { rows: 5, rejects: 1 });
  const day = Math.floor(at / dayMs);
  expect(state.days).toEqual([{ day, calls: 2, rows: 5, rejects: 1 }]);
  for (let n = 1; n <= 40; n++) state = countDay(state, at + n * dayMs, { calls: 1 });
  expect(state.days).toHaveLength(daysKept);
  expect(state.days[0]?.day).toBe(day + 11);
  expect(state.days.at(-1)?.day).toBe(day + 40);
  // A clock that goes back.
  const back = countDay(countDay(emptyState, at + dayMs, { calls: 1 }), at, { calls: 1 });
  expect(back.days.map((each) => each.day)).toEqual([day, day + 1]);
});

test('the token level is that reported by the source', () => {
  const level = { left: 7, at, perMinute: 5 };
  expect(withTokens(emptyState, level).budget).toEqual({
    hours: [],
    tokens: level,
    rule: null,
  });
});

test('a question that keeps failing is postponed by an hour, then longer, up to a week', () => {
  const hours = [1, 2, 3, 8, 9, 50].map((n) => (questionRetryAt(n, at) - at) / hourMs);
  expect(hours).toEqual([1, 2, 4, 128, 168, 168]);
});
