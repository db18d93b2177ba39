/** Every row is counted by its outcome, in a fixed order. */
import { expect, test } from 'bun:test';
import { sold } from '../../../../test/support/valuation.ts';
import { admitSales } from './admit.ts';
import { Tally } from './tally.ts';

const [sealed, used] = admitSales([sold(), sold({ condition: 'used', channel: 'auction' })]);
if (!sealed || !used) throw new Error('The sales have no rows.');

test('outcomes are counted by condition and reason', () => {
  const tally = new Tally();
  tally.reject(used, 'incomplete');
  tally.accept(used, null);
  tally.accept(sealed, 'damaged_box');
  tally.accept(sealed, null);
  tally.accept(sealed, null);
  tally.quarantine(sealed);
  expect(tally.outcomes()).toEqual([
    { condition: 'sealed', outcome: 'accepted', reason: null, count: 2 },
    { condition: 'sealed', outcome: 'down_weighted', reason: 'damaged_box', count: 1 },
    { condition: 'sealed', outcome: 'quarantined', reason: 'does_not_fit', count: 1 },
    { condition: 'used', outcome: 'accepted', reason: null, count: 1 },
    { condition: 'used', outcome: 'rejected', reason: 'incomplete', count: 1 },
  ]);
  expect([...tally.channels]).toEqual([
    ['auction', 1],
    ['fixed', 3],
  ]);
});

test('a released sale is counted once', () => {
  const tally = new Tally();
  tally.quarantine(sealed);
  tally.release(sealed);
  tally.accept(sealed, 'new_level');
  expect(tally.outcomes()).toEqual([
    { condition: 'sealed', outcome: 'down_weighted', reason: 'new_level', count: 1 },
  ]);
});

test('moves are reported by month, in order', () => {
  const tally = new Tally();
  tally.move(Date.UTC(2026, 1, 3), 'drift');
  tally.move(Date.UTC(2026, 2, 3), 'level');
  expect(tally.moves).toEqual([
    { month: '2026-02', why: 'drift' },
    { month: '2026-03', why: 'level' },
  ]);
});

test('reasons of one outcome are in the order of their names', () => {
  const tally = new Tally();
  for (const reason of ['no_price', 'duplicate', 'incomplete']) tally.reject(sealed, reason);
  const reasons = tally.outcomes().map(({ reason }) => reason);
  expect(reasons).toEqual(['duplicate', 'incomplete', 'no_price']);
});

test('only the latest 24 moves are kept', () => {
  const tally = new Tally();
  for (let month = 0; month < 24; month++) tally.move(Date.UTC(2024, month, 3), 'drift');
  expect([tally.moves.length, tally.moves[0]?.month]).toEqual([24, '2024-01']);
  tally.move(Date.UTC(2026, 0, 3), 'level');
  expect([tally.moves.length, tally.moves[0]?.month]).toEqual([24, '2024-02']);
  expect(tally.moves.at(-1)).toEqual({ month: '2026-01', why: 'level' });
});
