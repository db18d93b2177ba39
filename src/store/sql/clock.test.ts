/** How much the clocks of a node and its database may differ. */
import { expect, test } from 'bun:test';
import { ClockError, compareClocks } from './clock.ts';

const there = Date.UTC(2026, 10, 15);

test('a node may differ from the database by a minute, in both directions', () => {
  for (const ms of [0, 60_000, -60_000]) compareClocks(there + ms, there);
});

test.each([
  [60_001, '60 seconds ahead of'],
  [-60_001, '60 seconds behind'],
  [3_600_000, '3600 seconds ahead of'],
  [-89_600, '90 seconds behind'],
])('a difference of %d ms is rejected with the amount', (ms, said) => {
  expect(() => compareClocks(there + ms, there)).toThrow(
    new ClockError(`The clock of this machine is ${said} the database. Correct one of the clocks.`),
  );
});
