/** When a visit begins, and when the one before it ended. */
import { expect, test } from 'bun:test';
import { hourMs } from '../../kernel/time.ts';
import { absenceMs, nextVisit } from './session.ts';

const start = Date.UTC(2026, 10, 15, 8);

test('a visit goes on until nobody was there for some hours', () => {
  const first = nextVisit(null, start);
  expect(first).toEqual({ seenAt: start, beforeAt: null });
  const later = nextVisit(first, start + hourMs);
  expect(later).toEqual({ seenAt: start + hourMs, beforeAt: null });
  const almost = nextVisit(later, later.seenAt + absenceMs - 1);
  expect(almost.beforeAt).toBeNull();
  const next = nextVisit(later, later.seenAt + absenceMs);
  expect(next).toEqual({ seenAt: later.seenAt + absenceMs, beforeAt: later.seenAt });
  expect(nextVisit(next, next.seenAt + hourMs).beforeAt).toBe(later.seenAt);
});
