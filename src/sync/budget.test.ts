/** A budget is never exceeded in any 24 hours, and becomes available again. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';
import {
  type BudgetRule,
  type BudgetState,
  callsOf,
  leftOf,
  resetsAt,
  restAfter,
  spend,
  type TokenLevel,
  unspent,
} from './budget.ts';

const start = Date.UTC(2026, 10, 15, 12, 34, 56);
const tenADay: BudgetRule = { kind: 'day', calls: 10 };
const tokens: BudgetRule = { kind: 'tokens' };

function spent(before: BudgetState, rule: BudgetRule | null, cost: number, at: number) {
  const result = spend(before, { rule, cost, at });
  if (!result.isGranted) throw new Error('It must be granted.');
  return result.after;
}

const withLevel = (level: TokenLevel): BudgetState => ({
  ...unspent,
  tokens: level,
});

describe('calls per day', () => {
  const gaps = fc.array(
    fc.record({
      waitMs: fc.oneof(fc.nat(minuteMs), fc.nat(hourMs), fc.nat(2 * dayMs)),
      lateMs: fc.nat(10 * minuteMs),
      cost: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 120 },
  );

  test('never exceed the limit in any 24 hours, however late they arrive', () => {
    fc.assert(
      fc.property(gaps, (wanted) => {
        const arrived: { at: number; cost: number }[] = [];
        let state = unspent;
        let at = start;
        for (const { waitMs, lateMs, cost } of wanted) {
          at += waitMs;
          const result = spend(state, { rule: tenADay, cost, at });
          if (!result.isGranted) continue;
          state = result.after;
          arrived.push({ at: at + lateMs, cost });
        }
        for (const { at: from } of arrived) {
          const within = arrived.filter((call) => call.at >= from && call.at <= from + dayMs);
          expect(within.reduce((sum, call) => sum + call.cost, 0)).toBeLessThanOrEqual(10);
        }
      }),
    );
  });

  test('that are refused are granted exactly at the returned instant', () => {
    fc.assert(
      fc.property(gaps, (wanted) => {
        let state = unspent;
        let at = start;
        for (const { waitMs, cost } of wanted) {
          at += waitMs;
          const result = spend(state, { rule: tenADay, cost, at });
          if (result.isGranted) {
            state = result.after;
            continue;
          }
          const { nextAt } = result;
          expect(spend(state, { rule: tenADay, cost, at: nextAt - 1 }).isGranted).toBe(false);
          expect(spend(state, { rule: tenADay, cost, at: nextAt }).isGranted).toBe(true);
        }
      }),
    );
  });

  test('are available again the next day, and the day after', () => {
    let state = unspent;
    for (const day of [0, 1, 2]) {
      // A day, plus the hour of the calls and their maximum delay.
      const at = start + day * (dayMs + hourMs + 10 * minuteMs);
      for (let call = 0; call < 10; call++) state = spent(state, tenADay, 1, at);
      expect(leftOf(state, tenADay, at)).toBe(0);
    }
    expect(state.hours).toHaveLength(1);
  });

  test('become available hour by hour', () => {
    const first = spent(unspent, tenADay, 3, start);
    const state = spent(first, tenADay, 4, start + 2 * hourMs);
    expect(leftOf(state, tenADay, start + 2 * hourMs)).toBe(3);
    const reset = resetsAt(state, tenADay, start + 2 * hourMs) ?? 0;
    expect(new Date(reset).toISOString()).toBe('2026-11-16T13:10:00.000Z');
    expect(leftOf(state, tenADay, reset - 1)).toBe(3);
    expect(leftOf(state, tenADay, reset)).toBe(6);
    expect(resetsAt(unspent, tenADay, start)).toBeNull();
  });

  test('counted by a clock far ahead are ignored once it is corrected', () => {
    const ahead = spent(unspent, tenADay, 10, start + 400 * dayMs);
    expect(leftOf(ahead, tenADay, start)).toBe(10);
    expect(resetsAt(ahead, tenADay, start)).toBeNull();
    const after = spent(ahead, tenADay, 1, start);
    expect(after.hours).toEqual([[Math.floor(start / hourMs), 1]]);
    // Clocks of two machines differ a little.
    expect(leftOf(spent(unspent, tenADay, 4, start + minuteMs), tenADay, start)).toBe(6);
    const level = withLevel({ left: 0, at: start + 400 * dayMs, perMinute: 1 });
    expect(leftOf(level, tokens, start)).toBeNull();
    expect(spent(level, tokens, 3, start).tokens).toBeNull();
  });

  test("that exceed a whole day's budget are checked again after a day", () => {
    const result = spend(unspent, { rule: tenADay, cost: 11, at: start });
    expect(result).toEqual({ isGranted: false, nextAt: start + dayMs });
  });

  test('are counted even without a limit', () => {
    const state = spent(spent(unspent, null, 1, start), null, 6, start);
    expect(state.hours).toEqual([[Math.floor(start / hourMs), 7]]);
  });

  test('counted by a clock up to a day ahead still count', () => {
    const state = spent(unspent, tenADay, 10, start + 3 * hourMs);
    expect(leftOf(state, tenADay, start)).toBe(0);
    const noon = Date.UTC(2026, 10, 15, 12);
    const ahead = spent(unspent, tenADay, 10, noon + dayMs);
    expect([noon, noon - 1].map((at) => leftOf(ahead, tenADay, at))).toEqual([0, 10]);
  });

  test('that no longer count do not make room for others', () => {
    const hour = Math.floor(start / hourMs);
    const hours = [[hour - 30, 9] as const, [hour - 2, 4] as const, [hour, 6] as const];
    const refused = spend({ ...unspent, hours }, { rule: tenADay, cost: 5, at: start });
    const nextAt = (hour + 1) * hourMs + 10 * minuteMs + dayMs;
    expect(refused).toEqual({ isGranted: false, nextAt });
  });

  test('are kept by hour, also if a clock goes back', () => {
    const later = spent(unspent, tenADay, 1, start + 2 * hourMs);
    const state = spent(spent(later, tenADay, 2, start), tenADay, 3, start + hourMs);
    const hour = Math.floor(start / hourMs);
    expect(state.hours.map(([each, calls]) => [each - hour, calls])).toEqual([
      [0, 2],
      [1, 3],
      [2, 1],
    ]);
  });

  test('are as many as they cost, but one if they cost tokens', () => {
    expect([callsOf(tenADay, 3), callsOf(null, 3), callsOf(tokens, 3)]).toEqual([3, 3, 1]);
  });
});

describe('tokens', () => {
  test('never go below zero by our own count, and are granted at the returned instant', () => {
    const wanted = fc.array(
      fc.record({ waitMs: fc.nat(30 * minuteMs), cost: fc.integer({ min: 1, max: 100 }) }),
      { maxLength: 60 },
    );
    const level = fc.record({
      left: fc.integer({ min: -50, max: 400 }),
      at: fc.constant(start),
      perMinute: fc.integer({ min: 1, max: 7 }),
    });
    fc.assert(
      fc.property(level, wanted, (reported, calls) => {
        let state = withLevel(reported);
        let at = start;
        for (const { waitMs, cost } of calls) {
          at += waitMs;
          const result = spend(state, { rule: tokens, cost, at });
          if (result.isGranted) state = result.after;
          else if (result.nextAt !== at + dayMs) {
            expect(result.nextAt).toBeGreaterThan(at);
            const later = spend(state, { rule: tokens, cost, at: result.nextAt });
            expect(later.isGranted).toBe(true);
          }
          if (result.isGranted) expect(state.tokens?.left).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test('are added every minute, up to the amount of an hour', () => {
    const state = withLevel({ left: 10, at: start, perMinute: 5 });
    expect(leftOf(state, tokens, start)).toBe(10);
    expect(leftOf(state, tokens, start + 2 * minuteMs - 1)).toBe(15);
    expect(leftOf(state, tokens, start + 2 * minuteMs)).toBe(20);
    const after = spent(state, tokens, 12, start + 90_000);
    expect(after.tokens).toEqual({ left: 3, at: start + minuteMs, perMinute: 5 });
    expect(leftOf(after, tokens, start + 2 * minuteMs)).toBe(8);
    expect(leftOf(state, tokens, start + dayMs)).toBe(300);
    expect(resetsAt(state, tokens, start + dayMs)).toBeNull();
    expect(resetsAt(state, tokens, start)).toBe(start + minuteMs);
    const almostFull = withLevel({ left: 59, at: start, perMinute: 1 });
    expect(resetsAt(almostFull, tokens, start)).toBe(start + minuteMs);
  });

  test('stay at the reported level if none are added', () => {
    const state = withLevel({ left: 5, at: start, perMinute: 0 });
    expect(leftOf(state, tokens, start + dayMs)).toBe(5);
    expect(resetsAt(state, tokens, start)).toBeNull();
    const refused = spend(state, { rule: tokens, cost: 6, at: start });
    expect(refused).toEqual({ isGranted: false, nextAt: start + dayMs });
    // A source may report that more was spent than there was.
    const overdrawn = withLevel({ left: -1, at: start, perMinute: 0 });
    expect(resetsAt(overdrawn, tokens, start)).toBeNull();
    const stillRefused = spend(overdrawn, { rule: tokens, cost: 1, at: start });
    expect(stillRefused).toEqual({ isGranted: false, nextAt: start + dayMs });
  });

  test('for a call that takes a whole bucket are there when it is full', () => {
    const state = withLevel({ left: 0, at: start, perMinute: 5 });
    const nextAt = (cost: number) => {
      const result = spend(state, { rule: tokens, cost, at: start });
      return result.isGranted ? null : result.nextAt - start;
    };
    expect([300, 301].map(nextAt)).toEqual([hourMs, dayMs]);
  });

  test('reported by a clock up to a day ahead are known', () => {
    const state = withLevel({ left: 5, at: start + dayMs, perMinute: 1 });
    expect([start, start - 1].map((at) => leftOf(state, tokens, at))).toEqual([5, null]);
  });

  test('are spent while their level is unknown, and keep a level reported by a clock ahead', () => {
    expect(leftOf(unspent, tokens, start)).toBeNull();
    expect(spent(unspent, tokens, 3, start).tokens).toBeNull();
    const state = withLevel({ left: 5, at: start, perMinute: 1 });
    const after = spent(state, tokens, 2, start - hourMs);
    expect(after.tokens).toEqual({ left: 3, at: start, perMinute: 1 });
  });
});

describe('the pause after calls', () => {
  const hundred = { kind: 'day', calls: 100 } as const;

  test('is 0 if nothing was spent', () => {
    expect(restAfter(unspent, { rule: hundred, cost: 10, at: start })).toBe(0);
  });

  test('spreads calls over a day once everything is spent', () => {
    const state = spent(unspent, hundred, 100, start);
    expect(restAfter(state, { rule: hundred, cost: 10, at: start })).toBe(dayMs / 10);
  });

  test('prevents refusals for a source that is always called, and is shortest at the start', () => {
    let state = unspent;
    let at = start;
    const atHour: number[] = [];
    while (at < start + 3 * dayMs) {
      const result = spend(state, { rule: hundred, cost: 1, at });
      if (result.isGranted) {
        state = result.after;
        const hour = Math.floor((at - start) / hourMs);
        atHour[hour] = (atHour[hour] ?? 0) + 1;
        at += minuteMs + restAfter(state, { rule: hundred, cost: 1, at });
      } else at = result.nextAt;
    }
    expect(atHour[0]).toBeGreaterThan(20);
    const secondDay = atHour.slice(24, 48).reduce((sum, calls) => sum + (calls ?? 0), 0);
    expect(secondDay).toBeWithin(70, 101);
  });

  test('tokens that come one a minute are waited for', () => {
    const state = withLevel({ left: 0, at: start, perMinute: 1 });
    const refused = spend(state, { rule: tokens, cost: 2, at: start });
    expect(refused).toEqual({ isGranted: false, nextAt: start + 2 * minuteMs });
  });

  test('is 0 for tokens', () => {
    const state = withLevel({ left: 0, at: start, perMinute: 1 });
    expect(restAfter(state, { rule: tokens, cost: 10, at: start })).toBe(0);
  });
});
