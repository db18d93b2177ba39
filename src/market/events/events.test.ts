/** Positions of events, and the items that they are about. */
import { expect, test } from 'bun:test';
import { eventKeys, isAbout, positionBefore } from './events.ts';

test('a position precedes all events of its millisecond, and follows earlier ones', () => {
  expect([0, 1, 1_000].map(positionBefore)).toEqual([-1, 999, 999_999]);
});

test('an event matches its item by kind and key; one about the market matches always', () => {
  const keys = eventKeys({ set: ['1', '2'], minifig: ['3'] });
  expect(eventKeys(null)).toBeNull();
  const about = (itemKind: 'set' | 'minifig' | null, key: string | null) =>
    [isAbout({ itemKind, key }, keys), isAbout({ itemKind, key }, null)] as const;
  expect(about('set', '1')).toEqual([true, true]);
  expect(about('set', '3')).toEqual([false, true]);
  expect(about('minifig', '3')).toEqual([true, true]);
  expect(about('minifig', '1')).toEqual([false, true]);
  expect(about('set', null)).toEqual([true, true]);
  expect(about(null, '1')).toEqual([true, true]);
  expect(about(null, null)).toEqual([true, true]);
});
