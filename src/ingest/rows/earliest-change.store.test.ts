/** The earliest month that a batch affects. */
import { expect, test } from 'bun:test';
import { monthOf } from '../../kernel/time.ts';
import { EarliestChange } from './earliest-change.store.ts';

const at = Date.UTC(2026, 10, 1);

test('without changes there is no month, then the earliest change counts', () => {
  const change = new EarliestChange();
  expect([change.month(), change.isAlways()]).toEqual([null, false]);
  change.add(at);
  change.add(at + 5);
  expect([change.month(), change.isAlways()]).toEqual([monthOf(at), false]);
  change.add(at - 1);
  expect(change.month()).toBe(monthOf(at) - 1);
});

test('a change that affects all months is before every other', () => {
  const change = new EarliestChange();
  change.addAlways();
  change.add(at);
  expect([change.month(), change.isAlways()]).toEqual([0, true]);
});
